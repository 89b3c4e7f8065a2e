import type { Either } from "fp-ts/lib/Either.js"
import { left, right } from "fp-ts/lib/Either.js"
import { isCount } from "../data/count.ts"
import type { JsonArray, JsonObject, JsonValue } from "../data/json.ts"
import { isJsonArray, isJsonObject, ownValue } from "../data/json.ts"
import type { Format } from "../format/format.ts"
import { blockTag, textField } from "../format/lifecycle/fields.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import type { SessionEvent } from "../log/envelope.ts"
import { toolResultHolder } from "../log/tool-result-holder.ts"
import { withResultContent } from "../surface/tool-result.ts"
import type { CompactionNode } from "./compaction-node.ts"
import type { LogEnd } from "./planned-events.ts"
import { eventsAt, replacementMarker, shadowedFigures } from "./planned-events.ts"

/** How long tool results may be, and what is kept of longer ones. Code points. */
export interface PruneSettings {
  readonly thresholdChars: number
  readonly headChars: number
  readonly tailChars: number
}

/** source  tool-result pruner of the agent */
export const defaultPruning: PruneSettings = {
  thresholdChars: 8_192,
  headChars: 4_096,
  tailChars: 1_024,
}

/** What stands for the removed part: as long as that of the agent, 39 code points. */
export const pruneMarker: string = "\n\n[… the middle was taken out here …]\n\n"

/** Settings that would leave more than the threshold allows. */
export type PruneRefusal =
  | { readonly code: "prune-count"; readonly field: keyof PruneSettings; readonly value: number }
  | {
      readonly code: "prune-budget"
      readonly keptChars: number
      readonly thresholdChars: number
    }

const codePoints = (text: string): number => {
  let count = 0
  for (const _ of text) count++
  return count
}

const markerChars = codePoints(pruneMarker)

/** What is wrong with settings; null where nothing is. */
export const pruneRefusal = (settings: PruneSettings): PruneRefusal | null => {
  for (const field of ["thresholdChars", "headChars", "tailChars"] as const)
    if (!isCount(settings[field])) return { code: "prune-count", field, value: settings[field] }
  const { thresholdChars, headChars, tailChars } = settings
  const keptChars = headChars + markerChars + tailChars
  return keptChars > thresholdChars ? { code: "prune-budget", keptChars, thresholdChars } : null
}

const textOf = (block: JsonValue): string | null =>
  isJsonObject(block) && blockTag(block) === "text" ? textField(block, "text") : null

const lengthOf = (content: JsonArray): number => {
  let length = 0
  for (const block of content) length += codePoints(textOf(block) ?? "")
  return length
}

/**
 * Content with the middle of its text left out; null where it is short enough.
 *
 * shape   the text of all blocks is one text here. The marker stands once, where the cut begins;
 *         text blocks that nothing is left of go, all other blocks stay where they are
 * law     TK33 in properties/compaction.prop.ts: within the threshold, and pruned once for all
 */
export const prunedContent = (
  content: JsonArray,
  { thresholdChars, headChars, tailChars }: PruneSettings,
): JsonArray | null => {
  const length = lengthOf(content)
  if (length <= thresholdChars) return null
  const cutEnd = length - tailChars
  const kept: JsonValue[] = []
  let at = 0
  let isMarked = false
  for (const block of content) {
    const text = textOf(block)
    if (text === null) {
      kept.push(block)
      continue
    }
    const points = [...text]
    const start = at
    at += points.length
    if (at <= headChars || start >= cutEnd) {
      kept.push(block)
      continue
    }
    const head = points.slice(0, Math.max(0, headChars - start)).join("")
    const tail = points.slice(Math.max(0, cutEnd - start)).join("")
    const next = head + (isMarked ? "" : pruneMarker) + tail
    isMarked = true
    if (next !== "") kept.push({ ...(block as JsonObject), text: next })
  }
  return kept
}

/** A tool result that is too long, and its content as it would be. */
export interface PrunedResult {
  readonly node: CompactionNode
  readonly content: JsonArray
}

const resultContent = (format: Format, message: JsonObject): JsonArray => {
  const holder = toolResultHolder(format.rules.toolResultContent, message)
  const content = holder === null ? undefined : ownValue(holder, "content")
  return isJsonArray(content) ? content : []
}

/** The tool results on the surface that are to be shortened, in surface order. */
export const prunableResults = (
  format: Format,
  nodes: readonly CompactionNode[],
  settings: PruneSettings,
): Either<PruneRefusal, readonly PrunedResult[]> => {
  const refusal = pruneRefusal(settings)
  if (refusal !== null) return left(refusal)
  const found: PrunedResult[] = []
  for (const node of nodes) {
    if (node.kind !== surfaceKind.toolResult) continue
    const content = prunedContent(resultContent(format, node.message), settings)
    if (content !== null) found.push({ node, content })
  }
  return right(found)
}

/**
 * The events that shorten tool results: for each its price, and at once the replacement.
 *
 * shape   two events a result; all of the payload but its content is kept
 * law     TK32 in properties/compaction.prop.ts: the planner takes them, in every format
 */
export const pruneEvents = (
  format: Format,
  results: readonly PrunedResult[],
  end: LogEnd,
): readonly SessionEvent[] =>
  eventsAt(
    end,
    results.flatMap(({ node, content }) => [
      { type: "compaction/prune", data: shadowedFigures([node.seq], node.heuristicTokens) },
      {
        type: "tool/result",
        data: withResultContent(format, node.data, content) as JsonObject,
        sourceEventSeqs: [node.seq],
        surfaceOp: replacementMarker(format, node.seq, node.seq),
      },
    ]),
  )
