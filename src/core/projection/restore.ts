import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import type { LogHeader } from "../log/header.ts"
import type { EventSlice } from "./advance.ts"
import { advanceDrafts, endSeqOf } from "./advance.ts"
import type { CellDraft } from "./cell-draft.ts"
import { draftOf } from "./cell-draft.ts"
import type { Cell } from "./cells.ts"
import { emptyCell } from "./cells.ts"
import type { ProjectionRow, ProjectionRows } from "./checkpoint.ts"
import { rowOfUnit } from "./checkpoint.ts"
import { decodeValue } from "./codec.ts"
import type { Unit } from "./definition.ts"
import type { Snapshot } from "./read.ts"
import { valuesOf } from "./read.ts"
import type { RegistryRefusal, RowFault } from "./refusal.ts"
import type { ProjectionRegistry } from "./registry.ts"

/**
 * From which seq on a log must be read to restore all units; null where there is no unit.
 *
 * shape   the event at the lowest watermark itself is read again: that it is there proves that the
 *         log still reaches so far. Versions alone count here, not what the rows hold
 */
export const restoreFloor = (registry: ProjectionRegistry, rows: ProjectionRows): number | null => {
  let lowest: number | null = null
  for (const { unit } of registry.units.values()) {
    const row = rowOfUnit(rows, unit)
    const need = row?.ver === unit.stateVersion ? Math.max(row.seq + 1, 0) : 0
    lowest = lowest === null ? need : Math.min(lowest, need)
  }
  return lowest === null ? null : Math.max(lowest - 1, 0)
}

/** Units as they were restored, the snapshot they make, and the rows to store next. */
export interface Restored {
  readonly snapshot: Snapshot
  readonly rows: ProjectionRows
  /** Units that were folded from the beginning, and what was wrong with their rows. */
  readonly refolded: readonly { readonly key: string; readonly cause: RowFault }[]
}

const rowFault = (
  row: ProjectionRow | undefined,
  { stateVersion }: Unit,
  baseSeq: number,
  endSeq: number,
): RowFault | null => {
  if (row === undefined) return "row-missing"
  if (row.ver !== stateVersion) return "row-version"
  if (row.seq < baseSeq - 1) return "row-behind"
  return row.seq > endSeq ? "row-ahead" : null
}

const restoredCell = (unit: Unit, { seq, val }: ProjectionRow): Either<RegistryRefusal, Cell> => {
  const state = decodeValue(unit.codec, val)
  if (isLeft(state)) return left({ code: "state-shape", key: unit.key, fault: state.left })
  const told = { state: state.right, view: undefined }
  return right({ unit, state: state.right, observedSeq: seq, told, served: null })
}

/**
 * Goes on from stored rows to the end of a log, of which the events from `slice.baseSeq` on are at
 * hand. A row that is of no use is folded anew, if the events reach back to the beginning.
 *
 * shape   the new rows hold the restored states themselves, for storing
 * errors  row-unusable where the events must be read from seq 0; state-shape, also with all events at
 *         hand (restore without the rows then); event-missing, event-refused, unit-refused, view-shape
 */
export const restoreRows = (
  registry: ProjectionRegistry,
  rows: ProjectionRows,
  slice: EventSlice,
  header: LogHeader,
  inheritedEventCount: number,
): Either<RegistryRefusal, Restored> => {
  const { baseSeq } = slice
  const endSeq = endSeqOf(slice)
  const drafts: CellDraft[] = []
  const refolded: { readonly key: string; readonly cause: RowFault }[] = []
  for (const [key, { unit }] of registry.units) {
    const row = rowOfUnit(rows, unit)
    const cause = rowFault(row, unit, baseSeq, endSeq)
    if (cause !== null && baseSeq > 0) return left({ code: "row-unusable", key, baseSeq, cause })
    if (cause !== null) refolded.push({ key, cause })
    const cell =
      cause === null && row !== undefined
        ? restoredCell(unit, row)
        : right(emptyCell(unit, { header, inheritedEventCount }))
    if (isLeft(cell)) return cell
    drafts.push(draftOf(cell.right, null))
  }
  const refusal =
    advanceDrafts(drafts, header.format, slice, endSeq) ??
    drafts.find((draft) => draft.refusal !== null)?.refusal ??
    null
  if (refusal !== null) return left(refusal)
  const values = valuesOf(drafts)
  if (isLeft(values)) return values
  const next = drafts.map(
    ({ unit, state }) => [unit.key, { ver: unit.stateVersion, seq: endSeq, val: state }] as const,
  )
  return right({
    snapshot: { asOfSeq: endSeq, values: values.right },
    rows: Object.fromEntries(next),
    refolded,
  })
}
