import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { believedRows, storedSnapshot } from "#core/projection/believed-rows"
import type { JsonObject } from "#core/data/json"
import type { SessionEvent } from "#core/log/envelope"
import { openCells } from "#core/projection/cells"
import type { ProjectionRows } from "#core/projection/checkpoint"
import { checkpointOf } from "#core/projection/checkpoint"
import { driveEvent } from "#core/projection/drive"
import type { ProjectionRegistry } from "#core/projection/registry"
import { recordText } from "#core/projection/record"
import { restoreLog } from "#core/projection/restore-log"
import type { PaceMoment, PaceStep } from "#core/projection/write-pace"
import { allStored, stepPace } from "#core/projection/write-pace"
import { contextPressure } from "#core/tokens/pressure-projection"
import { positionalBreakdown } from "#core/tokens/positional-breakdown-projection"
import { tokenUnit } from "#core/tokens/token-unit"
import { rowsOf, sessions } from "./arbitraries/sessions.ts"
import { unitLogs } from "./arbitraries/unit-events.ts"
import { unpacked } from "./arbitraries/unpack.ts"
import { headerIn } from "./carriers.ts"
import { fewRuns } from "./scale.ts"
import {
  all,
  eventsIn,
  inherited,
  opened,
  registryOf,
  right,
  shownAfter,
  sliceOf,
} from "./unit-runs.ts"

const paces = fc.record({
  everyEvents: fc.integer({ min: 1, max: 12 }),
  intervalMs: fc.integer({ min: 1, max: 4_000 }),
})

/** Sessions event by event, with a unit that lists live nodes and one that keeps a claim. */
const overTokens = registryOf([tokenUnit(positionalBreakdown), tokenUnit(contextPressure)])

describe("units over tokens in the registry", () => {
  it("TK14 PC10: stored at any event and restored = run from the start, each alone or together", () => {
    fc.assert(
      fc.property(sessions(), fc.nat(), fc.nat(), (session, n, m) => {
        const header = headerIn(session.header)
        const count = inherited(header)
        const events = rowsOf(session).flatMap((row) =>
          unpacked(session.version, row),
        ) as readonly JsonObject[] as readonly SessionEvent[]
        const end = n % (events.length + 1)
        const cut = m % (end + 1)
        const rowsOfAll = (registry: ProjectionRegistry, to: number): ProjectionRows =>
          right(
            checkpointOf(registry, openCells(registry, header, count, -1), sliceOf(events, 0, to)),
          )[1]
        const text = right(recordText(header, count, rowsOfAll(overTokens, cut), cut - 1))
        const { rows } = believedRows(text, header, null)
        const restored = right(
          restoreLog(overTokens, rows, (from) => sliceOf(events, from, end), header, count),
        )
        expect(restored.distrust).toBeNull()
        const whole = rowsOfAll(overTokens, end)
        expect(restored.rows).toEqual(whole)
        for (const { unit } of overTokens.units.values())
          expect(rowsOfAll(registryOf([unit]), end)).toEqual({ [unit.key]: whole[unit.key] })
      }),
    )
  })
})

describe("checkpoints that are stored on the way", () => {
  it("PC10: a session that is killed anywhere goes on from what was stored as from its whole log", () => {
    fc.assert(
      fc.property(
        unitLogs(),
        paces,
        fc.nat(),
        fc.nat(),
        fc.boolean(),
        (log, pace, n, m, isCountKnown) => {
          const events = eventsIn(log)
          const header = headerIn(log.header)
          const count = inherited(header)
          const killedAt = n % (events.length + 1)
          let cells = opened(log)
          let unstored = allStored
          let stored: string | null = null
          let durableSeq = -1
          const at = (moment: PaceMoment): void => {
            const step: PaceStep = stepPace(pace, unstored, moment)
            unstored = step.unstored
            if (!step.isDue) return
            const end = cells.drivenSeq + 1
            const [next, rows] = right(checkpointOf(all, cells, sliceOf(events, 0, end)))
            cells = next
            // the log is flushed between the cut and the write
            durableSeq = end - 1
            stored = right(recordText(header, count, rows, durableSeq))
            expect(right(storedSnapshot(all, stored, header))).toEqual({
              asOfSeq: end - 1,
              values: shownAfter(log, end),
            })
          }
          at({ is: "created" })
          for (const event of events.slice(0, killedAt)) {
            cells = right(driveEvent(all, cells, sliceOf(events, 0, event.seq + 1), event))[0]
            at({ is: "event", type: event.type, nowMs: event.time })
          }
          // what of the log is there depends on what the disk had taken
          const end = durableSeq + 1 + (m % (killedAt - durableSeq))
          const known = believedRows(stored, header, isCountKnown ? count : null)
          expect(known).toMatchObject({ inheritedEventCount: count, distrust: null })
          let readFrom = Infinity
          const restored = right(
            restoreLog(
              all,
              known.rows,
              (from) => {
                readFrom = from
                return sliceOf(events, from, end)
              },
              header,
              count,
            ),
          )
          expect(restored.distrust).toBeNull()
          expect(restored.refolded).toEqual([])
          expect(readFrom).toBe(Math.max(0, durableSeq))
          expect(restored.snapshot).toEqual({
            asOfSeq: end - 1,
            values: shownAfter(log, end),
          })
        },
      ),
      fewRuns(0.5),
    )
  })
})
