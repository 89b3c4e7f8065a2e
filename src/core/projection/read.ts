import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import { defect } from "../data/defect.ts"
import type { EventSlice } from "./advance.ts"
import { catchUpDrafts, endSeqOf } from "./advance.ts"
import type { CellDraft } from "./cell-draft.ts"
import { draftOf, sealDrafts, sealOne, serveDraft } from "./cell-draft.ts"
import type { SessionCells } from "./cells.ts"
import { cellOf } from "./cells.ts"
import type { ProjectionDefinition } from "./definition.ts"
import type { RegistryRefusal } from "./refusal.ts"
import type { ProjectionRegistry } from "./registry.ts"

/** Values of units by key, of one cut through the log. */
export interface Snapshot {
  /** The last event that the values know of; −1 for none. */
  readonly asOfSeq: number
  readonly values: Readonly<Record<string, unknown>>
}

/** All units at the end of the slice, or the first that is not there. */
export const materialize = (
  registry: ProjectionRegistry,
  session: SessionCells,
  slice: EventSlice,
): Either<RegistryRefusal, readonly CellDraft[]> => {
  const endSeq = endSeqOf(slice)
  const drafts = catchUpDrafts(registry, session, slice, endSeq)
  if (isLeft(drafts)) return drafts
  for (const { unit, observedSeq, refusal } of drafts.right) {
    if (refusal !== null) return left(refusal)
    if (observedSeq > endSeq)
      return left({ code: "log-behind", key: unit.key, observedSeq, endSeq })
  }
  return drafts
}

/** The values of those drafts that are shown, all of them or those of some keys. */
export const valuesOf = (
  drafts: readonly CellDraft[],
  keys?: readonly string[],
): Either<RegistryRefusal, Readonly<Record<string, unknown>>> => {
  const values: (readonly [string, unknown])[] = []
  for (const draft of drafts) {
    if (keys !== undefined && !keys.includes(draft.unit.key)) continue
    const served = serveDraft(draft)
    if (isLeft(served)) return served
    if (served.right !== null) values.push([draft.unit.key, served.right.value])
  }
  return right(Object.fromEntries(values))
}

/**
 * What every unit shows at the end of the slice: one consistent cut.
 *
 * shape   units that show anything, all of them or those of some keys; a value is the same object as
 *         before where its unit shows the same
 * errors  event-missing, event-refused, log-behind, unit-refused, view-shape
 */
export const snapshotOf = (
  registry: ProjectionRegistry,
  session: SessionCells,
  slice: EventSlice,
  keys?: readonly string[],
): Either<RegistryRefusal, readonly [SessionCells, Snapshot]> => {
  const drafts = materialize(registry, session, slice)
  if (isLeft(drafts)) return drafts
  const values = valuesOf(drafts.right, keys)
  if (isLeft(values)) return values
  const snapshot = { asOfSeq: endSeqOf(slice), values: values.right }
  return right([sealDrafts(session, drafts.right), snapshot])
}

/**
 * What is there already, without folding anything: a hint, as keys may be at different events.
 *
 * shape   `asOfSeq` is the lowest watermark among the values; null where there is no value
 * errors  view-shape
 */
export const cachedSnapshot = (
  registry: ProjectionRegistry,
  session: SessionCells,
  keys?: readonly string[],
): Either<RegistryRefusal, Snapshot | null> => {
  const drafts: CellDraft[] = []
  for (const { unit } of registry.units.values()) {
    const cell = cellOf(session, unit)
    const isAsked = unit.wire !== null && (keys === undefined || keys.includes(unit.key))
    if (cell !== null && isAsked) drafts.push(draftOf(cell, cell))
  }
  if (drafts.length === 0) return right(null)
  const values = valuesOf(drafts)
  if (isLeft(values)) return values
  const asOfSeq = drafts.reduce((low, each) => Math.min(low, each.observedSeq), Infinity)
  return right({ asOfSeq, values: values.right })
}

/**
 * The state of one unit at the end of the slice; undefined where no unit of that key and version is
 * registered. Other units are left where they are.
 *
 * errors  event-missing, event-refused, log-behind, unit-refused
 */
export const stateOf = <State, View>(
  registry: ProjectionRegistry,
  session: SessionCells,
  slice: EventSlice,
  { key, stateVersion }: ProjectionDefinition<State, View>,
): Either<RegistryRefusal, readonly [SessionCells, State | undefined]> => {
  const registration = registry.units.get(key)
  if (registration === undefined || registration.unit.stateVersion !== stateVersion)
    return right([session, undefined])
  const alone = { units: new Map([[key, registration]]) }
  const drafts = materialize(alone, session, slice)
  if (isLeft(drafts)) return drafts
  const draft = drafts.right[0] ?? defect(`no draft of ${key}`)
  // same key and version: registrants vouch that the states are the same
  return right([sealOne(session, draft), draft.state as State])
}
