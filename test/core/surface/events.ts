import type { Either } from "fp-ts/lib/Either.js"
import { isLeft } from "fp-ts/lib/Either.js"
import { expect } from "vitest"
import type { JsonArray, JsonObject, JsonValue } from "#core/data/json"
import type { Refusal } from "#core/data/refusal"
import type { Replacement } from "#core/fold/log-fold-options"
import type { FormatVersion } from "#core/format/format"
import type { Message } from "#core/messages/event-message"
import { deriveHistory, messagesOf, noHistory } from "#core/messages/derived-history"
import { nodesOf } from "#core/surface/state"
import {
  assistantData,
  developerData,
  headerData,
  sessionHeader,
  systemData,
  toolResultData,
  userData,
} from "../../../properties/arbitraries/dialect.ts"
import { DraftCarrier, FoldCarrier, noSurface, StateCarrier } from "../../../properties/carriers.ts"

export const every: readonly FormatVersion[] = [0, 1, 2, 3, 4]

/** An event before it has a seq. */
export interface Draft {
  readonly type: string
  readonly data: JsonValue
  readonly surfaceOp?: JsonValue
  readonly sourceEventSeqs?: JsonValue
  readonly ignorable?: JsonValue
  readonly seq?: number
}

const place = { turn: 1, step: 1 }
const text = (words: string): JsonArray => (words === "" ? [] : [{ type: "text", text: words }])

export const user = (words = "hi"): Draft => ({
  type: "user/message",
  data: userData("u", text(words)),
  surfaceOp: "append",
})

export const userWith = (content: JsonArray): Draft => ({ ...user(), data: userData("u", content) })

export const assistant = (version: FormatVersion, words = "yes"): Draft => ({
  type: "assistant/message",
  data: assistantData(version, place, "a", text(words)),
  surfaceOp: "append",
})

export const toolResult = (version: FormatVersion, callId = "c", words = "out"): Draft => ({
  type: "tool/result",
  data: toolResultData(version, place, callId, text(words)),
  surfaceOp: "append",
})

export const system = (version: FormatVersion, words = "be brief"): Draft => ({
  type: "system/message",
  data: systemData(version, place, "s", text(words)),
  surfaceOp: "append",
})

export const developer = (content: JsonArray = [], headerSeq?: JsonValue): Draft => ({
  type: "developer/message",
  data: developerData(place, "d", content, headerSeq),
  surfaceOp: "append",
})

export const requestHeader = (version: FormatVersion, tools: readonly JsonObject[]): Draft => ({
  type: "request/header",
  data: headerData(version, tools, 1),
})

export const note: Draft = { type: "plan/mode", data: { active: true } }
export const later: Draft = { type: "x/later", data: null, ignorable: true }

/** The marker of a replacement in the words of a format. */
export const over = (version: FormatVersion, start: JsonValue, end: JsonValue): JsonObject =>
  version < 3 ? { op: "replace", start, end } : { op: "replace", startSeq: start, endSeq: end }

/** An event that takes the place of others, and cites them. */
export const replacing = (
  version: FormatVersion,
  event: Draft,
  [start, end]: readonly [number, number],
  sources: JsonValue,
): Draft => ({ ...event, surfaceOp: over(version, start, end), sourceEventSeqs: sources })

/** Events with their seqs; one that states a seq keeps it. */
export const numbered = (drafts: readonly Draft[], baseSeq = 0): readonly JsonObject[] =>
  drafts.map(({ seq, ...rest }, i) => ({ ...rest, seq: seq ?? baseSeq + i, time: 1_000 + i }))

export interface Folded {
  readonly nodes: readonly number[]
  readonly replacements: readonly Replacement[]
  readonly refusal: Refusal | null
  readonly replaceGeneration: number
  readonly contentGeneration: number
  readonly messages: readonly Message[]
}

/** A log up to its first refusal, by states, by a draft and by the whole fold, which must agree. */
export const folded = (version: FormatVersion, drafts: readonly Draft[]): Folded => {
  const state = new StateCarrier(noSurface(version))
  const draft = new DraftCarrier(version)
  const fold = new FoldCarrier(sessionHeader(version, null))
  let refusal: Refusal | null = null
  for (const row of numbered(drafts)) {
    refusal = state.offer(row)
    expect(draft.offer(row)).toEqual(refusal)
    expect(fold.offer(row)).toEqual(refusal)
    if (refusal !== null) break
  }
  const nodes = nodesOf(state.state)
  expect(draft.draft.nodes().map(({ seq }) => seq)).toEqual(nodes)
  expect(fold.fold.surface.nodes().map(({ seq }) => seq)).toEqual(nodes)
  const { replaceGeneration, contentGeneration } = state.state
  const history = deriveHistory(noHistory, state.state, state.payloads.payloadOf)
  return {
    nodes,
    replacements: fold.replacements,
    refusal,
    replaceGeneration,
    contentGeneration,
    messages: messagesOf(history),
  }
}

/** The nodes of a log that is right. */
export const nodesAfter = (version: FormatVersion, drafts: readonly Draft[]): readonly number[] => {
  const { nodes, refusal } = folded(version, drafts)
  expect(refusal).toBeNull()
  return nodes
}

/** The refusal of a log whose last event alone is wrong. */
export const refusalOf = (version: FormatVersion, drafts: readonly Draft[]): Refusal | null => {
  const before = folded(version, drafts.slice(0, -1))
  expect(before.refusal).toBeNull()
  const { refusal, ...after } = folded(version, drafts)
  // and it has changed nothing
  expect({ ...after, refusal: null }).toEqual(before)
  return refusal
}

/** The right side of a result that must have one. */
export const rightOf = <A>(result: Either<unknown, A>): A => {
  if (isLeft(result)) throw new RangeError(JSON.stringify(result.left))
  return result.right
}

/** The refusal of a result that must be one. */
export const leftOf = <E>(result: Either<E, unknown>): E => {
  if (isLeft(result)) return result.left
  throw new RangeError("no refusal")
}
