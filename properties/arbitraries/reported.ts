import fc from "fast-check"
import type { JsonObject } from "#core/data/json"
import type { FormatVersion } from "#core/format/format"
import { assistantData, headerData, sessionHeader } from "./dialect.ts"
import type { Body } from "./lines.ts"

const counts = fc.oneof(fc.constant(0), fc.nat({ max: 5000 }))

const usages: fc.Arbitrary<JsonObject> = fc
  .record(
    {
      inputTokens: counts,
      outputTokens: counts,
      cacheReadTokens: counts,
      cacheWriteTokens: counts,
    },
    { requiredKeys: ["inputTokens", "outputTokens"] },
  )
  .map((usage) => ({ ...usage }))

const places = fc.record({ turn: fc.nat({ max: 2 }), step: fc.nat({ max: 1 }) })

type Draft = readonly [type: string, data: JsonObject, more?: JsonObject]

const chunkOf = (usage: JsonObject): JsonObject => ({ type: "usage", usage })

const answers = (version: FormatVersion): fc.Arbitrary<Draft> =>
  fc
    .record({ at: places, usage: usages, asMessage: fc.boolean(), inStream: fc.boolean() })
    .map(({ at, usage, asMessage, inStream }): Draft => {
      const stream = [{ type: "chunk", time: 1, chunk: chunkOf(usage) }]
      if (asMessage) {
        const content = [{ type: "text", text: "a" }]
        const message = assistantData(version, at, "a", content, inStream ? undefined : usage)
        return [
          "assistant/message",
          inStream && version > 1 ? { ...message, stream } : message,
          { surfaceOp: "append" },
        ]
      }
      return version < 2
        ? ["assistant/chunk", { ...at, chunk: chunkOf(usage) }]
        : ["assistant/attempt", { ...at, stream }]
    })

/** Rows of everything that decides what a log cost, and little else. */
const drafts = (version: FormatVersion): fc.Arbitrary<Draft> =>
  fc.oneof(
    { arbitrary: answers(version), weight: 6 },
    {
      arbitrary: fc
        .nat({ max: 2 })
        .map((n): Draft => ["request/header", headerData(version, [], n)]),
      weight: 2,
    },
    places.map((at): Draft => ["llm/retry-started", { ...at, retryId: "r", retry: 1 }]),
    places.map((at): Draft => ["step/start", { turn: at.turn + 1, step: at.step + 1 }]),
  )

/** A log whose times run over two days. */
export const reportedLogs: fc.Arbitrary<Body & { readonly rows: readonly JsonObject[] }> = fc
  .constantFrom<FormatVersion[]>(0, 1, 2, 3, 4)
  .chain((version) =>
    fc.record({
      version: fc.constant(version),
      all: fc.array(drafts(version), { maxLength: 30 }),
      cut: fc.option(fc.nat({ max: 12 }), { nil: null }),
      hours: fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 5 }),
    }),
  )
  .map(({ version, all, cut, hours }) => {
    const at = cut === null ? null : Math.min(cut, all.length)
    // later formats say where the inherited events end; before, the header does
    const marked: readonly Draft[] =
      at === null || version < 2
        ? all
        : all.toSpliced(at, 0, ["session/end-seed", { inherited: true }])
    const rows = marked.map(([type, data, more], seq): JsonObject => {
      const time = (hours[seq % hours.length] ?? 0) * 3_600_000
      return { type, seq, time, data, ...more }
    })
    const header = sessionHeader(version, at)
    return { version, header, rows, lines: rows.map((row) => Buffer.from(JSON.stringify(row))) }
  })
