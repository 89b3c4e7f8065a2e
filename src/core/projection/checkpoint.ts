import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import { isSafeInt } from "../data/count.ts"
import type { JsonValue } from "../data/json.ts"
import { losslessCopy } from "../data/lossless-json.ts"
import type { EventSlice } from "./advance.ts"
import { sealDrafts } from "./cell-draft.ts"
import type { SessionCells } from "./cells.ts"
import { decodeValue } from "./codec.ts"
import type { Unit } from "./definition.ts"
import { materialize } from "./read.ts"
import type { RegistryRefusal } from "./refusal.ts"
import type { ProjectionRegistry } from "./registry.ts"

/** The state of a unit as it is stored: its version, its watermark and a value. */
export interface ProjectionRow {
  readonly ver: number
  readonly seq: number
  readonly val: unknown
}

/** Rows by key. Keys that nobody registered are nothing. */
export type ProjectionRows = Readonly<Record<string, ProjectionRow>>

/** The stored row of a unit; one without a seq to go on from is none. */
export const rowOfUnit = (rows: ProjectionRows, { key }: Unit): ProjectionRow | undefined => {
  const row = Object.hasOwn(rows, key) ? rows[key] : undefined
  return row !== undefined && isSafeInt(row.seq) ? row : undefined
}

/**
 * The states of all units at the end of the slice, for storing.
 *
 * shape   detached: nothing of it is shared with the cells
 * errors  event-missing, event-refused, log-behind, unit-refused, state-not-lossless
 * cost    one copy of all states
 */
export const checkpointOf = (
  registry: ProjectionRegistry,
  session: SessionCells,
  slice: EventSlice,
): Either<RegistryRefusal, readonly [SessionCells, ProjectionRows]> => {
  const drafts = materialize(registry, session, slice)
  if (isLeft(drafts)) return drafts
  const rows: (readonly [string, ProjectionRow & { readonly val: JsonValue }])[] = []
  for (const { unit, state, observedSeq } of drafts.right) {
    const { key, stateVersion } = unit
    const copy = losslessCopy(state)
    if (isLeft(copy)) return left({ code: "state-not-lossless", key, fault: copy.left })
    rows.push([key, { ver: stateVersion, seq: observedSeq, val: copy.right }])
  }
  return right([sealDrafts(session, drafts.right), Object.fromEntries(rows)])
}

/**
 * What stored rows show, without any log: a row that no unit can read shows nothing.
 *
 * errors  view-shape
 */
export const viewCheckpoint = (
  registry: ProjectionRegistry,
  rows: ProjectionRows,
  keys?: readonly string[],
): Either<RegistryRefusal, Readonly<Record<string, unknown>>> => {
  const values: (readonly [string, unknown])[] = []
  for (const [key, { unit }] of registry.units) {
    const { wire } = unit
    const row = rowOfUnit(rows, unit)
    if (wire === null || row?.ver !== unit.stateVersion) continue
    if (keys !== undefined && !keys.includes(key)) continue
    const state = decodeValue(unit.codec, row.val)
    if (isLeft(state)) continue
    const value = decodeValue(wire.codec, wire.view(state.right))
    if (isLeft(value)) return left({ code: "view-shape", key, fault: value.left })
    values.push([key, value.right])
  }
  return right(Object.fromEntries(values))
}
