import type { Either } from "fp-ts/lib/Either.js"
import { left, right } from "fp-ts/lib/Either.js"
import { isSafeInt } from "../data/count.ts"
import { ownValue } from "../data/json.ts"
import { endSeedType } from "../log/inherited-marker.ts"
import { count, exactly, safeInt } from "../log/shape.ts"
import { nullable } from "../projection/builtin/nullable.ts"
import { totalApply } from "../projection/builtin/total-apply.ts"
import { shapeCodec } from "../projection/codec.ts"
import type { ProjectionDefinition } from "../projection/definition.ts"
import type { CompactionOwner } from "./compaction-plan.ts"

/** What a session stands in that a compaction must not cross. */
export interface CompactionLock {
  /** Seq of the start of a compaction that has not ended; null where none is open. */
  readonly startSeq: number | null
  /** The open turn; null between turns. */
  readonly turn: number | null
}

/** Why no compaction may begin, and no tool result be shortened, at this place of the log. */
export type LockRefusal =
  | { readonly code: "compaction-busy"; readonly startSeq: number }
  | {
      readonly code: "compaction-turn"
      readonly turn: number | null
      readonly openTurn: number | null
    }

/**
 * The open compaction and the open turn, as a unit of the registry for its host alone. A start that was
 * left open locks the session until the next end-seed, behind which another life of it begins.
 *
 * source  compaction of the agent
 */
export const compactionLock: ProjectionDefinition<CompactionLock, never> = {
  key: "compactionLock",
  stateVersion: 1,
  codec: shapeCodec(exactly({ startSeq: nullable(count, "seq"), turn: nullable(safeInt, "turn") })),
  reads: new Set(["turn/start", "turn/end", "compaction/start", "compaction/end", endSeedType]),
  init: () => ({ startSeq: null, turn: null }),
  apply: totalApply((state, { type, seq }, data) => {
    switch (type) {
      case "turn/start": {
        const turn = ownValue(data, "turn")
        return isSafeInt(turn) ? { ...state, turn } : state
      }
      case "turn/end":
        return state.turn === null ? state : { ...state, turn: null }
      case "compaction/start":
        return { ...state, startSeq: seq }
      default:
        return state.startSeq === null ? state : { ...state, startSeq: null }
    }
  }),
  wire: null,
}

/**
 * Whether a compaction of that owner may begin: none is open, and the turn that it names is the one
 * that is open. One that was asked for between turns needs that none is.
 *
 * errors  compaction-busy, compaction-turn
 */
export const compactionOpening = (
  { startSeq, turn: openTurn }: CompactionLock,
  { turn }: Pick<CompactionOwner, "turn">,
): Either<LockRefusal, null> => {
  if (startSeq !== null) return left({ code: "compaction-busy", startSeq })
  return turn === openTurn ? right(null) : left({ code: "compaction-turn", turn, openTurn })
}
