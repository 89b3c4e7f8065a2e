import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import type { JsonValue } from "../data/json.ts"
import type { EventFacts } from "../log/event-facts.ts"
import type { Cell, Served, SessionCells, Told } from "./cells.ts"
import { cellOf, emptyCell } from "./cells.ts"
import { decodeValue } from "./codec.ts"
import type { Unit } from "./definition.ts"
import { applyRow } from "./definition.ts"
import type { RegistryRefusal } from "./refusal.ts"
import type { ProjectionRegistry } from "./registry.ts"

/** A cell while one command advances it. */
export interface CellDraft {
  readonly unit: Unit
  /** What the cell was; null for one that is made now. */
  readonly before: Cell | null
  state: unknown
  observedSeq: number
  told: Told
  served: Served | null
  /** Why the unit stays where it is. */
  refusal: RegistryRefusal | null
}

export const draftOf = (cell: Cell, before: Cell | null): CellDraft => ({
  ...cell,
  before,
  refusal: null,
})

/** A draft of each registered unit, in the order of registration. */
export const draftsOf = (registry: ProjectionRegistry, session: SessionCells): CellDraft[] =>
  [...registry.units.values()].map(({ unit }) => {
    const cell = cellOf(session, unit)
    return draftOf(cell ?? emptyCell(unit, session), cell)
  })

/** Applies the next event; a refused one leaves the draft where it was. */
export const stepDraft = (
  draft: CellDraft,
  facts: EventFacts,
  data: JsonValue | undefined,
): void => {
  const next = applyRow(draft.unit, draft.state, facts, data)
  if (isLeft(next)) {
    draft.refusal = {
      code: "unit-refused",
      key: draft.unit.key,
      seq: facts.seq,
      cause: next.left,
    }
    return
  }
  draft.state = next.right
  draft.observedSeq = facts.seq
}

/**
 * The view of a draft's state and its value; null for a unit that only its host reads.
 *
 * cost    nothing where the state, or what it shows, is the one of before
 * errors  view-shape
 */
export const serveDraft = (draft: CellDraft): Either<RegistryRefusal, Served | null> => {
  const { unit, state, served } = draft
  if (unit.wire === null) return right(null)
  if (served !== null && Object.is(served.state, state)) return right(served)
  const view = unit.wire.view(state)
  if (served !== null && Object.is(served.view, view)) {
    draft.served = { state, view, value: served.value }
    return right(draft.served)
  }
  const value = decodeValue(unit.wire.codec, view)
  if (isLeft(value)) return left({ code: "view-shape", key: unit.key, fault: value.left })
  draft.served = { state, view, value: value.right }
  return right(draft.served)
}

const sealDraft = ({ unit, before, state, observedSeq, told, served }: CellDraft): Cell =>
  before !== null &&
  Object.is(before.state, state) &&
  before.observedSeq === observedSeq &&
  before.told === told &&
  before.served === served
    ? before
    : { unit, state, observedSeq, told, served }

/** The session with what one of its units came to; the very session where nothing changed. */
export const sealOne = (session: SessionCells, draft: CellDraft): SessionCells => {
  const cell = sealDraft(draft)
  const { key } = draft.unit
  return session.cells.get(key) === cell
    ? session
    : { ...session, cells: new Map(session.cells).set(key, cell) }
}

/**
 * The session with what all its units came to; the very session where nothing changed. Cells of
 * units that were released are gone.
 */
export const sealDrafts = (
  session: SessionCells,
  drafts: readonly CellDraft[],
  drivenSeq: number = session.drivenSeq,
): SessionCells => {
  const cells = new Map(drafts.map((draft) => [draft.unit.key, sealDraft(draft)] as const))
  const isSame =
    drivenSeq === session.drivenSeq &&
    cells.size === session.cells.size &&
    [...cells].every(([key, cell]) => session.cells.get(key) === cell)
  return isSame ? session : { ...session, drivenSeq, cells }
}
