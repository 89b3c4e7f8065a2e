import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import type { FormatVersion } from "#core/format/format"
import { accepted, causesOf, event, turnStart } from "./logs.ts"

const delivered = (generation: number | null, more: JsonObject = {}): JsonObject =>
  event("session-log-deepseek/delivery-accepted", {
    sessionId: "s",
    throughSeq: 0,
    ...(generation === null ? {} : { sessionFormatVersion: generation }),
    ...more,
  })

const forked = (from: FormatVersion, cut: number): JsonObject => ({
  parentSession: "p",
  ...(from < 2 ? { seedLength: cut } : { isSeeded: true }),
})

const own: readonly (readonly [FormatVersion, number | null])[] = [
  [0, null],
  [1, 1],
  [2, 2],
  [3, 3],
]

const classes = ["malformed", "unsupported", "malformed", "malformed"]

describe("markers of what was delivered", () => {
  it.each(own)("MI38: format %d: one of its session keeps its numbers", (from, generation) => {
    const marker = delivered(generation)
    expect(accepted(from, [turnStart(), marker]).rows[1]).toMatchObject({ data: marker["data"] })
  })

  it.each(own)("MI38: format %d: one of another session is refused", (from, generation) => {
    const foreign = { code: "delivery-foreign", class: classes[from], seq: 1, sessionId: "p" }
    const events = [turnStart(), delivered(generation, { sessionId: "p" })]
    expect(causesOf(from, events)).toStrictEqual([foreign])
    expect(causesOf(from, events, { header: { parentSession: "p" } })).toStrictEqual([foreign])
  })

  it.each(own)("MI38: format %d: one of a parent belongs before the cut", (from, generation) => {
    const marker = delivered(generation, { sessionId: "p" })
    const cut = event("session/end-seed", from < 2 ? {} : { inherited: true })
    accepted(from, [turnStart(), marker, cut], { header: forked(from, 2) })
    expect(causesOf(from, [turnStart(), cut, marker], { header: forked(from, 1) })).toStrictEqual([
      { code: "delivery-foreign", class: classes[from], seq: 2, sessionId: "p" },
    ])
  })

  it.each(own)(
    "MI38: format %d: one of what was still to come is malformed",
    (from, generation) => {
      for (const more of [{ throughSeq: 1 }, { throughSeq: -1 }, { sessionId: "" }])
        expect(causesOf(from, [turnStart(), delivered(generation, more)])).toStrictEqual([
          { code: "delivery-coordinates", class: "malformed", seq: 1 },
        ])
    },
  )

  it("MI38: other generations mean nothing, whatever they hold", () => {
    accepted(1, [delivered(null, { sessionId: 7, throughSeq: "x" })])
    accepted(2, [delivered(1, { sessionId: "x", throughSeq: 9 })])
    accepted(2, [delivered(4, { sessionId: "x" })])
    accepted(3, [delivered(2, { sessionId: "x" })])
  })

  it("MI38: a generation that nothing can have reached is refused", () => {
    expect(causesOf(2, [delivered(3)])).toStrictEqual([
      { code: "delivery-generation", class: "malformed", seq: 0, generation: 3 },
    ])
    expect(causesOf(3, [delivered(4)])).toStrictEqual([
      { code: "delivery-generation", class: "unsupported", seq: 0, generation: 4 },
    ])
  })

  it("MI38: format 0 has no generations, and later ones are counts", () => {
    for (const [from, marker] of [
      [0, delivered(0)],
      [1, delivered(-1)],
    ] as const)
      expect(causesOf(from, [marker])).toMatchObject([
        { code: "payload-shape", class: "malformed", fault: { path: ["sessionFormatVersion"] } },
      ])
  })
})
