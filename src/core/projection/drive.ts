import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, right } from "fp-ts/lib/Either.js"
import type { SessionEvent } from "../log/envelope.ts"
import type { EventSlice } from "./advance.ts"
import { catchUpDrafts, rowOfEvent } from "./advance.ts"
import type { CellDraft } from "./cell-draft.ts"
import { sealDrafts, serveDraft, stepDraft } from "./cell-draft.ts"
import type { SessionCells } from "./cells.ts"
import type { RegistryRefusal } from "./refusal.ts"
import type { ProjectionRegistry } from "./registry.ts"

/** What a unit shows now; listeners are told it. */
export interface ViewChange {
  readonly key: string
  readonly value: unknown
  /** The event up to which the value counts. */
  readonly asOfSeq: number
}

/** What one event did: changes to tell, and units that cannot go on, both in registration order. */
export interface Driven {
  readonly changes: readonly ViewChange[]
  readonly refusals: readonly RegistryRefusal[]
}

// what is told is what the unit shows now, so nothing is lost where a reader came first
const tell = (draft: CellDraft): Either<RegistryRefusal, ViewChange | null> => {
  const { unit, state, told } = draft
  const { wire } = unit
  if (wire === null || Object.is(state, told.state)) return right(null)
  const served = serveDraft(draft)
  if (isLeft(served)) return served
  if (served.right === null) return right(null)
  const { view, value } = served.right
  draft.told = { state, view }
  const before = told.view === undefined ? wire.view(told.state) : told.view
  return right(
    Object.is(view, before) ? null : { key: unit.key, value, asOfSeq: draft.observedSeq },
  )
}

/**
 * Takes one event of a session to all units, the ones that lag behind first, and answers with what
 * must be told. Events before it come from the slice; it may be in there or not yet.
 *
 * law     PR11 in properties/projection.prop.ts: reading in between changes nothing that is told
 * errors  event-missing where events before it are not at hand, event-refused. What a single unit
 *         refuses is in the answer, and the others go on
 */
export const driveEvent = (
  registry: ProjectionRegistry,
  session: SessionCells,
  slice: EventSlice,
  event: SessionEvent,
): Either<RegistryRefusal, readonly [SessionCells, Driven]> => {
  const row = rowOfEvent(session.header.format, event)
  if (isLeft(row)) return row
  const { facts, data } = row.right
  const drafts = catchUpDrafts(registry, session, slice, facts.seq - 1)
  if (isLeft(drafts)) return drafts
  const changes: ViewChange[] = []
  const refusals: RegistryRefusal[] = []
  for (const draft of drafts.right) {
    if (draft.refusal === null && draft.observedSeq < facts.seq) stepDraft(draft, facts, data)
    if (draft.refusal !== null) {
      refusals.push(draft.refusal)
      continue
    }
    const change = tell(draft)
    if (isLeft(change)) refusals.push(change.left)
    else if (change.right !== null) changes.push(change.right)
  }
  const drivenSeq = Math.max(session.drivenSeq, facts.seq)
  return right([sealDrafts(session, drafts.right, drivenSeq), { changes, refusals }])
}
