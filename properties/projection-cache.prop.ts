import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { believedRows, storedSnapshot } from "#core/projection/believed-rows"
import { checkpointOf } from "#core/projection/checkpoint"
import { driveEvent } from "#core/projection/drive"
import { recordText } from "#core/projection/record"
import { restoreLog } from "#core/projection/restore-log"
import type { PaceMoment, PaceStep } from "#core/projection/write-pace"
import { allStored, stepPace } from "#core/projection/write-pace"
import { unitLogs } from "./arbitraries/unit-events.ts"
import { headerIn } from "./carriers.ts"
import { all, eventsIn, inherited, opened, right, shownAfter, sliceOf } from "./unit-runs.ts"

const paces = fc.record({
  everyEvents: fc.integer({ min: 1, max: 12 }),
  intervalMs: fc.integer({ min: 1, max: 4_000 }),
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
      { numRuns: 100 },
    )
  })
})
