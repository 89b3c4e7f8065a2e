import { isLeft } from "fp-ts/lib/Either.js"
import type { Fold } from "../fold/fold.ts"
import { product } from "../fold/product.ts"
import type { ProjectionRow, ProjectionRows } from "./checkpoint.ts"
import type { ProjectionDefinition } from "./definition.ts"
import { applyRow } from "./definition.ts"
import type { UnitRefusal } from "./refusal.ts"
import type { ProjectionRegistry } from "./registry.ts"

/** What a unit came to over a log. */
export interface Folded<State> {
  readonly state: State
  /** Seq of the last event that was applied; −1 for none. */
  readonly observedSeq: number
  /** Why the unit stopped there, or null. */
  readonly refusal: UnitRefusal | null
}

interface FoldedDraft<State> {
  state: State
  observedSeq: number
  refusal: UnitRefusal | null
}

/**
 * A unit as a fold over a log: alone, in a product, or beside anything else that is folded.
 *
 * shape   a packed run is one row. A unit that refuses an event stays there to the end of the log
 * law     PR32 in properties/projection.prop.ts: the state is the one that driving comes to
 */
export const projectionFold = <State, View>(
  unit: ProjectionDefinition<State, View>,
): Fold<FoldedDraft<State>, Folded<State>> => ({
  reads: unit.reads,
  begin: (header) => ({
    state: unit.init(header, header.seedLength ?? 0),
    observedSeq: -1,
    refusal: null,
  }),
  step: (draft, facts, data) => {
    if (draft.refusal !== null) return
    const next = applyRow(unit, draft.state, facts, data)
    if (isLeft(next)) {
      draft.refusal = next.left
      return
    }
    draft.state = next.right
    draft.observedSeq = facts.seq + facts.count - 1
  },
  seal: (draft) => ({ ...draft }),
  resume: (folded) => ({ ...folded }),
})

type FoldedUnits = Readonly<Record<string, Folded<unknown>>>
type UnitDrafts = Readonly<Record<string, FoldedDraft<unknown>>>

/** All units of a registry as one fold: one pass, each as if alone. */
export const registryFold = ({ units }: ProjectionRegistry): Fold<UnitDrafts, FoldedUnits> =>
  product(
    Object.fromEntries([...units].map(([key, { unit }]) => [key, projectionFold(unit)] as const)),
  )

/** What units came to over a log as rows to store or to view; a unit that stopped has its row too. */
export const foldedRows = ({ units }: ProjectionRegistry, folded: FoldedUnits): ProjectionRows => {
  const rows: (readonly [string, ProjectionRow])[] = []
  for (const [key, { unit }] of units) {
    const each = Object.hasOwn(folded, key) ? folded[key] : undefined
    if (each !== undefined)
      rows.push([key, { ver: unit.stateVersion, seq: each.observedSeq, val: each.state }])
  }
  return Object.fromEntries(rows)
}
