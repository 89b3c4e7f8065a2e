import type { LogHeader } from "../log/header.ts"
import type { Unit } from "./definition.ts"
import type { ProjectionRegistry } from "./registry.ts"

/** How far one unit has folded one session, and what was told of it. */
export interface Cell {
  /** The very definition that folded the state; under any other one the cell counts for nothing. */
  readonly unit: Unit
  readonly state: unknown
  /** Watermark: seq of the last event that was applied, whether it changed anything or not. */
  readonly observedSeq: number
  readonly told: Told
  readonly served: Served | null
}

/** Up to where listeners know of changes. Reading never moves it, so no reader hides a change. */
export interface Told {
  readonly state: unknown
  /** Its view, undefined where nobody has looked at it yet. */
  readonly view: unknown
}

/** The view of a state, and the value that it was found to be: made once a state. */
export interface Served {
  readonly state: unknown
  readonly view: unknown
  readonly value: unknown
}

/** The cells of one session. A value: every command answers with a new one, older ones stay valid. */
export interface SessionCells {
  readonly header: LogHeader
  readonly inheritedEventCount: number
  /** Seq of the last event that was driven, or before which nothing is told; −1 for none. */
  readonly drivenSeq: number
  readonly cells: ReadonlyMap<string, Cell>
}

/** The state before the first event, as a cell. */
export const emptyCell = (
  unit: Unit,
  { header, inheritedEventCount }: Pick<SessionCells, "header" | "inheritedEventCount">,
): Cell => {
  const state = unit.init(header, inheritedEventCount)
  return { unit, state, observedSeq: -1, told: { state, view: undefined }, served: null }
}

/**
 * The cells of a session as it is opened: one a unit for a new session, none for one with a past,
 * which is folded when somebody asks.
 *
 * units   `endSeq` is the seq of the last event that the log holds already, −1 for an empty log
 */
export const openCells = (
  registry: ProjectionRegistry,
  header: LogHeader,
  inheritedEventCount: number,
  endSeq: number,
): SessionCells => {
  const cells = new Map<string, Cell>()
  const session = { header, inheritedEventCount, drivenSeq: endSeq, cells }
  if (endSeq < 0)
    for (const [key, { unit }] of registry.units) cells.set(key, emptyCell(unit, session))
  return session
}

/** The cell of a unit, or null where another definition folded it, or none. */
export const cellOf = ({ cells }: SessionCells, unit: Unit): Cell | null => {
  const cell = cells.get(unit.key)
  return cell !== undefined && cell.unit === unit ? cell : null
}
