import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import type { ShapeFault } from "#core/data/refusal"
import { cases, changed, faultOf, versions } from "./verdict.ts"

const place = { turn: 1, step: 1 }

const image: JsonObject = {
  type: "image",
  attachment: {
    attachmentId: "att-1",
    mediaType: "image/png",
    bytes: 2048,
    width: 64,
    height: 48,
  },
}

const blocks: Readonly<Record<string, JsonObject>> = {
  text: { type: "text", text: "x" },
  reasoning: { type: "reasoning", text: "x" },
  image,
  "an offloaded image": { ...image, offloaded: true },
  file: { type: "file", attachment: { attachmentId: "att-2", name: "a.txt", bytes: 0 } },
  "tool-call": { type: "tool-call", id: "c1", name: "ls", arguments: "{}" },
  "tool-result": { type: "tool-result", toolCallId: "c1", content: [] },
  "tool-addition": { type: "tool-addition", toolName: "ls" },
  "tool-removal": { type: "tool-removal", toolName: "ls" },
  "an opaque block": { type: "chart", points: [1, 2] },
}

const blockNames = Object.keys(blocks)
const blockOf = (name: string): JsonObject => blocks[name] ?? {}

type Holder = (content: JsonValue) => readonly [type: string, data: JsonValue]

const inUser: Holder = (content) => [
  "user/message",
  { id: "u1", role: "user", content, source: { kind: "user" } },
]
const inAssistant: Holder = (content) => [
  "assistant/message",
  {
    ...place,
    stream: [],
    message: {
      id: "a1",
      role: "assistant",
      content,
      source: { kind: "model", provider: "p", model: "m" },
    },
  },
]
const inBlockResult: Holder = (content) => [
  "tool/result",
  {
    ...place,
    message: {
      id: "r1",
      role: "user",
      source: { kind: "tool", callId: "c1" },
      content: [{ type: "tool-result", toolCallId: "c1", content }],
    },
  },
]
const inMessageResult: Holder = (content) => [
  "tool/result",
  {
    ...place,
    message: {
      id: "r1",
      role: "tool",
      source: { kind: "tool", callId: "c1" },
      toolCallId: "c1",
      content,
    },
  },
]
const inSystem =
  (source: JsonObject): Holder =>
  (content) => [
    "system/message",
    { ...place, message: { id: "s1", role: "system", source, content } },
  ]
const inDeveloper: Holder = (content) => [
  "developer/message",
  { ...place, message: { id: "d1", role: "developer", source: { kind: "tools" }, content } },
]

const holders: readonly (readonly [name: string, versions: readonly number[], holder: Holder])[] = [
  ["a user message", versions, inUser],
  ["an assistant message", versions, inAssistant],
  ["a tool result", [0, 1, 2, 3], inBlockResult],
  ["a tool result", [4], inMessageResult],
  ["a system message", [3], inSystem({ kind: "plugin", plugin: "p" })],
  ["a system message", [4], inSystem({ kind: "system-prompt" })],
  ["a developer message", [4], inDeveloper],
]

const places = holders.flatMap(([name, of, holder]) =>
  of.map((version): [number, string, Holder] => [version, name, holder]),
)

/** The verdict on one block in a message, its path seen from the block. */
const blockFault = (version: number, holder: Holder, block: JsonValue): ShapeFault | null => {
  const [type, data] = holder([{ type: "text", text: "before" }, block])
  const fault = faultOf(version, type, data)
  if (fault === null) return null
  const at = fault.path.lastIndexOf(1)
  expect(at).toBeGreaterThan(-1)
  return { ...fault, path: fault.path.slice(at + 1) }
}

/** Names of the blocks that a message of a format refuses. */
const refusedIn = (version: number, name: string): readonly string[] => {
  if (version < 4) return name === "a system message" ? ["tool-result"] : []
  const retired = ["tool-result"]
  return name === "a developer message" ? retired : [...retired, "tool-addition", "tool-removal"]
}

describe("blocks by tag", () => {
  it.each(places)("F21: format %d: %s takes some and refuses others", (version, name, holder) => {
    const refused = blockNames.filter((each) => blockFault(version, holder, blockOf(each)) !== null)
    expect(refused).toStrictEqual(refusedIn(version, name))
  })

  it.each(places)("F21: format %d: a block in %s has a nonempty tag", (version, _, holder) => {
    for (const block of [null, 1, "x", [], {}, { type: "" }, { type: 1 }, { text: "x" }])
      expect(blockFault(version, holder, block)).toStrictEqual({
        path: [],
        expected: "object with nonempty type",
      })
  })

  it.each(places)(
    "F22: format %d: further fields of a block in %s are kept",
    (version, _, holder) => {
      for (const name of ["text", "reasoning", "image", "tool-call"])
        expect(
          blockFault(version, holder, { ...blockOf(name), note: [1], constructor: 1 }),
        ).toBeNull()
    },
  )
})

describe("the fields of a block", () => {
  it.each(places)("F23: format %d: text and reasoning in %s have a text", (version, _, holder) => {
    for (const type of ["text", "reasoning"]) {
      expect(blockFault(version, holder, { type, text: "" })).toBeNull()
      for (const text of [undefined, null, 1, []])
        expect(blockFault(version, holder, changed({ type }, { text }))).toStrictEqual({
          path: ["text"],
          expected: "string",
        })
    }
  })

  it.each(places)("F23: format %d: a tool call in %s has three strings", (version, _, holder) => {
    for (const key of ["id", "name", "arguments"])
      for (const value of [undefined, null, 1, {}])
        expect(
          blockFault(version, holder, changed(blockOf("tool-call"), { [key]: value })),
        ).toMatchObject({ path: [key] })
    expect(blockFault(version, holder, { ...blockOf("tool-call"), arguments: "" })).toBeNull()
  })

  it.each(places)(
    "F23: format %d: id and name of a call in %s may be empty",
    (version, name, holder) => {
      for (const key of ["id", "name"]) {
        const fault = blockFault(version, holder, { ...blockOf("tool-call"), [key]: "" })
        if (name === "a system message")
          expect(fault).toStrictEqual({ path: [key], expected: "nonempty string" })
        else expect(fault).toBeNull()
      }
    },
  )

  it.each(places)(
    "F24: format %d: images in %s are looked at in system messages alone",
    (v, name, holder) => {
      const attachment = image["attachment"] as JsonObject
      const faults: readonly (readonly [string, readonly unknown[]])[] = [
        ["attachmentId", [undefined, "", 1]],
        ["mediaType", [undefined, "image/svg+xml", "image/PNG", 1]],
        ["bytes", [undefined, -1, 0.5, "1"]],
        ["width", [undefined, 0, 0.5, "1"]],
        ["height", [undefined, 0, 0.5, "1"]],
        ["name", [1, null]],
        [
          "originalDimensions",
          [null, { width: 1 }, { width: 0, height: 1 }, { width: 1, height: 1, x: 1 }],
        ],
      ]
      for (const [key, values] of faults)
        for (const value of values) {
          const block = { ...image, attachment: changed(attachment, { [key]: value }) }
          const fault = blockFault(v, holder, block)
          if (name === "a system message")
            expect(fault?.path.slice(0, 2)).toStrictEqual(["attachment", key])
          else expect(fault).toBeNull()
        }
      expect(blockFault(v, holder, { type: "image" }) === null).toBe(name !== "a system message")
    },
  )

  it.each(places)(
    "F24: format %d: an image in %s may have a name and first dimensions",
    (v, _, holder) => {
      for (const mediaType of ["image/png", "image/jpeg", "image/webp", "image/gif"]) {
        const attachment = {
          ...(image["attachment"] as JsonObject),
          mediaType,
          bytes: 0,
          name: "",
          originalDimensions: { width: 1, height: 1 },
        }
        expect(blockFault(v, holder, { ...image, attachment })).toBeNull()
      }
    },
  )

  it.each(places)(
    "F24: format %d: the fields of files and opaque blocks in %s are not looked at",
    (v, _, holder) => {
      for (const type of ["file", "chart"])
        for (const attachment of [null, 1, { bytes: -1 }])
          expect(blockFault(v, holder, { type, attachment })).toBeNull()
      expect(blockFault(v, holder, { type: "file" })).toBeNull()
    },
  )
})

describe("blocks in blocks, formats 0 to 3", () => {
  const nested = cases([0, 1, 2, 3], [inUser, inAssistant, inBlockResult])

  it.each(nested)(
    "F25: format %d: a tool result holds blocks that are checked too",
    (version, holder) => {
      const holding = (...content: JsonValue[]): JsonObject => ({
        ...blockOf("tool-result"),
        content,
      })
      expect(blockFault(version, holder, holding())).toBeNull()
      expect(blockFault(version, holder, holding(...Object.values(blocks)))).toBeNull()
      expect(blockFault(version, holder, holding(holding(holding())))).toBeNull()
      expect(blockFault(version, holder, holding({ type: "text" }))).toStrictEqual({
        path: ["content", 0, "text"],
        expected: "string",
      })
      expect(
        blockFault(version, holder, holding(holding(holding({ type: "reasoning" })))),
      ).toStrictEqual({
        path: ["content", 0, "content", 0, "content", 0, "text"],
        expected: "string",
      })
    },
  )

  it.each(nested)("F25: format %d: a tool result has an id and a list", (version, holder) => {
    for (const content of [undefined, null, "x"])
      expect(
        blockFault(version, holder, changed(blockOf("tool-result"), { content })),
      ).toMatchObject({
        path: ["content"],
      })
    for (const toolCallId of [undefined, null, 1])
      expect(
        blockFault(version, holder, changed(blockOf("tool-result"), { toolCallId })),
      ).toMatchObject({ path: ["toolCallId"] })
  })
})

describe("tool changes in a developer message", () => {
  it("F26: an addition and a removal name a tool", () => {
    for (const type of ["tool-addition", "tool-removal"]) {
      expect(blockFault(4, inDeveloper, { type, toolName: "ls", note: 1 })).toBeNull()
      for (const toolName of [undefined, "", 1, null])
        expect(blockFault(4, inDeveloper, changed({ type }, { toolName }))).toStrictEqual({
          path: ["toolName"],
          expected: "nonempty string",
        })
    }
  })

  it("F26: an addition may not define its tool, not even with null", () => {
    for (const tool of [null, {}, { name: "ls" }])
      expect(
        blockFault(4, inDeveloper, { type: "tool-addition", toolName: "ls", tool }),
      ).toMatchObject({ path: ["tool"] })
    expect(
      blockFault(4, inDeveloper, { type: "tool-removal", toolName: "ls", tool: {} }),
    ).toBeNull()
  })
})
