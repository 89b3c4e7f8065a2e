import { describe, expect, it } from "vitest"
import type { JsonArray, JsonObject } from "#core/data/json"
import type { FormatVersion } from "#core/format/format"
import type { Draft } from "./events.ts"
import {
  assistant,
  every,
  folded,
  nodesAfter,
  refusalOf,
  replacing,
  toolResult,
  user,
} from "./events.ts"

const over = (version: FormatVersion, event: Draft, ...seqs: readonly number[]): Draft =>
  replacing(version, event, [seqs[0] ?? 0, seqs[seqs.length - 1] ?? 0], seqs)

/** A tool result whose payload was changed by hand. */
const changed = (version: FormatVersion, change: (data: JsonObject) => JsonObject): Draft => {
  const event = toolResult(version, "c", "cut")
  return { ...event, data: change(event.data as JsonObject) }
}

const message = (data: JsonObject): JsonObject => data["message"] as JsonObject

const inMessage = (version: FormatVersion, more: JsonObject): Draft =>
  changed(version, (data) => ({ ...data, message: { ...message(data), ...more } }))

/** A change of what wraps the content: the one block, or since format 4 the message. */
const inWrapper = (version: FormatVersion, more: JsonObject): Draft =>
  version === 4
    ? inMessage(version, more)
    : changed(version, (data) => {
        const [block] = message(data)["content"] as readonly JsonObject[]
        return { ...data, message: { ...message(data), content: [{ ...block, ...more }] } }
      })

describe("rewriting a tool result", () => {
  it.each(every)("S22: format %d: it takes the place of one tool result", (version) => {
    const events = [user(), toolResult(version), toolResult(version, "e"), assistant(version)]
    const refused = (event: Draft): unknown => refusalOf(version, [...events, event])
    const code = "tool-result-range"
    expect(refused(over(version, toolResult(version), 0))).toEqual({ code, seq: 4, shadowed: 0 })
    expect(refused(over(version, toolResult(version), 3))).toEqual({ code, seq: 4, shadowed: 3 })
    expect(refused(over(version, toolResult(version), 1, 2))).toEqual({ code, seq: 4, shadowed: 1 })
    expect(refused(over(version, toolResult(version), 0, 1))).toEqual({ code, seq: 4, shadowed: 0 })
    expect(nodesAfter(version, [...events, over(version, toolResult(version), 1)])).toEqual([
      0, 4, 2, 3,
    ])
  })

  it.each(every)("S23: format %d: its content may change, again and again", (version) => {
    const images: JsonArray = [
      { type: "image", any: "thing" },
      { type: "text", text: "" },
    ]
    const events = [
      toolResult(version, "c", "long"),
      over(version, toolResult(version, "c", "cut"), 0),
      over(version, toolResult(version, "c", ""), 1),
      over(version, inWrapper(version, { content: images }), 2),
    ]
    expect(nodesAfter(version, events)).toEqual([3])
    expect(folded(version, events).messages).toEqual([message(events[3]?.data as JsonObject)])
  })

  it.each(every)("S23: format %d: nothing else may", (version) => {
    const refused = (event: Draft): unknown =>
      refusalOf(version, [toolResult(version), over(version, event, 0)])
    const others: readonly Draft[] = [
      changed(version, (data) => ({ ...data, step: 2 })),
      changed(version, (data) => ({ ...data, meta: { note: 1 } })),
      changed(version, (data) => ({ step: 1, message: message(data) })),
      inMessage(version, { id: "another" }),
      inMessage(version, { more: null }),
      inMessage(version, { source: { kind: "tool", callId: "e" } }),
      inWrapper(version, { isError: true }),
      inWrapper(version, { toolCallId: "e" }),
      toolResult(version, "e"),
    ]
    for (const event of others)
      expect(refused(event)).toEqual({ code: "tool-result-changed", seq: 1, shadowed: 0 })
  })

  it.each(every)("S23: format %d: the order of keys is no change", (version) => {
    const event = changed(version, (data) =>
      Object.fromEntries(
        Object.entries({
          ...data,
          message: Object.fromEntries(Object.entries(message(data)).reverse()),
        }).reverse(),
      ),
    )
    expect(nodesAfter(version, [toolResult(version), over(version, event, 0)])).toEqual([1])
  })

  it.each(every)(
    "S23: format %d: it is compared with the result that stands there now",
    (version) => {
      const meta = (n: number): Draft => changed(version, (data) => ({ ...data, meta: n }))
      const events = [meta(1), over(version, meta(1), 0)]
      expect(nodesAfter(version, [...events, over(version, meta(1), 1)])).toEqual([2])
      expect(refusalOf(version, [...events, over(version, meta(2), 1)])).toMatchObject({
        code: "tool-result-changed",
        shadowed: 1,
      })
    },
  )

  it.each(every)("S22: format %d: another message may take its place", (version) => {
    const events = [toolResult(version), toolResult(version, "e"), over(version, user(), 0, 1)]
    expect(nodesAfter(version, events)).toEqual([2])
  })
})
