import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import type { ShapeFault } from "#core/data/refusal"
import { cases, changed, faultOf, versions } from "./verdict.ts"

// Every base below is a complete message of its format; each test changes one thing of it.

const user: JsonObject = { id: "u1", role: "user", content: [], source: { kind: "user" } }

const assistant: JsonObject = {
  id: "a1",
  role: "assistant",
  content: [],
  source: { kind: "model", provider: "p", model: "m" },
}

const wrappedResult: JsonObject = {
  id: "r1",
  role: "user",
  source: { kind: "tool", callId: "c1" },
  content: [{ type: "tool-result", toolCallId: "c1", content: [], isError: false }],
}

const result: JsonObject = {
  role: "tool",
  source: { kind: "tool", callId: "c1" },
  toolCallId: "c1",
  content: [],
  isError: false,
  id: "r1",
}

const systemV3: JsonObject = {
  id: "s1",
  role: "system",
  source: { kind: "plugin", plugin: "@deepseek-ai/dsh-system-prompt" },
  content: [],
}

const systemV4: JsonObject = { ...systemV3, source: { kind: "system-prompt" } }

const developer: JsonObject = {
  id: "d1",
  role: "developer",
  source: { kind: "tools" },
  content: [],
}

interface Kind {
  readonly type: string
  readonly versions: readonly number[]
  readonly message: JsonObject
  /** Keys of the payload beside the message; null where the payload is the message. */
  readonly place: JsonObject | null
}

const inStep: JsonObject = { turn: 1, step: 1 }

const kinds: readonly Kind[] = [
  { type: "user/message", versions, message: user, place: null },
  { type: "assistant/message", versions: [0, 1], message: assistant, place: inStep },
  {
    type: "assistant/message",
    versions: [2, 3, 4],
    message: assistant,
    place: { ...inStep, stream: [] },
  },
  { type: "tool/result", versions: [0, 1, 2, 3], message: wrappedResult, place: inStep },
  { type: "tool/result", versions: [4], message: result, place: inStep },
  { type: "system/message", versions: [3], message: systemV3, place: inStep },
  { type: "system/message", versions: [4], message: systemV4, place: inStep },
  { type: "developer/message", versions: [4], message: developer, place: inStep },
]

const each = kinds.flatMap((kind) =>
  kind.versions.map((version): [number, string, Kind] => [version, kind.type, kind]),
)
// format 0 was written before messages had ids
const strict = each.filter(([version]) => version > 0)
const loose = each.filter(([version]) => version === 0)

/** The verdict on a payload with this message, its path seen from the message. */
const messageFault = (version: number, kind: Kind, message: JsonValue): ShapeFault | null => {
  const data = kind.place === null ? message : { ...kind.place, message }
  const fault = faultOf(version, kind.type, data)
  if (fault === null || kind.place === null) return fault
  expect(fault.path[0]).toBe("message")
  return { ...fault, path: fault.path.slice(1) }
}

describe("what every message has", () => {
  it.each(each)("F9: format %d takes the smallest %s", (version, _, kind) => {
    expect(messageFault(version, kind, kind.message)).toBeNull()
  })

  it.each(each)("F9: format %d: fields of %s that nobody names are kept", (version, _, kind) => {
    expect(messageFault(version, kind, { ...kind.message, "x-note": [1], turn: "x" })).toBeNull()
  })

  it.each(each)("F9: format %d: the message of %s is an object", (version, _, kind) => {
    for (const value of [null, [], "x", 1])
      expect(messageFault(version, kind, value)).toStrictEqual({ path: [], expected: "object" })
    if (kind.place !== null)
      expect(faultOf(version, kind.type, kind.place)).toMatchObject({ path: ["message"] })
  })

  it.each(strict)("F10: format %d: %s has a nonempty id", (version, _, kind) => {
    for (const id of [undefined, "", 1, null])
      expect(messageFault(version, kind, changed(kind.message, { id }))).toStrictEqual({
        path: ["id"],
        expected: "nonempty string",
      })
  })

  it.each(each)("F10: format %d: %s has the role of its type", (version, _, kind) => {
    const roles = ["user", "assistant", "tool", "system", "developer", "", "model"]
    const others: JsonValue[] = roles.filter((role) => role !== kind.message["role"])
    for (const role of [...others, null, 1])
      expect(messageFault(version, kind, changed(kind.message, { role }))).toMatchObject({
        path: ["role"],
      })
  })

  it.each(each)("F10: format %d: the content of %s is a list", (version, _, kind) => {
    for (const content of [undefined, null, "x", {}])
      expect(messageFault(version, kind, changed(kind.message, { content }))).toMatchObject({
        path: ["content"],
      })
  })

  it.each(strict)("F11: format %d: %s has a source with a nonempty kind", (version, _, kind) => {
    for (const source of [undefined, null, "user", []])
      expect(messageFault(version, kind, changed(kind.message, { source }))).toMatchObject({
        path: ["source"],
      })
    for (const source of [{}, { kind: "" }, { kind: 1 }, { kind: null }])
      expect(messageFault(version, kind, changed(kind.message, { source }))).not.toBeNull()
  })

  it.each(strict)(
    "F11: format %d: further fields of the source of %s are kept",
    (version, _, kind) => {
      const source = { ...(kind.message["source"] as JsonObject), form: "notice", sections: 1 }
      expect(messageFault(version, kind, changed(kind.message, { source }))).toBeNull()
    },
  )
})

describe("messages of format 0", () => {
  it.each(loose)("F12: format %d: %s may lack id, role and source", (version, _, kind) => {
    const { content } = kind.message
    expect(messageFault(version, kind, changed({}, { content }))).toBeNull()
  })

  it.each(loose)("F12: format %d: what is there of %s must fit", (version, _, kind) => {
    for (const id of ["", 1, null])
      expect(messageFault(version, kind, changed(kind.message, { id }))).toMatchObject({
        path: ["id"],
      })
    for (const source of [null, "user", []])
      expect(messageFault(version, kind, changed(kind.message, { source }))).toMatchObject({
        path: ["source"],
      })
  })

  it("F12: what a source says is not looked at", () => {
    for (const source of [{}, { kind: "" }, { kind: 1 }])
      expect(faultOf(0, "user/message", { ...user, source })).toBeNull()
  })

  it("F12: an assistant message of an older shape, without its message, is refused", () => {
    const flat = { turn: 1, step: 1, content: [], provenance: { provider: "p", model: "m" } }
    expect(faultOf(0, "assistant/message", flat)).toStrictEqual({
      path: ["message"],
      expected: "object",
    })
  })
})

describe("sources", () => {
  it.each([1, 2, 3])("F13: format %d: a user message may have any source", (version) => {
    for (const kind of ["user", "plugin", "goal", "agent-message", "something of a plugin"])
      expect(faultOf(version, "user/message", { ...user, source: { kind } })).toBeNull()
  })

  it("F13: format 4: a user message may have any source but the retired `plugin`", () => {
    for (const kind of ["user", "goal", "compact-checkpoint", "plugin:x", "my own", "Plugin"])
      expect(faultOf(4, "user/message", { ...user, source: { kind } })).toBeNull()
    const source = { kind: "plugin", plugin: "compact" }
    expect(faultOf(4, "user/message", { ...user, source })).toStrictEqual({
      path: ["source", "kind"],
      expected: "another kind",
    })
    expect(
      faultOf(4, "developer/message", { ...inStep, message: { ...developer, source } }),
    ).toStrictEqual({ path: ["message", "source", "kind"], expected: "another kind" })
  })

  it.each([1, 2, 3, 4])("F14: format %d: an assistant message names its model", (version) => {
    const verdict = (source: JsonValue): ShapeFault | null =>
      faultOf(version, "assistant/message", {
        ...inStep,
        stream: [],
        message: { ...assistant, source },
      })
    const model = { kind: "model", provider: "p", model: "m" }
    expect(verdict({ ...model, replayState: { response: null } })).toBeNull()
    expect(verdict({ ...model, kind: "user" })).toMatchObject({
      path: ["message", "source", "kind"],
    })
    for (const key of ["provider", "model"])
      for (const value of [undefined, "", 1, null])
        expect(verdict(changed(model, { [key]: value }))).toStrictEqual({
          path: ["message", "source", key],
          expected: "nonempty string",
        })
  })

  it("F15: a system message of format 3 comes of a plugin", () => {
    const verdict = (source: JsonValue): ShapeFault | null =>
      faultOf(3, "system/message", { ...inStep, message: { ...systemV3, source } })
    expect(verdict({ kind: "plugin", plugin: "another" })).toBeNull()
    expect(verdict({ kind: "system-prompt" })).toMatchObject({
      path: ["message", "source", "kind"],
    })
    for (const plugin of [undefined, "", 1])
      expect(verdict(changed({ kind: "plugin" }, { plugin }))).toStrictEqual({
        path: ["message", "source", "plugin"],
        expected: "nonempty string",
      })
  })

  it("F15: a system message of format 4 comes of the system prompt", () => {
    for (const kind of ["plugin", "user", "plugin:x", "runtime-context"])
      expect(
        faultOf(4, "system/message", { ...inStep, message: { ...systemV4, source: { kind } } }),
      ).toStrictEqual({ path: ["message", "source", "kind"], expected: '"system-prompt"' })
  })
})

describe("the place of a message", () => {
  it.each([2, 3, 4])(
    "F16: format %d: an assistant message has turn, step and stream",
    (version) => {
      const data = { turn: 0, step: 0, stream: [], message: assistant }
      expect(faultOf(version, "assistant/message", data)).toBeNull()
      for (const key of ["turn", "step"])
        for (const value of [undefined, -1, 0.5, "1", null])
          expect(
            faultOf(version, "assistant/message", changed(data, { [key]: value })),
          ).toStrictEqual({ path: [key], expected: "count" })
      for (const stream of [undefined, null, {}])
        expect(faultOf(version, "assistant/message", changed(data, { stream }))).toStrictEqual({
          path: ["stream"],
          expected: "array",
        })
    },
  )

  it.each([0, 1])("F16: format %d: an assistant message has no stream of its own", (version) => {
    expect(faultOf(version, "assistant/message", { ...inStep, message: assistant })).toBeNull()
  })

  it.each<[number, string, JsonObject]>([
    [3, "system/message", systemV3],
    [4, "system/message", systemV4],
    [4, "developer/message", developer],
  ])("F16: format %d: turn and step of %s are positive", (version, type, message) => {
    for (const key of ["turn", "step"])
      for (const value of [undefined, 0, -1, 0.5, "1", null])
        expect(
          faultOf(version, type, changed({ ...inStep, message }, { [key]: value })),
        ).toStrictEqual({ path: [key], expected: "positive count" })
  })

  it.each(cases([4], [-1, 0.5, "1", null]))(
    "F16: format %d: the headerSeq of a developer message may not be %j",
    (version, headerSeq) => {
      const data = { ...inStep, message: developer, headerSeq }
      expect(faultOf(version, "developer/message", data)).toStrictEqual({
        path: ["headerSeq"],
        expected: "count",
      })
    },
  )
})
