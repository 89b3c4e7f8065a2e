import { isDeepStrictEqual } from "node:util"
import type { JsonObject } from "#core/data/json"
import type { Replacement } from "#core/fold/log-fold-options"
import { sessionHeader } from "./arbitraries/dialect.ts"
import { FoldCarrier } from "./carriers.ts"

interface PeerSurface {
  readonly nodes: readonly number[]
  readonly replacements: readonly Replacement[]
}

/** The fold of the public package: a surface, or an exception. */
export type PeerFold = (events: readonly JsonObject[]) => PeerSurface

/** The public package, a black box to compare with; null where it is not installed. */
export const loadPeer = async (): Promise<PeerFold | null> => {
  try {
    const peer: unknown = await import("@deepseek-ai/dsh-session/surface")
    return (peer as { readonly foldSurface: PeerFold }).foldSurface
  } catch {
    return null
  }
}

const folded = (fold: PeerFold, events: readonly JsonObject[]): PeerSurface | null => {
  try {
    const { nodes, replacements } = fold(events)
    return { nodes, replacements }
  } catch {
    return null
  }
}

/** Length of the longest prefix that the peer accepts: refusals stay once they are there. */
const acceptedLength = (fold: PeerFold, events: readonly JsonObject[]): number => {
  let low = 0
  let high = events.length
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (folded(fold, events.slice(0, middle)) === null) high = middle - 1
    else low = middle
  }
  return low
}

export interface Comparison {
  /** The code of our refusal, or null. */
  readonly code: string | null
  /** Index of the first refused event with each side; the length of the log where there is none. */
  readonly ours: number
  readonly theirs: number
  /** Whether both made the same of what comes before. */
  readonly isSame: boolean
}

/** One log of format 0, by both. */
export const compare = (fold: PeerFold, events: readonly JsonObject[]): Comparison => {
  const carrier = new FoldCarrier(sessionHeader(0, null))
  let code: string | null = null
  let ours = 0
  for (const event of events) {
    code = carrier.offer(event)?.code ?? null
    if (code !== null) break
    ours++
  }
  const theirs = acceptedLength(fold, events)
  const expected = folded(fold, events.slice(0, theirs))
  const actual: PeerSurface = {
    nodes: carrier.fold.surface.nodes().map(({ seq }) => seq),
    replacements: carrier.replacements,
  }
  return { code, ours, theirs, isSame: ours === theirs && isDeepStrictEqual(actual, expected) }
}
