import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import type { Message } from "#core/messages/event-message"
import { projectToolUpdates } from "#core/request/tool-update"
import { addition, removal } from "../../../properties/arbitraries/dialect.ts"
import { schema, userMessage } from "./agent.ts"

const [a, b, c] = [schema("a"), schema("b"), schema("c")]
const deferred = (tool: JsonObject): JsonObject => ({ ...tool, deferLoading: true })
const developer = (id: string, ...content: readonly JsonObject[]): Message => ({
  id,
  role: "developer",
  source: { kind: "tool-registry" },
  content,
})
const [hi, bye] = [userMessage("hi"), userMessage("bye")]
const plus = developer("d1", addition("b"))
const minus = developer("d2", removal("a"))
const messages = [hi, plus, bye, minus]
const history = {
  tools: [a],
  updates: [
    { messageId: "d1", additions: [b] },
    { messageId: "d2", additions: [] },
  ],
}

describe("what a provider is told of tools", () => {
  it("PM38: without the capability it is the active tools, at once", () => {
    const { messages: kept, tools } = projectToolUpdates(messages, [deferred(b), c], null, history)
    expect(kept).toEqual([hi, bye])
    expect(tools).toStrictEqual([b, c])
    expect(tools[1]).toBe(c)
    const none = [hi]
    expect(projectToolUpdates(none, [], null, history).messages).toBe(none)
  })

  it.each(["in-history", "addition-only"] as const)(
    "PM38: %s: where an update is not among the messages, the active tools as they are",
    (mode) => {
      const active = [deferred(b)]
      for (const [given, known] of [
        [messages, null],
        [messages.slice(0, 3), history],
      ] as const) {
        const { messages: kept, tools } = projectToolUpdates(given, active, mode, known)
        expect(kept).toEqual([hi, bye])
        expect(tools).toBe(active)
      }
    },
  )

  it("PM38: in-history: all declarations, later ones deferred, and each change", () => {
    const { messages: kept, tools } = projectToolUpdates(messages, [b], "in-history", history)
    expect(tools).toStrictEqual([a, deferred(b)])
    expect(kept).toEqual(messages)
    for (const [i, message] of kept.entries()) expect(message).toBe(messages[i])
  })

  it("PM38: addition-only: no tool that is gone, and no word of it", () => {
    const { messages: kept, tools } = projectToolUpdates(messages, [b], "addition-only", history)
    expect(tools).toStrictEqual([deferred(b)])
    expect(kept).toEqual([hi, plus, bye])
  })

  it("PM39: tools that are deferred from the start are offered by their first addition", () => {
    const given = [developer("d1", addition("b")), developer("d2", addition("b"))]
    const known = {
      tools: [a, deferred(b)],
      updates: [
        { messageId: "d1", additions: [b] },
        { messageId: "d2", additions: [b] },
      ],
    }
    for (const mode of ["in-history", "addition-only"] as const) {
      const projected = projectToolUpdates(given, [a, b], mode, known)
      expect(projected.messages).toEqual([given[0]])
      expect(projected.tools).toStrictEqual([a, deferred(b)])
    }
  })

  it("PM39: blocks that change nothing are left out, and so is a message of such blocks alone", () => {
    const note = { type: "text", text: "note" }
    const given = [
      developer("d1", addition("a"), note, addition("b"), removal("c")),
      developer("d2", addition("a")),
      developer("d3", removal("b"), addition("b"), removal("b")),
      developer("foreign", addition("b")),
    ]
    const known = {
      tools: [a],
      updates: [
        { messageId: "d1", additions: [a, b] },
        { messageId: "d2", additions: [a] },
        { messageId: "d3", additions: [b] },
      ],
    }
    const { messages: kept } = projectToolUpdates(given, [a], "in-history", known)
    expect(kept).toEqual([developer("d1", note, addition("b")), given[2]])
    expect(kept[1]).toBe(given[2])
    const only = projectToolUpdates(given, [a, b], "addition-only", known)
    expect(only.messages).toEqual([developer("d1", note, addition("b"))])
  })

  it("PM39: declarations stand as they first came, not as they are active", () => {
    const known = {
      tools: [c],
      updates: [
        { messageId: "d1", additions: [b] },
        { messageId: "d2", additions: [a, b] },
      ],
    }
    const given = [developer("d1", addition("b")), developer("d2", addition("a"))]
    expect(projectToolUpdates(given, [a, b, c], "in-history", known).tools).toStrictEqual([
      ...[c, deferred(b), deferred(a)],
    ])
    // with nothing to declare there is an empty list
    const none = { tools: [], updates: [] }
    expect(projectToolUpdates([hi], [], "in-history", none)).toEqual({ messages: [hi], tools: [] })
  })

  it("PM39: frozen messages come to frozen ones, others to others", () => {
    const note = { type: "text", text: "note" }
    const mixed = developer("d2", removal("a"), note)
    const frozen = Object.freeze([hi, plus, mixed])
    for (const mode of ["in-history", "addition-only", null] as const) {
      const projected = projectToolUpdates(frozen, [b], mode, history)
      expect(Object.isFrozen(projected.messages)).toBe(true)
      expect(Object.isFrozen(projected.tools)).toBe(true)
    }
    const cut = projectToolUpdates(frozen, [b], "addition-only", history).messages[2]
    expect(cut).toEqual(developer("d2", note))
    expect([Object.isFrozen(cut), Object.isFrozen(cut?.["content"])]).toEqual([true, true])
    const open = projectToolUpdates([hi, plus, mixed], [b], "addition-only", history)
    expect(Object.isFrozen(open.messages)).toBe(false)
  })
})
