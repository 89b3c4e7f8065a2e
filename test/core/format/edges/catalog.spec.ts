import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import type { ChildEvidence } from "#core/format/edges/child-evidence"
import { ChildEvidenceDraft } from "#core/format/edges/child-evidence"
import { headerIn } from "../../../fixtures/log-in-memory.ts"
import { accepted, causesOf, event, placed, turnStart } from "./logs.ts"

const oneShot: JsonObject = { mode: "one-shot", version: 3, provider: "p", label: "l" }

const child = (childId: string, more: Partial<ChildEvidence> = {}): ChildEvidence => ({
  childId,
  childCreatedAt: 5,
  descriptorCount: 1,
  descriptor: oneShot,
  ...more,
})

const entry = (childId: string, more: JsonObject = {}): JsonObject =>
  event("subagent/catalog", {
    version: 0,
    childId,
    childCreatedAt: 5,
    mode: "one-shot",
    label: "l",
    ...more,
  })

/** The entries that a log of one event gets. */
const added = (children: readonly ChildEvidence[], events = [turnStart()]): readonly JsonObject[] =>
  accepted(3, events, { children }).rows.slice(events.length)

describe("the catalog of a session's children", () => {
  it("MI35: nobody looked for children: refused; there are none: well", () => {
    expect(causesOf(3, [], { children: null })).toStrictEqual([
      { code: "child-evidence-missing", class: "unsupported", seq: null },
    ])
    expect(added([])).toStrictEqual([])
  })

  it("MI35: children that are not listed are added at the end, by creation, then by id", () => {
    const rows = added([
      child("b", { childCreatedAt: 7 }),
      child("c", { descriptorCount: 0, descriptor: null }),
      child("a", { childCreatedAt: 7 }),
    ])
    expect(rows).toStrictEqual([
      {
        type: "subagent/catalog",
        seq: 1,
        time: 0,
        data: { version: 1, childId: "c", childCreatedAt: 5, mode: "unknown" },
      },
      {
        type: "subagent/catalog",
        seq: 2,
        time: 0,
        data: { version: 0, childId: "a", childCreatedAt: 7, mode: "one-shot", label: "l" },
      },
      {
        type: "subagent/catalog",
        seq: 3,
        time: 0,
        data: { version: 0, childId: "b", childCreatedAt: 7, mode: "one-shot", label: "l" },
      },
    ])
  })

  it("MI35: in a log without events they have the time of the header", () => {
    expect(accepted(3, [], { children: [child("a")] })).toMatchObject({
      rows: [{ seq: 0, time: 1 }],
      map: { inserted: [{ newSeq: 0, anchor: null }] },
    })
  })

  const unknown = { version: 1, mode: "unknown" }
  it.each<[string, Partial<ChildEvidence>, JsonObject]>([
    [
      "version 1",
      { descriptor: { version: 1, label: "l" } },
      { version: 0, mode: "continuable", label: "l" },
    ],
    [
      "version 2",
      { descriptor: { ...oneShot, version: 2 } },
      { version: 0, mode: "one-shot", label: "l" },
    ],
    [
      "no label",
      { descriptor: { mode: "one-shot", version: 3, provider: "p" } },
      { version: 0, mode: "one-shot" },
    ],
    ["version 4", { descriptor: { ...oneShot, version: 4 } }, unknown],
    ["two", { descriptorCount: 2, descriptor: null }, unknown],
    ["an unknown mode", { descriptor: { ...oneShot, mode: "other" } }, unknown],
    ["continuable without a label", { descriptor: { version: 1 } }, unknown],
  ])("MI35: a child with a descriptor of %s", (_, evidence, expected) => {
    expect(added([child("a", evidence)]).map(({ data }) => data)).toStrictEqual([
      { ...expected, childId: "a", childCreatedAt: 5 },
    ])
  })

  it("MI35: a descriptor of version 3 without its provider is refused", () => {
    const { provider: _, ...descriptor } = oneShot
    expect(causesOf(3, [], { children: [child("a", { descriptor })] })).toStrictEqual([
      { code: "child-descriptor", class: "malformed", seq: null, childId: "a" },
    ])
  })

  it("MI35: a child that is listed already is not added", () => {
    expect(added([child("a")], [entry("a")])).toStrictEqual([])
  })

  it("MI35: an entry that says something else is refused, where the child says anything", () => {
    const conflict = (field: string): JsonObject => ({
      code: "catalog-conflict",
      class: "unsupported",
      seq: 0,
      childId: "a",
      field,
    })
    const causes = (more: JsonObject, evidence: Partial<ChildEvidence> = {}): readonly object[] =>
      causesOf(3, [entry("a", more)], { children: [child("a", evidence)] })
    expect(causes({ childCreatedAt: 6 })).toStrictEqual([conflict("childCreatedAt")])
    expect(causes({ mode: "continuable", label: "other" })).toStrictEqual([
      conflict("mode"),
      conflict("label"),
    ])
    const silent = { descriptorCount: 2, descriptor: null }
    expect(causes({ mode: "continuable", label: "other" }, silent)).toStrictEqual([])
    expect(causes({ childCreatedAt: 6 }, silent)).toStrictEqual([conflict("childCreatedAt")])
  })

  it("MI35: a child that is listed twice is refused, and so is an entry that is none", () => {
    expect(causesOf(3, [entry("a"), entry("a")])).toStrictEqual([
      { code: "catalog-duplicate", class: "unsupported", seq: 1, childId: "a" },
    ])
    for (const more of [{ version: 2 }, { mode: "unknown" }, { mode: "continuable", label: 1 }])
      expect(causesOf(3, [entry("a", more)])).toMatchObject([
        { code: "payload-shape", class: "malformed", seq: 0, type: "subagent/catalog" },
      ])
  })

  it("MI35: what a parent's log listed does not count", () => {
    const events = [
      entry("a"),
      entry("a", { version: 2 }),
      event("session/end-seed", { inherited: true }),
    ]
    const header = { isSeeded: true, parentSession: "p" }
    const { rows } = accepted(3, events, { header, children: [child("a")] })
    expect(rows.slice(3)).toMatchObject([{ type: "subagent/catalog", data: { childId: "a" } }])
  })
})

describe("what a child says of itself", () => {
  const evidence = (header: JsonObject, events: readonly JsonObject[]): ChildEvidence | null => {
    const draft = new ChildEvidenceDraft("parent", header)
    for (const row of placed(events)) draft.step(row)
    return draft.seal()
  }
  const described = (label: string): JsonObject =>
    event("subagent/descriptor", { ...oneShot, label })
  const header = (version: number, more: JsonObject = {}): JsonObject =>
    headerIn(version, { id: "c", origin: "subagent", parentSession: "parent", ...more })

  it("MI36: its only descriptor, and when it was made", () => {
    expect(evidence(header(4), [turnStart(), described("x")])).toStrictEqual({
      childId: "c",
      childCreatedAt: 1,
      descriptorCount: 1,
      descriptor: { ...oneShot, label: "x" },
    })
    expect(evidence(header(4), [described("x"), described("y")])).toMatchObject({
      descriptorCount: 2,
      descriptor: null,
    })
  })

  it("MI36: what it inherited does not count", () => {
    const marker = event("session/end-seed", { inherited: true })
    expect(evidence(header(4), [described("x"), marker, described("y")])).toMatchObject({
      descriptorCount: 1,
      descriptor: { label: "y" },
    })
    expect(evidence(header(0, { seedLength: 1 }), [described("x"), described("y")])).toMatchObject({
      descriptorCount: 1,
      descriptor: { label: "y" },
    })
  })

  it.each<[string, Record<string, JsonValue>]>([
    ["no subagent", { origin: "other" }],
    ["the child of another", { parentSession: "other" }],
    ["one of a later release", { version: 5 }],
  ])("MI36: %s is no child", (_, more) => {
    expect(evidence(header(4, more), [])).toBeNull()
  })
})
