import type { Message } from "../messages/event-message.ts"
import type { MessageProjection, MessageProjections } from "../surface/message-projection.ts"
import type { SurfaceNode } from "../surface/node.ts"
import type { SurfaceState } from "../surface/state.ts"
import { emptySurface } from "../surface/state.ts"
import type { Format } from "../format/format.ts"
import type { LineRange } from "../log/line-range.ts"
import type { CostState } from "../tokens/cost-fold.ts"
import type { LogCounts } from "./log-counts.ts"

/** A fold of a prefix as plain data, from which it goes on. */
export interface LogFoldState {
  readonly nextSeq: number
  readonly replaceGeneration: number
  readonly contentGeneration: number
  /** In surface order; digests belong to a run and are left out. */
  readonly nodes: readonly SurfaceNode[]
  readonly projected: readonly (readonly [seq: number, message: Message])[]
  /** Types of the interpreters whose work is on the surface. */
  readonly usedProjections: readonly string[]
  readonly counts: LogCounts
  readonly requestHeaders: readonly (readonly [seq: number, line: LineRange])[]
  /** Null where no prices were given. */
  readonly costs: CostState | null
}

/**
 * The surface of a state.
 *
 * shape   null where an interpreter is missing whose work is on it
 */
export const surfaceOfState = (
  format: Format,
  state: LogFoldState,
  projections: MessageProjections,
): SurfaceState | null => {
  const used = new Map<string, MessageProjection>()
  for (const type of state.usedProjections) {
    const projection = projections.get(type)
    if (projection === undefined) return null
    used.set(type, projection)
  }
  return {
    ...emptySurface(format),
    nextSeq: state.nextSeq,
    entries: state.nodes,
    size: state.nodes.length,
    projected: new Map(state.projected),
    usedProjections: used,
    replaceGeneration: state.replaceGeneration,
    contentGeneration: state.contentGeneration,
  }
}
