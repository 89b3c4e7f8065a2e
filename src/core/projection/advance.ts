import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import type { Format } from "../format/format.ts"
import type { SessionEvent } from "../log/envelope.ts"
import type { LogRow } from "../log/row.ts"
import { rowOf } from "../log/row.ts"
import type { CellDraft } from "./cell-draft.ts"
import { draftsOf, stepDraft } from "./cell-draft.ts"
import type { SessionCells } from "./cells.ts"
import type { RegistryRefusal } from "./refusal.ts"
import type { ProjectionRegistry } from "./registry.ts"

/** The events of a log from `baseSeq` on: `events[i]` has seq `baseSeq + i`. */
export interface EventSlice {
  readonly baseSeq: number
  readonly events: readonly SessionEvent[]
}

/** Seq of the last event of a slice; the one before its base where it holds none. */
export const endSeqOf = ({ baseSeq, events }: EventSlice): number =>
  events.at(-1)?.seq ?? baseSeq - 1

export const rowOfEvent = (
  format: Format,
  event: SessionEvent,
): Either<RegistryRefusal, LogRow> => {
  const row = rowOf(format, event)
  return isLeft(row) ? left({ code: "event-refused", seq: event.seq, refusal: row.left }) : row
}

/**
 * Applies the events up to `throughSeq` to all drafts that have not seen them: one pass, in which
 * each unit is as if alone. A unit that refuses an event stays there; the others go on.
 *
 * errors  event-missing, event-refused
 */
export const advanceDrafts = (
  drafts: readonly CellDraft[],
  format: Format,
  slice: EventSlice,
  throughSeq: number,
  onSeq?: (seq: number) => void,
): RegistryRefusal | null => {
  let first = throughSeq + 1
  for (const { observedSeq } of drafts) first = Math.min(first, observedSeq + 1)
  for (let seq = first; seq <= throughSeq; seq++) {
    const event = slice.events[seq - slice.baseSeq]
    if (event === undefined || event.seq !== seq)
      return { code: "event-missing", seq, found: event?.seq ?? null }
    const row = rowOfEvent(format, event)
    if (isLeft(row)) return row.left
    const { facts, data } = row.right
    for (const draft of drafts)
      if (draft.observedSeq === seq - 1 && draft.refusal === null) stepDraft(draft, facts, data)
    onSeq?.(seq)
  }
  return null
}

/**
 * Drafts of all units at `throughSeq`, the ones that are made now with what was told of them: what
 * they showed when the last event was driven.
 *
 * errors  event-missing, event-refused
 */
export const catchUpDrafts = (
  registry: ProjectionRegistry,
  session: SessionCells,
  slice: EventSlice,
  throughSeq: number,
): Either<RegistryRefusal, CellDraft[]> => {
  const drafts = draftsOf(registry, session)
  const made = drafts.filter(({ before }) => before === null)
  const markTold = (seq: number): void => {
    if (seq !== session.drivenSeq) return
    for (const draft of made) draft.told = { state: draft.state, view: undefined }
  }
  const refusal = advanceDrafts(drafts, session.header.format, slice, throughSeq, markTold)
  return refusal === null ? right(drafts) : left(refusal)
}
