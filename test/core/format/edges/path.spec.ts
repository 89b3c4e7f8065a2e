import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import type { FormatVersion } from "#core/format/format"
import { upgradePath } from "#core/format/edges/path"
import { newSeqOf, oldSeqOf } from "#core/format/edges/seq-map"
import { headerIn } from "../../../fixtures/log-in-memory.ts"
import { migrate } from "../../../fixtures/migration.ts"
import {
  accepted,
  append,
  assistant,
  event,
  placed,
  stepEnd,
  stepStart,
  through,
  turnEnd,
  turnStart,
  user,
} from "./logs.ts"

const versions = [0, 1, 2, 3, 4] as const
const causes = (from: FormatVersion, rows: readonly JsonValue[], header?: JsonObject): object[] =>
  through(from, rows, header).causes.map((cause) => ({ ...cause }))

const chunk = event("assistant/chunk", {
  turn: 1,
  step: 1,
  chunk: { type: "text-delta", index: 0, text: "a" },
})

describe("ways from format to format", () => {
  it("MI12: there is none back", () => {
    for (const from of versions)
      for (const to of versions)
        expect(upgradePath(from, to)).toSatisfy((way: unknown) => (way === null) === to < from)
  })

  it.each(versions)(
    "MI12: a log of format %d stays one of that format, whatever it holds",
    (version) => {
      const rows: JsonObject[] = [
        ...placed([event("x/y", { note: 1 }), event("turn/start", { turn: "x" })]),
        ...(version < 2
          ? [
              {
                type: "text-chunks",
                seq0: 2,
                time0: 1,
                data: { turn: 1, step: 1, index: 0, dt: [1], texts: ["a", "b"] },
              },
            ]
          : []),
      ]
      const migrated = through(version, rows, {}, version)
      expect(migrated).toMatchObject({ header: headerIn(version), rows, causes: [] })
      const count = version < 2 ? 4 : 2
      expect(migrated.map).toStrictEqual({
        runs: [{ oldSeq: 0, newSeq: 0 }],
        inserted: [],
        oldCount: count,
        newCount: count,
      })
    },
  )

  it("MI10: headers go through alone, in the order of writers", () => {
    const header = {
      agentPreset: "code",
      delegationDepth: 1,
      origin: "subagent",
      seedLength: 0,
      parentSession: "p",
      cwd: "/w",
      createdAt: 1,
      id: "s",
      version: 0,
      type: "session",
    }
    const of = (to: FormatVersion): string => JSON.stringify(upgradePath(0, to)?.header(header))
    expect(of(1)).toBe(
      '{"type":"session","version":1,"id":"s","createdAt":1,"cwd":"/w","parentSession":"p",' +
        '"seedLength":0,"origin":"subagent","delegationDepth":1,"agentPreset":"code"}',
    )
    expect(of(2)).toBe(
      '{"type":"session","version":2,"id":"s","createdAt":1,"cwd":"/w","parentSession":"p",' +
        '"isSeeded":true,"origin":"subagent","delegationDepth":1,"agentPreset":"code"}',
    )
    expect(of(4)).toBe(of(2).replace('"version":2', '"version":4').replace('"code"', '"ptc"'))
  })

  it("MI10: a header of another version, and one that is none, are told once", () => {
    expect(migrate(0, 4, headerIn(2), []).causes).toMatchObject([
      { code: "version-mismatch", class: "malformed", named: 0, version: 2, seq: null },
    ])
    expect(causes(0, [], { createdAt: -1 })).toMatchObject([
      { code: "header-field", class: "malformed", seq: null, from: 0, to: 1 },
    ])
    expect(migrate(0, 4, { type: "other" }, []).causes).toMatchObject([{ code: "not-a-log" }])
    expect(migrate(0, 4, headerIn(5, { version: 5 }), []).causes).toMatchObject([
      { code: "version-unsupported", class: "unsupported" },
    ])
  })
})

describe("causes along a way", () => {
  it("MI11: all are told, each by its edge, and counted by the log that was read", () => {
    const rows = placed([
      append("user/message", user("u1")),
      turnStart(),
      stepStart(),
      chunk,
      stepEnd(),
      append("user/message", user("u2", { source: { kind: "mine" } })),
      event("permission/preset", { preset: "p", more: 1 }),
      append("user/message", user("u3", { content: [{ type: "x" }, { type: "y" }] })),
      turnStart(2),
    ])
    expect(causes(0, rows)).toStrictEqual([
      { code: "surface-before-step", class: "unsupported", seq: 0, from: 2, to: 3 },
      { code: "source-kind", class: "unsupported", seq: 5, kind: "mine", from: 2, to: 3 },
      {
        code: "payload-shape",
        class: "malformed",
        seq: 6,
        type: "permission/preset",
        fault: { path: ["more"], expected: "nothing" },
        from: 0,
        to: 1,
      },
      { code: "content-tag", class: "unsupported", seq: 7, tag: "x", from: 2, to: 3 },
      { code: "content-tag", class: "unsupported", seq: 7, tag: "y", from: 2, to: 3 },
      { code: "turn-open", class: "unsupported", seq: 8, openTurn: 1, from: 1, to: 2 },
    ])
  })

  it("MI11: of one event only the first edge that refuses it speaks", () => {
    const rows = placed([
      append("user/message", user("u", { source: { kind: "mine" }, more: 1 })),
      event("x/y", {}),
    ])
    expect(causes(0, rows)).toMatchObject([
      { code: "payload-shape", seq: 0, from: 0 },
      { code: "event-type-unknown", seq: 1, from: 0 },
    ])
  })

  it("MI11: what an edge made is counted as what it was made for", () => {
    const block = { type: "mine" }
    const ended = event("assistant/chunk", {
      turn: 1,
      step: 1,
      chunk: { type: "block-end", index: 0, block },
    })
    const rows = placed([turnStart(), stepStart(), chunk, ended, turnEnd()])
    expect(causes(0, rows)).toStrictEqual([
      { code: "content-tag", class: "unsupported", seq: 3, tag: "mine", from: 2, to: 3 },
    ])
  })

  it("MI11: a row that is none, or has no place, is told once, and the next has any place", () => {
    const [start, begin, end] = placed([turnStart(), stepStart(), stepEnd()])
    const rows = [start, "row", { ...begin, seq: 1 }, { ...end, seq: 9 }, { type: "turn/end" }]
    expect(causes(0, rows as JsonValue[])).toMatchObject([
      { code: "row-not-object", class: "malformed", seq: 1 },
      { code: "seq-not-contiguous", class: "malformed", seq: 9, expected: 2 },
      { code: "envelope-shape", class: "malformed", seq: 10 },
    ])
  })

  it("MI42: a seq as large as any, and a row behind it that has none, have seqs that count", () => {
    const wild = { ...turnStart(), seq: Number.MAX_SAFE_INTEGER, time: 1 }
    const seqs = through(0, [wild, {}, 0]).causes.map(({ code, seq }) => [code, seq])
    expect(seqs).toStrictEqual([
      ["seq-not-contiguous", Number.MAX_SAFE_INTEGER],
      ["envelope-shape", Number.MAX_SAFE_INTEGER],
      ["row-not-object", Number.MAX_SAFE_INTEGER],
    ])
  })

  it("MI11: a start that is refused still starts, so that what follows is not refused too", () => {
    const rows = placed([
      event("turn/start", { turn: 1, more: 1 }),
      event("step/start", { turn: 1, step: 1, more: 1 }),
      append("user/message", user("u")),
      event("request/header", {
        header: { config: { provider: "p", model: "m" }, system: "x" },
        reason: "initial",
      }),
    ])
    expect(causes(0, rows)).toMatchObject([
      { code: "payload-shape", seq: 0 },
      { code: "payload-shape", seq: 1 },
    ])
  })

  it("MI11: a missing cut is told once, and a chunk that is refused is no fault of its answer", () => {
    expect(causes(2, [], { isSeeded: true })).toMatchObject([
      { code: "inherited-marker-missing", from: 2 },
    ])
    const rows = placed([
      turnStart(),
      stepStart(),
      event("assistant/chunk", { turn: 1, step: 1, chunk: {} }),
      append("assistant/message", assistant("a"), [2]),
    ])
    expect(causes(0, rows)).toMatchObject([{ code: "payload-shape", seq: 2, from: 1 }])
  })
})

describe("the map of seqs", () => {
  it("MI9: seqs beyond the end, and those of events that are gone, have no image", () => {
    const { map } = accepted(1, [turnStart(), chunk, chunk, stepEnd()])
    expect(map).toStrictEqual({
      runs: [
        { oldSeq: 0, newSeq: 0 },
        { oldSeq: 1, newSeq: null },
        { oldSeq: 3, newSeq: 2 },
      ],
      inserted: [{ newSeq: 1, anchor: 2 }],
      oldCount: 4,
      newCount: 3,
    })
    expect([0, 1, 2, 3, 4, 99].map((seq) => newSeqOf(map, seq))).toStrictEqual([
      0,
      null,
      null,
      2,
      null,
      null,
    ])
    expect([0, 1, 2].map((seq) => oldSeqOf(map, seq))).toStrictEqual([0, 2, 3])
  })
})
