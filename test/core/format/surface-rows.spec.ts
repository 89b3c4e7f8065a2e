import { isRight } from "fp-ts/lib/Either.js"
import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import { surfaceKind } from "#core/format/surface-kind"
import type { EventFacts } from "#core/log/event-facts"
import { surfaceOp } from "#core/log/event-facts"
import { readRow } from "#core/log/row"
import { noProjections } from "#core/surface/message-projection"
import { logOf, readLog } from "../../fixtures/log-in-memory.ts"
import { cases, formatOf, versions } from "./verdict.ts"

const early = [0, 1, 2]
const late = [3, 4]

const user = (seq: number, more: JsonObject = {}): JsonObject => ({
  type: "user/message",
  seq,
  time: 1,
  data: { id: `u${seq}`, role: "user", content: [], source: { kind: "user" } },
  surfaceOp: "append",
  ...more,
})

const assistant = (version: number, seq: number, more: JsonObject = {}): JsonObject => ({
  type: "assistant/message",
  seq,
  time: 1,
  data: {
    turn: 1,
    step: 1,
    message: {
      id: `a${seq}`,
      role: "assistant",
      content: [{ type: "text", text: "x" }],
      source: { kind: "model", provider: "p", model: "m" },
    },
    ...(version < 2 ? {} : { stream: [] }),
  },
  surfaceOp: "append",
  ...more,
})

const system = (version: number, seq: number, text: string, more: JsonObject = {}): JsonObject => ({
  type: "system/message",
  seq,
  time: 1,
  data: {
    turn: 1,
    step: 1,
    message: {
      id: `s${seq}`,
      role: "system",
      source: version < 4 ? { kind: "plugin", plugin: "p" } : { kind: "system-prompt" },
      content: text === "" ? [] : [{ type: "text", text }],
    },
  },
  surfaceOp: "append",
  ...more,
})

const replacing = (version: number, start: number, end: number): JsonObject =>
  version < 3 ? { op: "replace", start, end } : { op: "replace", startSeq: start, endSeq: end }

const factsOf = (version: number, row: JsonObject): EventFacts => {
  const result = readRow(formatOf(version), JSON.stringify(row))
  if (!isRight(result)) throw new Error(JSON.stringify(result.left))
  return result.right.facts
}

describe("what can be a node", () => {
  it.each<[number, Readonly<Record<string, number>>]>([
    [0, { "user/message": 3, "assistant/message": 4, "tool/result": 5 }],
    [1, { "user/message": 3, "assistant/message": 4, "tool/result": 5 }],
    [2, { "user/message": 3, "assistant/message": 4, "tool/result": 5 }],
    [3, { "user/message": 3, "assistant/message": 4, "tool/result": 5, "system/message": 1 }],
    [
      4,
      {
        "user/message": 3,
        "assistant/message": 4,
        "tool/result": 5,
        "system/message": 1,
        "developer/message": 2,
      },
    ],
  ])("F35: format %d: the surface types", (version, kinds) => {
    const row = { seq: 0, time: 1, data: {} }
    for (const type of formatOf(version).kinds.keys())
      expect(factsOf(version, { type, ...row }).kind).toBe(kinds[type] ?? surfaceKind.none)
    expect(Object.keys(kinds).every((type) => formatOf(version).kinds.has(type))).toBe(true)
  })

  it.each(versions)("F35: format %d: a type it does not know is no node", (version) => {
    for (const type of ["system/message", "developer/message", "x/y"]) {
      if (formatOf(version).kinds.has(type)) continue
      const facts = factsOf(version, { type, seq: 0, time: 1, data: {}, ignorable: true })
      expect(facts).toMatchObject({ kind: surfaceKind.none, op: surfaceOp.none })
    }
  })

  it.each(versions)("F36: format %d: a node says what it does to the surface", (version) => {
    const { surfaceOp: _, ...unmarked } = user(0)
    expect(readLog(logOf(version, unmarked))).toMatchObject({
      refusal: { refusal: { code: "surface-op-missing", seq: 0 } },
    })
  })

  it.each(versions)(
    "F36: format %d: an event that is no node says and cites nothing",
    (version) => {
      const mode = { type: "plan/mode", seq: 1, time: 1, data: { active: true } }
      expect(readLog(logOf(version, user(0), { ...mode, surfaceOp: "append" }))).toMatchObject({
        refusal: { refusal: { code: "surface-op-forbidden", seq: 1 } },
      })
      expect(readLog(logOf(version, user(0), { ...mode, sourceEventSeqs: [0] }))).toMatchObject({
        refusal: { refusal: { code: "sources-forbidden", seq: 1 } },
      })
    },
  )
})

describe("the marker of a replacement", () => {
  it.each(early)("F37: format %d: its endpoints are `start` and `end`", (version) => {
    const row = user(9, { surfaceOp: { op: "replace", start: 3, end: 7 } })
    expect(factsOf(version, row)).toMatchObject({ op: surfaceOp.replace, start: 3, end: 7 })
  })

  it.each(late)("F37: format %d: its endpoints are `startSeq` and `endSeq`", (version) => {
    const row = user(9, { surfaceOp: { op: "replace", startSeq: 3, endSeq: 7 } })
    expect(factsOf(version, row)).toMatchObject({ op: surfaceOp.replace, start: 3, end: 7 })
  })

  it.each(versions)("F37: format %d: the order of its keys means nothing", (version) => {
    const marker = Object.fromEntries(Object.entries(replacing(version, 3, 7)).toReversed())
    expect(factsOf(version, user(9, { surfaceOp: marker }))).toMatchObject({ start: 3, end: 7 })
  })

  const refusedMarkers = (version: number): readonly JsonValue[] => {
    const [start, end] = version < 3 ? ["start", "end"] : ["startSeq", "endSeq"]
    return [
      null,
      true,
      0,
      "",
      "replace",
      "Append",
      [],
      ["append"],
      {},
      { op: "append" },
      { op: "replace" },
      { op: "replace", [start]: 0 },
      { op: "replace", [end]: 0 },
      { op: "Replace", [start]: 0, [end]: 0 },
      { [start]: 0, [end]: 0 },
      { op: "replace", [start]: 0, [end]: 0, x: 1 },
      { op: "replace", [start]: 0, [end]: 0, constructor: 1 },
      { op: "replace", [start]: "0", [end]: 0 },
      { op: "replace", [start]: 0, [end]: null },
      { op: "replace", [start]: -1, [end]: 0 },
      { op: "replace", [start]: 0, [end]: 0.5 },
      { op: "replace", [start]: 0, [end]: 9007199254740992 },
      // the keys of the other formats
      replacing(version < 3 ? 3 : 0, 0, 0),
    ]
  }

  it.each(
    versions.flatMap((version) =>
      refusedMarkers(version).map((marker) => [version, marker] as const),
    ),
  )("F38: format %d refuses the marker %j", (version, marker) => {
    const log = logOf(version, user(0), user(1, { surfaceOp: marker, sourceEventSeqs: [0] }))
    expect(readLog(log)).toMatchObject({
      status: "refused",
      nodes: [0],
      refusal: { refusal: { code: "surface-op-shape", seq: 1 }, row: 2 },
    })
  })

  it.each(versions)("F38: format %d: endpoints are no −0", (version) => {
    const log = logOf(version, user(0), user(1, { surfaceOp: replacing(version, 7777, 0) }))
    expect(readLog(log.replace("7777", "-0"))).toMatchObject({
      refusal: { refusal: { code: "not-lossless", fault: { what: "negative-zero" } }, row: 2 },
    })
  })
})

describe("what an assistant message cites", () => {
  it.each(cases<JsonValue>([0, 1], [[0], [[0, 1]], [1, 0], []]))(
    "F39: format %d: its chunks: %j",
    (version, sourceEventSeqs) => {
      const chunk = (seq: number): JsonObject => ({
        type: "assistant/chunk",
        seq,
        time: 1,
        data: { turn: 1, step: 1, chunk: { type: "text-delta", index: 0, text: "x" } },
      })
      const log = logOf(version, chunk(0), chunk(1), assistant(version, 2, { sourceEventSeqs }))
      expect(readLog(log)).toMatchObject({ status: "ok", nodes: [2] })
    },
  )

  it.each(cases<JsonValue>([2, 3, 4], [[0], [[0, 0]], []]))(
    "F39: format %d: nothing, not even %j",
    (version, sourceEventSeqs) => {
      const log = logOf(version, user(0), assistant(version, 1, { sourceEventSeqs }))
      expect(readLog(log)).toMatchObject({
        refusal: { refusal: { code: "sources-forbidden", seq: 1 } },
      })
    },
  )

  it.each(versions)("F39: format %d: what it cites may be unsaid", (version) => {
    expect(readLog(logOf(version, assistant(version, 0)))).toMatchObject({
      status: "ok",
      nodes: [0],
    })
  })
})

describe("the system prompt", () => {
  it.each(early)("F40: format %d: it is a text in the request header", (version) => {
    const header = {
      type: "request/header",
      seq: 0,
      time: 1,
      data: { header: { config: { provider: "p", model: "m" }, system: "Be brief." } },
    }
    const read = readLog(logOf(version, header, user(1)))
    expect(read).toMatchObject({ status: "ok", nodes: [1] })
    // 9 units: 3 + 4
    expect(read.tokens?.system).toBe(7)
  })

  it.each(late)(
    "F40: format %d: it is a node, whose head only another head replaces",
    (version) => {
      const head = system(version, 0, "Be brief.")
      const next = system(version, 2, "Be long.", {
        surfaceOp: replacing(version, 0, 0),
        sourceEventSeqs: [0],
      })
      const read = readLog(logOf(version, head, user(1), next))
      expect(read).toMatchObject({ status: "ok", nodes: [2, 1] })
      const compacted = user(2, { surfaceOp: replacing(version, 0, 1), sourceEventSeqs: [0, 1] })
      expect(readLog(logOf(version, head, user(1), compacted))).toMatchObject({
        refusal: { refusal: { code: "head-protected", seq: 2, head: 0 } },
      })
    },
  )

  it.each(late)(
    "F40: format %d: an empty one keeps its place and derives no message",
    (version) => {
      const read = readLog(logOf(version, system(version, 0, ""), user(1)))
      expect(read).toMatchObject({ status: "ok", nodes: [0, 1] })
      expect(read.messages.map((message) => message["id"])).toStrictEqual(["u1"])
    },
  )
})

describe("message projections", () => {
  const picture = { type: "image", attachment: { attachmentId: "a" } }
  const shown = (version: number, more: JsonObject = {}): string => {
    const { data, ...row } = user(0)
    return logOf(
      version,
      { ...row, data: { ...(data as JsonObject), content: [picture] } },
      {
        type: "image/offload",
        seq: 1,
        time: 1,
        data: { targets: [{ seq: 0, imageIndexes: [0] }] },
        ...more,
      },
    )
  }

  it.each(late)("F41: format %d: image/offload rewrites a message, marked or not", (version) => {
    for (const more of [{}, { ignorable: true }]) {
      const read = readLog(shown(version, more))
      expect(read).toMatchObject({ status: "ok", nodes: [0] })
      expect(read.messages[0]?.["content"]).toStrictEqual([{ ...picture, offloaded: true }])
    }
  })

  it.each(late)("F41: format %d: without an interpreter it is refused", (version) => {
    expect(readLog(shown(version), { projections: noProjections })).toMatchObject({
      refusal: { refusal: { code: "projection-missing", seq: 1, type: "image/offload" } },
    })
  })

  it.each(early)("F41: format %d: it is a type like any unknown one", (version) => {
    expect(readLog(shown(version))).toMatchObject({
      refusal: { refusal: { code: "event-type-unknown", seq: 1 } },
    })
    const read = readLog(shown(version, { ignorable: true }), { projections: noProjections })
    expect(read).toMatchObject({ status: "ok", eventCount: 2 })
    expect(read.messages[0]?.["content"]).toStrictEqual([picture])
  })
})
