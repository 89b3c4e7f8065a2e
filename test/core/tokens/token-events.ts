import { isLeft } from "fp-ts/lib/Either.js"
import type { JsonObject } from "#core/data/json"
import type { FormatVersion } from "#core/format/format"
import type { LogHeader } from "#core/log/header"
import type { TokenEvent } from "#core/tokens/token-event"
import { tokenEvent } from "#core/tokens/token-event"
import type { TokenProjection } from "#core/tokens/token-projection"
import { sessionHeader } from "../../../properties/arbitraries/dialect.ts"
import { headerIn, rightRow } from "../../../properties/carriers.ts"
import type { Draft } from "../surface/events.ts"
import { numbered, over, replacing, system, user } from "../surface/events.ts"

export const headerOf = (version: FormatVersion = 4): LogHeader =>
  headerIn(sessionHeader(version, null))

/** Events of a log from its start, read and priced. */
export const priced = (drafts: readonly Draft[], version: FormatVersion = 4): TokenEvent[] =>
  numbered(drafts).map((row) => {
    const { facts, data } = rightRow(version, row)
    return tokenEvent(facts, data)
  })

/** Every state of a projection over a log, that of the empty log first; nothing may be refused. */
export const statesOf = <State, View>(
  projection: TokenProjection<State, View>,
  events: readonly TokenEvent[],
): readonly State[] => {
  const states = [projection.init(headerOf(), 0)]
  for (const event of events) {
    const next = projection.apply(states.at(-1) as State, event)
    if (isLeft(next)) throw new RangeError(JSON.stringify(next.left))
    states.push(next.right)
  }
  return states
}

export const lastOf = <A>(items: readonly A[]): A => items.at(-1) as A

/** The event that says what some nodes cost. */
export const price = (
  shadowedSeqs: readonly number[],
  shadowedTokenCount: number,
  type = "compaction/prune",
): Draft => ({
  type,
  data: {
    shadowedRange: { start: shadowedSeqs[0] ?? -1, end: shadowedSeqs.at(-1) ?? -1 },
    shadowedSeqs,
    shadowedTokenCount,
  },
})

/** A system message in the place of one node. */
export const newPrompt = (seq: number, words: string): Draft =>
  replacing(4, system(4, words), [seq, seq], [seq])

export const summed = (
  [start, end]: readonly [number, number],
  words: string,
  sources: readonly number[],
): Draft => ({
  ...user(words),
  surfaceOp: over(4, start, end),
  sourceEventSeqs: sources,
})

/** An answer with usage. */
export const answer = (
  words: string,
  usage: JsonObject | null,
  place = { turn: 1, step: 1 },
): Draft => ({
  type: "assistant/message",
  data: {
    ...place,
    message: {
      id: "a",
      role: "assistant",
      content: words === "" ? [] : [{ type: "text", text: words }],
      source: { kind: "model", provider: "p", model: "m" },
    },
    stream: [],
    ...(usage === null ? {} : { usage }),
  },
  surfaceOp: "append",
})

/**
 * A worked log: prompts 0 and 3, a summary of 1 to 3, and a head that is emptied and set again.
 *
 * units   texts of 9, 12, 2, 22, 30, 13, 0 and 8 UTF-16 code units: 7, 11, 9, 10, 16, 12, 0, 6 tokens
 */
export const workedLog: readonly Draft[] = [
  system(4, "Be brief."),
  user("hello world!"),
  answer("ok", { inputTokens: 40, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 2 }),
  system(4, "Answer only in French."),
  user("x".repeat(30)),
  price([1, 2, 3], 30, "compaction/summary"),
  summed([1, 3], "y".repeat(13), [1, 2, 3, 5]),
  newPrompt(0, ""),
  newPrompt(7, "New head"),
]
