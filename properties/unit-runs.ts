import type { Either } from "fp-ts/lib/Either.js"
import { isLeft } from "fp-ts/lib/Either.js"
import type { SessionEvent } from "#core/log/envelope"
import type { LogHeader } from "#core/log/header"
import { builtInUnits } from "#core/projection/builtin/built-in-units"
import type { EventSlice } from "#core/projection/advance"
import type { SessionCells } from "#core/projection/cells"
import { openCells } from "#core/projection/cells"
import type { AnyProjection, Unit } from "#core/projection/definition"
import type { ProjectionRegistry } from "#core/projection/registry"
import { noUnits, registerUnits } from "#core/projection/registry"
import type { UnitLog } from "./arbitraries/unit-events.ts"
import { headerIn, rightRow } from "./carriers.ts"

export const right = <A>(verdict: Either<unknown, A>): A => {
  if (isLeft(verdict)) throw new Error(JSON.stringify(verdict.left))
  return verdict.right
}

export const registryOf = (units: readonly AnyProjection[]): ProjectionRegistry =>
  right(registerUnits(noUnits, units))

/** The units that come with the library. */
export const all: ProjectionRegistry = registryOf(builtInUnits)
const allUnits = builtInUnits as readonly Unit[]

export const eventsIn = (log: UnitLog): readonly SessionEvent[] =>
  log.events as readonly SessionEvent[]

export const sliceOf = (
  events: readonly SessionEvent[],
  from = 0,
  to = events.length,
): EventSlice => ({
  baseSeq: from,
  events: events.slice(from, to),
})

export const inherited = (header: LogHeader): number => header.seedLength ?? 0

export const opened = (log: UnitLog, registry = all): SessionCells => {
  const header = headerIn(log.header)
  return openCells(registry, header, inherited(header), -1)
}

/** What each unit shows after so many events: a plain loop over that unit alone. */
export const shownAfter = (log: UnitLog, count: number): Readonly<Record<string, unknown>> => {
  const header = headerIn(log.header)
  return Object.fromEntries(
    allUnits.map((unit) => {
      let state = unit.init(header, inherited(header))
      for (const event of log.events.slice(0, count)) {
        const { facts, data } = rightRow(log.version, event)
        state = right(unit.apply(state, facts, unit.reads.has(facts.type) ? data : undefined))
      }
      return [unit.key, unit.wire?.view(state)]
    }),
  )
}
