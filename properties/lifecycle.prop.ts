import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import type { FormatVersion } from "#core/format/format"
import type { LifecycleCheck } from "#core/format/lifecycle/check"
import { lifecycleCheck } from "#core/format/lifecycle/check"
import type { LocatedRelation } from "#core/format/lifecycle/findings"
import { noProjections } from "#core/surface/message-projection"
import { viewOf } from "#core/surface/state"
import {
  assistantData,
  replaceMarker,
  sessionHeader,
  toolResultData,
  versions,
} from "./arbitraries/dialect.ts"
import { jsonValues } from "./arbitraries/json.ts"
import { formatOf, headerIn, noSurface, rightRow } from "./carriers.ts"
import type { Word } from "./model/turns.ts"
import { Turns, callIds } from "./model/turns.ts"

const begin = (version: FormatVersion): LifecycleCheck =>
  lifecycleCheck(headerIn(sessionHeader(version, null)), (text) => text)

const check = (version: FormatVersion, rows: readonly JsonObject[]): LocatedRelation[] => {
  const running = begin(version)
  const surface = viewOf(noSurface(version), noProjections)
  const found = rows.flatMap((row, i) => [
    ...running.step(rightRow(version, row), surface, { row: i + 1, byteOffset: i * 10 }),
  ])
  return [...found, ...running.end()]
}

const keys = [
  ...["turn", "step", "callId", "message", "content", "id", "type", "source", "kind", "toolCallId"],
  ...["isError", "error", "code", "inserted", "messages", "messageSeqs", "stream", "chunk"],
  ...["subCallId", "rootCallId", "parentCallId", "retryId", "retry", "compactionId", "sessionId"],
  ...["throughSeq", "sessionFormatVersion", "childId", "version", "mode", "shadowedRange", "start"],
  ...["end", "shadowedSeqs", "commandId", "sourceEventSeq", "inherited", "header", "config"],
]

const words = [
  ...["tool-call", "tool-result", "user", "plugin", "compact-checkpoint", "TOOL_NOT_STARTED"],
  ...["forked-tool-result-", "continuable", "success", "session", "chunk", "block-end"],
]

const payloads: fc.Arbitrary<JsonValue> = fc.letrec<{ readonly value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "medium", maxDepth: 4 },
    fc.oneof(fc.nat(3), fc.constantFrom(...words), fc.constant(null), jsonValues),
    fc.array(tie("value"), { maxLength: 3 }),
    fc
      .array(fc.tuple(fc.constantFrom(...keys), tie("value")), { minLength: 3, maxLength: 9 })
      .map((entries) => Object.fromEntries(entries)),
  ),
})).value

const anyLogs = fc.constantFrom(...versions).chain((version) => {
  const { kinds } = formatOf(version)
  const event = fc.record({
    type: fc.constantFrom(...kinds.keys()),
    data: payloads,
    replaces: fc.boolean(),
  })
  return fc.array(event, { maxLength: 20 }).map((events) => ({
    version,
    rows: events.map(({ type, data, replaces }, seq): JsonObject => {
      const op = replaces ? replaceMarker(version, 0, 0) : "append"
      return { type, seq, time: 1, data, ...(kinds.get(type) === 0 ? {} : { surfaceOp: op }) }
    }),
  }))
})

const dataOf = (version: FormatVersion, [kind, turn, step, callId]: Word): JsonObject => {
  const place = { turn, step }
  const asked = { name: "ls", arguments: "{}" }
  if (kind === "turn/start" || kind === "turn/end") return { turn }
  if (kind === "tool/call") return { ...place, callId, ...asked }
  if (kind === "tool/result") return toolResultData(version, place, callId, [])
  return kind === "assistant/message"
    ? assistantData(version, place, "a", [{ type: "tool-call", id: callId, ...asked }])
    : place
}

const onSurface = new Set(["assistant/message", "tool/result"])

const rowOf = (version: FormatVersion, word: Word, seq: number): JsonObject => ({
  type: word[0],
  seq,
  time: 1,
  data: dataOf(version, word),
  ...(onSurface.has(word[0]) ? { surfaceOp: "append" } : {}),
})

const kindsOfWords = [
  ...["turn/start", "turn/end", "step/start", "step/end"],
  ...["assistant/message", "tool/call", "tool/result"],
]

const strays: fc.Arbitrary<Word> = fc
  .tuple(
    fc.constantFrom(...kindsOfWords),
    fc.integer({ min: 1, max: 3 }),
    fc.integer({ min: 1, max: 3 }),
    fc.constantFrom(...callIds),
  )
  .map(([kind, turn, step, callId]): Word => {
    const hasStep = !kind.startsWith("turn")
    const hasCall = hasStep && !kind.startsWith("step")
    return [kind, turn, hasStep ? step : 0, hasCall ? callId : ""]
  })

describe("the check of a whole log", () => {
  it("RU29: is total, and each finding has the place of its event", () => {
    let findings = 0
    fc.assert(
      fc.property(anyLogs, ({ version, rows }) => {
        for (const { refusal, row, byteOffset } of check(version, rows)) {
          expect([row, byteOffset]).toStrictEqual([refusal.seq + 1, refusal.seq * 10])
          findings++
        }
      }),
    )
    expect(findings).toBeGreaterThan(0)
  })

  it("RU30: turns, steps and calls: the first finding is where the naive model says", () => {
    const seen = { sound: 0, broken: 0 }
    // one move in 20 is a stray one, which may be right by chance
    const moves = fc.array(fc.tuple(fc.nat(), strays, fc.nat(19)), { maxLength: 40 })
    fc.assert(
      fc.property(fc.constantFrom(...versions), moves, (version, choices) => {
        const model = new Turns()
        const log: Word[] = []
        let first: number | null = null
        for (const [choice, stray, die] of choices) {
          const allowed = model.allowed()
          const word = die === 0 ? stray : (allowed[choice % allowed.length] ?? stray)
          log.push(word)
          if (!model.isAllowed(word)) {
            first = log.length - 1
            break
          }
          model.take(word)
        }
        const rows = log.map((word, seq) => rowOf(version, word, seq))
        const found = check(version, rows).map(({ refusal }) => refusal.seq)
        expect(found[0] ?? null).toBe(first)
        seen[first === null ? "sound" : "broken"]++
      }),
    )
    expect(Math.min(seen.sound, seen.broken)).toBeGreaterThan(0)
  })
})
