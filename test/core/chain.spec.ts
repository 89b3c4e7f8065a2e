import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import { fixtureText, linesOf, readLog } from "../fixtures/log-in-memory.ts"

// One conversation, a single tool call, as each format writes it. The logs under test/fixtures/chain
// are written out by hand, as is everything expected here.

const user: JsonObject = {
  id: "u1",
  role: "user",
  content: [{ type: "text", text: "list" }],
  source: { kind: "user" },
}
const assistant: JsonObject = {
  id: "a1",
  role: "assistant",
  content: [{ type: "tool-call", id: "c1", name: "ls", arguments: "{}" }],
  source: { kind: "model", provider: "p", model: "m" },
}
const wrappedResult: JsonObject = {
  id: "r1",
  role: "user",
  source: { kind: "tool", callId: "c1" },
  content: [
    {
      type: "tool-result",
      toolCallId: "c1",
      content: [{ type: "text", text: "a.txt" }],
      isError: false,
    },
  ],
}
const result: JsonObject = {
  role: "tool",
  source: { kind: "tool", callId: "c1" },
  toolCallId: "c1",
  content: [{ type: "text", text: "a.txt" }],
  isError: false,
  id: "r1",
}
const system = (source: JsonObject): JsonObject => ({
  id: "v2-to-v3-system-0fcb03b30dba87ef8aa2e25d04855f1f83deaef908da7d7f1adeb4d4822088a2",
  role: "system",
  source,
  content: [{ type: "text", text: "Be brief." }],
})

interface Expected {
  readonly eventCount: number
  readonly nodes: readonly number[]
  readonly replacements: readonly object[]
  readonly messages: readonly JsonObject[]
  readonly tokens: object
}

// "list": 1+4, role 4. Call: 1 for `ls`, 1 for `{}`, 4, role 4. "a.txt": 2+4, its block 4 where it
// has one, role 4. "Be brief.": 3+4.
const userTokens = 9
const assistantTokens = 10
const wrappedTokens = 14
const resultTokens = 10

const withHeaderText = { system: 7, tools: 0, messages: 33, total: 40 }
const headReplaced = [{ seq: 4, start: 2, end: 2, shadowedSeqs: [2] }]

const chain: readonly (readonly [version: number, expected: Expected])[] = [
  [
    0,
    {
      eventCount: 14,
      nodes: [2, 9, 11],
      replacements: [],
      messages: [user, assistant, wrappedResult],
      tokens: withHeaderText,
    },
  ],
  [
    1,
    {
      eventCount: 14,
      nodes: [2, 9, 11],
      replacements: [],
      messages: [user, assistant, wrappedResult],
      tokens: withHeaderText,
    },
  ],
  [
    2,
    {
      eventCount: 9,
      nodes: [2, 4, 6],
      replacements: [],
      messages: [user, assistant, wrappedResult],
      tokens: withHeaderText,
    },
  ],
  [
    3,
    {
      eventCount: 11,
      nodes: [4, 3, 6, 8],
      replacements: headReplaced,
      messages: [
        system({ kind: "plugin", plugin: "@deepseek-ai/dsh-system-prompt" }),
        user,
        assistant,
        wrappedResult,
      ],
      tokens: { system: 7, tools: 0, messages: 33, total: 40 },
    },
  ],
  [
    4,
    {
      eventCount: 11,
      nodes: [4, 3, 6, 8],
      replacements: headReplaced,
      messages: [system({ kind: "system-prompt" }), user, assistant, result],
      tokens: { system: 7, tools: 0, messages: 29, total: 36 },
    },
  ],
]

describe("one conversation in every format", () => {
  it.each(chain)(
    "F48: format %d is read whole and folds as worked out by hand",
    (version, expected) => {
      const read = readLog(fixtureText(`chain/v${version}.jsonl`), { namedVersion: version })
      expect(read).toMatchObject({ status: "ok", refusal: null, tail: null })
      const { eventCount, nodes, replacements, messages, tokens } = read
      expect({ eventCount, nodes, replacements, messages, tokens }).toStrictEqual(expected)
      expect(read.fold?.surface.messageCount).toBe(expected.messages.length)
    },
  )

  it("F48: the prices of the rows add up to those of the logs", () => {
    expect(userTokens + assistantTokens + wrappedTokens).toBe(33)
    expect(userTokens + assistantTokens + resultTokens).toBe(29)
  })

  it.each(chain)(
    "F48: format %d: a log is read alike by any name that states no version",
    (version) => {
      expect(readLog(fixtureText(`chain/v${version}.jsonl`)).status).toBe("ok")
    },
  )

  // chunks, then the system text in the header, the system message, and its source give them away
  const mislabelled: readonly (readonly [
    version: number,
    label: number,
    code: string,
    seq: number,
  ])[] = [
    [0, 2, "event-type-unknown", 4],
    [0, 3, "payload-shape", 3],
    [0, 4, "payload-shape", 3],
    [2, 3, "payload-shape", 3],
    [2, 4, "payload-shape", 3],
    [3, 0, "event-type-unknown", 2],
    [3, 1, "event-type-unknown", 2],
    [3, 2, "event-type-unknown", 2],
    [3, 4, "payload-shape", 2],
    [4, 0, "event-type-unknown", 2],
    [4, 1, "event-type-unknown", 2],
    [4, 2, "event-type-unknown", 2],
    [4, 3, "payload-shape", 2],
  ]

  const underHeader = (version: number, label: number): string => {
    const [header = ""] = linesOf(fixtureText(`chain/v${label}.jsonl`))
    return (
      header +
      linesOf(fixtureText(`chain/v${version}.jsonl`))
        .slice(1)
        .join("")
    )
  }

  it.each(mislabelled)(
    "F49: rows of format %d under the header of format %d are refused: %s at %d",
    (version, label, code, seq) => {
      expect(readLog(underHeader(version, label))).toMatchObject({
        status: "refused",
        refusal: { refusal: { code, seq } },
      })
    },
  )

  it("F49: to formats 0 and 1 the stream of format 2 is a field that nobody names", () => {
    for (const label of [0, 1])
      expect(readLog(underHeader(2, label))).toMatchObject({ status: "ok", nodes: [2, 4, 6] })
  })

  it("F49: formats 0 and 1 differ in the version alone, and each reads the log of the other", () => {
    expect(fixtureText("chain/v0.jsonl").replace('"version":0', '"version":1')).toBe(
      fixtureText("chain/v1.jsonl"),
    )
  })
})
