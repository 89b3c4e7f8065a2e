import fc from "fast-check"
import type { JsonArray, JsonObject, JsonValue } from "#core/data/json"
import { formats } from "#core/format/catalog"
import type { FormatVersion } from "#core/format/format"
import { record } from "#core/log/shape"
import {
  assistantData,
  blocks,
  replaceMarker,
  toolResultData,
  userData,
  versions,
} from "./dialect.ts"
import { jsonValues } from "./json.ts"
import { nearValuesOf } from "./shapes.ts"

const place = { turn: 1, step: 2 }

/** A value in one of so many cases. */
const oneIn = <A>(cases: number, value: fc.Arbitrary<A>): fc.Arbitrary<A | undefined> =>
  fc.oneof(
    { arbitrary: fc.constant(undefined), weight: cases - 1 },
    { arbitrary: value, weight: 1 },
  )

const usageFields = [
  ...["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens"],
  ...["reasoningTokens", "totalTokens", "costs"],
]

const usages: fc.Arbitrary<JsonValue> = fc
  .oneof(
    {
      arbitrary: fc.uniqueArray(fc.tuple(fc.constantFrom(...usageFields), fc.nat()), {
        selector: ([key]) => key,
        maxLength: 5,
      }),
      weight: 4,
    },
    {
      arbitrary: fc.uniqueArray(
        fc.tuple(
          fc.constantFrom(...usageFields),
          fc.constantFrom<JsonValue>(0, 7, -1, 1.5, "3", null, 2 ** 53, 2 ** 53 - 1),
        ),
        { selector: ([key]) => key, maxLength: 5 },
      ),
      weight: 2,
    },
  )
  .map((entries): JsonValue => Object.fromEntries(entries))

const oddUsages: fc.Arbitrary<JsonValue> = fc.oneof(
  { arbitrary: usages, weight: 5 },
  { arbitrary: fc.constantFrom<JsonValue>(null, 3, [], "text", {}), weight: 1 },
)

const chunks: fc.Arbitrary<JsonValue> = fc.oneof(
  oddUsages.map((usage) => ({ type: "usage", usage })),
  oddUsages.map((usage) => ({ type: "usage", model: "m", usage })),
  oddUsages.map((usage) => ({ usage, type: "usage" })),
  fc.string({ maxLength: 5 }).map((text) => ({ type: "text-delta", index: 0, text })),
  fc.constantFrom<JsonValue>({}, null, [], { type: "usage" }, { type: "" }, { kind: "usage" }),
)

const streams: fc.Arbitrary<JsonValue> = fc.oneof(
  { arbitrary: fc.constant<JsonValue>([]), weight: 3 },
  fc.array(
    chunks.map((chunk) => ({ type: "chunk", time: 1, chunk })),
    { maxLength: 3 },
  ),
  fc.constantFrom<JsonValue>(null, {}, [null], [{ chunk: 1 }], "text"),
)

const steps = fc.oneof(
  { arbitrary: fc.nat({ max: 3 }), weight: 9 },
  fc.constantFrom<JsonValue>(-1, 1.5, "1", null, 2 ** 53),
)

/** Lists of content blocks of every sort. */
export const contents: fc.Arbitrary<JsonArray> = fc.oneof(
  { arbitrary: fc.nat({ max: 40 }).map(blocks), weight: 3 },
  fc.array(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 9 }).map((text) => ({ type: "text", text })),
      fc.string({ maxLength: 9 }).map((text) => ({ type: "reasoning", text, signature: [text] })),
      fc
        .string({ maxLength: 9 })
        .map((name) => ({ type: "tool-call", id: "c", name, arguments: `{"a":"${name}"}` })),
      fc.nat({ max: 9 }).map((n) => ({
        type: "tool-result",
        toolCallId: "c",
        content: [...blocks(n), { type: "tool-result", toolCallId: "d", content: blocks(n + 1) }],
      })),
      fc.constantFrom<JsonObject>({ type: "file", path: "/é" }, { type: "image", offloaded: true }),
    ),
    { maxLength: 3 },
  ),
)

const ids = fc.constantFrom("c1", "c1", "c2", "", "é", 'a"b', "\ud800")

const operations = (version: FormatVersion): fc.Arbitrary<JsonObject> => {
  const cited = fc.oneof(
    fc.uniqueArray(fc.nat({ max: 9 }), { maxLength: 4 }),
    fc.constantFrom<JsonArray>(
      [[0, 2]],
      [0, [1, 3], 4],
      [[0, 0]],
      [3, [1, 2]],
      [1, 1],
      [2, 1],
      [[2, 1]],
      [[1]],
      [[1, 2, 3]],
      [null],
      [-1],
      [1.5],
      [2 ** 53],
    ),
  )
  const marked = fc.oneof(
    { arbitrary: fc.constant<JsonValue>("append"), weight: 4 },
    fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 9 })).map(([a, b]) => replaceMarker(version, a, b)),
    fc.constantFrom<JsonValue>("prepend", null, {}, { op: "replace", start: 0, endSeq: 1 }),
  )
  return fc.oneof(
    { arbitrary: fc.constant<JsonObject>({ surfaceOp: "append" }), weight: 6 },
    { arbitrary: marked.map((surfaceOp): JsonObject => ({ surfaceOp })), weight: 3 },
    fc
      .tuple(cited, marked)
      .map(([sourceEventSeqs, surfaceOp]): JsonObject => ({ sourceEventSeqs, surfaceOp })),
    cited.map((sourceEventSeqs): JsonObject => ({ sourceEventSeqs })),
    fc.constantFrom<JsonObject>({}, { ignorable: true }, { ignorable: false }, { more: 1 }),
  )
}

type Payload = readonly [type: string, data: JsonValue]

const anyPayload = (version: FormatVersion): fc.Arbitrary<Payload> => {
  const rules = formats[version]?.rules
  const types = [...(rules?.vocabulary ?? []), "x/later", "text", "assistant/attempt"]
  return fc
    .constantFrom(...types, ...Object.keys(rules?.payloads ?? {}), "assistant/chunk")
    .chain((type) =>
      nearValuesOf(rules?.payloads[type] ?? record).map((data): Payload => [type, data]),
    )
}

const usagePayload = (version: FormatVersion): fc.Arbitrary<Payload> =>
  fc.oneof(
    fc
      .record({
        content: contents,
        at: fc.record({ turn: steps, step: steps }),
        stream: version >= 2 ? streams : oneIn(3, streams),
        usage: oneIn(2, oddUsages),
        chunk: oneIn(9, chunks),
      })
      .map(({ content, at, stream, usage, chunk }): Payload => {
        const { message } = assistantData(version, place, "m", content)
        const all = { ...at, message, stream, usage, chunk }
        const entries = Object.entries(all).filter(([, value]) => value !== undefined)
        return ["assistant/message", Object.fromEntries(entries) as JsonObject]
      }),
    fc
      .record({ turn: steps, step: steps, chunk: chunks })
      .map((data): Payload => ["assistant/chunk", data]),
    fc
      .record({ turn: steps, step: steps, stream: streams })
      .map((data): Payload => ["assistant/attempt", data]),
    fc.record({ turn: steps, step: steps }).map((data): Payload => ["llm/retry-started", data]),
  )

const resultPayload = (version: FormatVersion): fc.Arbitrary<Payload> =>
  fc
    .record({
      callId: ids,
      other: oneIn(4, ids),
      content: contents,
      extra: fc.constantFrom<JsonObject>({}, { error: null }, { error: { a: 1 } }, { meta: [1.5] }),
      isError: fc.constantFrom<JsonObject>({}, {}, { isError: true }, { isError: null }),
    })
    .map(({ callId, other, content, extra, isError }): Payload => {
      const data = toolResultData(version, place, callId, content)
      const message = data["message"] as JsonObject
      const source = { kind: "tool", callId: other ?? callId }
      return ["tool/result", { ...data, message: { ...message, ...isError, source }, ...extra }]
    })

const runRow = (seq0: number): fc.Arbitrary<JsonObject> =>
  fc
    .record({
      type: fc.constantFrom("text-chunks", "reasoning-chunks", "tool-call-chunks"),
      time0: fc.constantFrom(0, 1_000, -5, 2 ** 53 - 1),
      at: fc.record({ turn: steps, step: steps, index: steps }),
      members: fc.array(fc.string({ maxLength: 5 }), { maxLength: 4 }),
      arity: fc.constantFrom(0, 0, 0, 0, -1, 1),
      gap: fc.constantFrom(0, 1, -3, 2 ** 53 - 1, 0.5),
      name: fc.constantFrom<JsonObject>({}, { name: "ls" }, { name: "" }, { name: 1 }),
      id: fc.constantFrom("c", "", "é"),
      areGapsFirst: fc.boolean(),
    })
    .map(({ type, time0, at, members, arity, gap, name, id, areGapsFirst }): JsonObject => {
      const length = Math.max(0, members.length - 1 + arity)
      const dt = Array.from({ length }, (_, i) => (i === 0 ? gap : i))
      const names = type === "tool-call-chunks" ? { id, ...name } : {}
      const list = type === "tool-call-chunks" ? { args: members } : { texts: members }
      const data = areGapsFirst
        ? { ...at, dt, ...names, ...list }
        : { ...at, ...names, dt, ...list }
      return { type, seq0, time0, data }
    })

// the next seq, mostly, and now and then one where numbers end
const seqsFrom = (seq: number): fc.Arbitrary<number> =>
  fc.oneof(
    { arbitrary: fc.constant(seq), weight: 30 },
    { arbitrary: fc.constantFrom(0, -1, seq + 1, 2 ** 53 - 1, 2 ** 53, 0.5), weight: 1 },
  )

const oddRow = (version: FormatVersion): fc.Arbitrary<JsonObject> =>
  fc.oneof(
    {
      arbitrary: fc
        .record({
          payload: fc.oneof(
            { arbitrary: anyPayload(version), weight: 3 },
            { arbitrary: usagePayload(version), weight: 2 },
            { arbitrary: resultPayload(version), weight: 2 },
            {
              arbitrary: contents.map((content): Payload => {
                const source = { kind: "user" }
                return ["user/message", { id: "u", role: "user", content, source }]
              }),
              weight: 2,
            },
            jsonValues.map((data): Payload => ["x/later", data]),
          ),
          seq: seqsFrom(0),
          time: fc.oneof(
            { arbitrary: fc.integer(), weight: 8 },
            fc.constantFrom(2 ** 53 - 1, 1 - 2 ** 53, 2 ** 53, 0.5),
          ),
          operation: operations(version),
        })
        .map(({ payload: [type, data], seq, time, operation }): JsonObject => {
          const isNode = type.endsWith("/message") || type === "tool/result"
          const isKnown = formats[version]?.kinds.has(type) === true
          const plain: JsonObject = isKnown ? {} : { ignorable: true }
          const extra = !isNode && time % 5 !== 0 ? plain : operation
          return { type, seq, time, data, ...extra }
        }),
      weight: 12,
    },
    { arbitrary: seqsFrom(0).chain(runRow), weight: version < 2 ? 3 : 1 },
  )

export interface OddRow {
  readonly version: FormatVersion
  readonly row: JsonObject
}

/** Rows of a format, one apart from the other: right ones, and odd ones of every sort. */
export const oddRows: fc.Arbitrary<OddRow> = fc
  .constantFrom(...versions)
  .chain((version) => oddRow(version).map((row) => ({ version, row })))

const plainBlocks = fc.constantFrom<JsonObject>(
  { type: "text", text: "hello" },
  { type: "reasoning", text: "é", signature: "s" },
  { type: "tool-call", id: "c", name: "ls", arguments: "{}" },
)

const plainPayloads = (version: FormatVersion, content: JsonArray): readonly Payload[] => {
  const usage = { inputTokens: 3, outputTokens: 4 }
  const chunks: readonly JsonObject[] = [
    { type: "usage", usage },
    { type: "text-delta", text: "a" },
  ]
  const nested = version < 4 ? [{ type: "tool-result", toolCallId: "d", content }] : content
  return [
    ["user/message", userData("u", content)],
    ["user/message", userData("u", nested)],
    ["assistant/message", assistantData(version, place, "a", content, usage)],
    ["tool/result", { ...toolResultData(version, place, "c", content), meta: { a: 1 } }],
    ["step/start", { ...place }],
    ...(version < 2
      ? chunks.map((chunk): Payload => ["assistant/chunk", { ...place, chunk }])
      : []),
  ]
}

/** Rows that are right, in plain layout. */
export const plainRows: fc.Arbitrary<OddRow> = fc
  .record({
    version: fc.constantFrom(...versions),
    content: fc.array(plainBlocks, { maxLength: 2 }),
    which: fc.nat({ max: 99 }),
  })
  .map(({ version, content, which }) => {
    const all = plainPayloads(version, content)
    const [type, data] = all[which % all.length] ?? ["step/start", place]
    const isNode = type.endsWith("/message") || type === "tool/result"
    const op: JsonObject = isNode ? { surfaceOp: "append" } : {}
    return { version, row: { type, seq: 0, time: 5, data, ...op } }
  })
