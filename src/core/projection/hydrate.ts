import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, right } from "fp-ts/lib/Either.js"
import type { EventSlice } from "./advance.ts"
import { endSeqOf } from "./advance.ts"
import type { Cell, SessionCells } from "./cells.ts"
import { cellOf } from "./cells.ts"
import type { ProjectionRows } from "./checkpoint.ts"
import { rowOfUnit } from "./checkpoint.ts"
import type { Snapshot } from "./read.ts"
import { snapshotOf } from "./read.ts"
import type { RegistryRefusal } from "./refusal.ts"
import type { ProjectionRegistry } from "./registry.ts"
import { restoreRows } from "./restore.ts"

/**
 * Puts restored states into the cells of a session, unless a cell has come as far or further
 * already.
 *
 * shape   nothing is restored where every cell stands at the end of the slice
 * errors  those of restoreRows
 */
export const hydrateCells = (
  registry: ProjectionRegistry,
  session: SessionCells,
  rows: ProjectionRows,
  slice: EventSlice,
): Either<RegistryRefusal, readonly [SessionCells, Snapshot]> => {
  const endSeq = endSeqOf(slice)
  const units = [...registry.units.values()].map(({ unit }) => unit)
  if (units.every((unit) => cellOf(session, unit)?.observedSeq === endSeq))
    return snapshotOf(registry, session, slice)
  const { header, inheritedEventCount } = session
  const restored = restoreRows(registry, rows, slice, header, inheritedEventCount)
  if (isLeft(restored)) return restored
  const cells = new Map<string, Cell>()
  for (const unit of units) {
    const cell = cellOf(session, unit)
    const state = rowOfUnit(restored.right.rows, unit)?.val
    // what was told stays told: the next event tells the difference
    const told = cell?.told ?? { state, view: undefined }
    const isAhead = cell !== null && cell.observedSeq >= endSeq
    cells.set(unit.key, isAhead ? cell : { unit, state, observedSeq: endSeq, told, served: null })
  }
  const drivenSeq = Math.max(session.drivenSeq, endSeq)
  return right([{ ...session, drivenSeq, cells }, restored.right.snapshot])
}
