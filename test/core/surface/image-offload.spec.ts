import { describe, expect, it } from "vitest"
import type { JsonArray, JsonObject, JsonValue } from "#core/data/json"
import type { FormatVersion } from "#core/format/format"
import { image } from "../../../properties/arbitraries/dialect.ts"
import type { Draft } from "./events.ts"
import {
  assistant,
  folded,
  nodesAfter,
  note,
  refusalOf,
  replacing,
  system,
  toolResult,
  user,
  userWith,
} from "./events.ts"

const since = [3, 4] as const

const offload = (...targets: readonly JsonValue[]): Draft => ({
  type: "image/offload",
  data: { targets },
})

const target = (seq: JsonValue, ...imageIndexes: readonly JsonValue[]): JsonObject => ({
  seq,
  imageIndexes,
})

const words = (each: string): JsonObject => ({ type: "text", text: each })
const gone = (n: number): JsonObject => ({ ...image(n), offloaded: true })
const fill = (version: FormatVersion, content: JsonArray): Draft => {
  const event = toolResult(version)
  const data = event.data as JsonObject
  const message = data["message"] as JsonObject
  if (version === 4) return { ...event, data: { ...data, message: { ...message, content } } }
  const [block] = message["content"] as readonly JsonObject[]
  return { ...event, data: { ...data, message: { ...message, content: [{ ...block, content }] } } }
}

const contents = (version: FormatVersion, events: readonly Draft[]): readonly JsonValue[] => {
  const { messages, refusal } = folded(version, events)
  expect(refusal).toBeNull()
  return messages.map((message) => message["content"] ?? null)
}

describe("images put aside", () => {
  it.each(since)("S28: format %d: the images named are marked, the log is as it was", (version) => {
    const content = [words("a"), image(0), image(1), image(2)]
    const events = [userWith(content), user(), offload(target(0, 0, 2))]
    const before = JSON.stringify(events)
    const marked = [words("a"), gone(0), image(1), gone(2)]
    expect(contents(version, events)[0]).toEqual(marked)
    expect(JSON.stringify(events)).toBe(before)
    const { messages, ...rest } = folded(version, events)
    expect(messages[0]).toEqual({ ...(events[0]?.data as JsonObject), content: marked })
    expect(rest).toMatchObject({ nodes: [0, 1], replaceGeneration: 0, contentGeneration: 1 })
  })

  it.each(since)("S28: format %d: they are counted depth first, those put aside included", (v) => {
    const nested = { type: "group", content: [image(1), { type: "group", content: [image(2)] }] }
    const events = [userWith([image(0), nested, image(3)]), offload(target(0, 2))]
    const once = { type: "group", content: [image(1), { type: "group", content: [gone(2)] }] }
    expect(contents(v, events)[0]).toEqual([image(0), once, image(3)])
    const again = [...events, offload(target(0, 1, 3))]
    const twice = { type: "group", content: [gone(1), { type: "group", content: [gone(2)] }] }
    expect(contents(v, again)[0]).toEqual([image(0), twice, gone(3)])
    expect(folded(v, again).contentGeneration).toBe(2)
  })

  it.each(since)("S28: format %d: tool results have images too", (version) => {
    const events = [fill(version, [image(0), image(1)]), offload(target(0, 1))]
    expect(contents(version, events)).toEqual([
      version === 4
        ? [image(0), gone(1)]
        : [
            {
              type: "tool-result",
              toolCallId: "c",
              content: [image(0), gone(1)],
              isError: false,
            },
          ],
    ])
  })

  it.each(since)("S29: format %d: a decision has exactly its parts", (version) => {
    const events = [userWith([image(0), image(1)])]
    const wrong: readonly JsonValue[] = [
      null,
      {},
      { targets: [] },
      { targets: [target(0, 0)], more: 1 },
      { targets: [{ ...target(0, 0), more: 1 }] },
      { targets: [{ seq: 0 }] },
      { targets: [target(0)] },
      { targets: [target("0", 0)] },
      { targets: [target(0, -1)] },
      { targets: [target(0, 1, 0)] },
      { targets: [target(0, 0, 0)] },
    ]
    for (const data of wrong)
      expect(refusalOf(version, [...events, { type: "image/offload", data }])).toMatchObject({
        code: "projection-shape",
        seq: 1,
      })
  })

  it.each(since)(
    "S30: format %d: a target is a live user message or tool result, named once",
    (v) => {
      const events = [
        system(v),
        userWith([image(0)]),
        assistant(v),
        note,
        userWith([image(0)]),
        replacing(v, userWith([image(0)]), [4, 4], [4]),
      ]
      const refused = (...targets: readonly JsonValue[]): unknown =>
        refusalOf(v, [...events, offload(...targets)])
      const code = "projection-target"
      for (const seq of [0, 2, 3, 4, 6, 9])
        expect(refused(target(1, 0), target(seq, 0))).toEqual({ code, seq: 6, target: seq })
      expect(refused(target(1, 0), target(1, 0))).toEqual({ code, seq: 6, target: 1 })
      expect(nodesAfter(v, [...events, offload(target(1, 0), target(5, 0))])).toEqual([0, 1, 2, 5])
    },
  )

  it.each(since)("S31: format %d: every index has an image", (version) => {
    const events = [userWith([image(0), words("a"), image(1)])]
    expect(refusalOf(version, [...events, offload(target(0, 1, 2))])).toEqual({
      code: "projection-image",
      seq: 1,
      target: 0,
      imageIndex: 2,
      imageCount: 2,
    })
  })

  it.each(since)("S38: format %d: a node that is replaced takes its marks along", (version) => {
    const events = [userWith([image(0)]), user(), offload(target(0, 0))]
    const over = replacing(version, userWith([image(0)]), [0, 0], [0])
    expect(contents(version, [...events, over])[0]).toEqual([image(0)])
    expect(contents(version, [...events, over, offload(target(3, 0))])[0]).toEqual([gone(0)])
  })

  it.each(since)("S5: format %d: a decision is off the surface", (version) => {
    const events = [userWith([image(0)])]
    const decision = offload(target(0, 0))
    expect(refusalOf(version, [...events, { ...decision, surfaceOp: "append" }])).toMatchObject({
      code: "surface-op-forbidden",
    })
    expect(refusalOf(version, [...events, { ...decision, sourceEventSeqs: [0] }])).toMatchObject({
      code: "sources-forbidden",
    })
  })

  it("S28: formats 0 to 2 do not know it", () => {
    for (const version of [0, 1, 2] as const)
      expect(refusalOf(version, [userWith([image(0)]), offload(target(0, 0))])).toMatchObject({
        code: "event-type-unknown",
      })
  })
})
