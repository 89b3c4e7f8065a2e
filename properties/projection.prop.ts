import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { SessionEvent } from "#core/log/envelope"
import { stepFold } from "#core/fold/fold"
import { builtInUnits } from "#core/projection/builtin/built-in-units"
import type { SessionCells } from "#core/projection/cells"
import { openCells } from "#core/projection/cells"
import type { ProjectionRow, ProjectionRows } from "#core/projection/checkpoint"
import { checkpointOf, viewCheckpoint } from "#core/projection/checkpoint"
import type { ViewChange } from "#core/projection/drive"
import { driveEvent } from "#core/projection/drive"
import { hydrateCells } from "#core/projection/hydrate"
import { foldedRows, registryFold } from "#core/projection/projection-fold"
import type { Snapshot } from "#core/projection/read"
import { cachedSnapshot, snapshotOf } from "#core/projection/read"
import { restoreFloor, restoreRows } from "#core/projection/restore"
import type { UnitLog } from "./arbitraries/unit-events.ts"
import { unitLogs } from "./arbitraries/unit-events.ts"
import { headerIn, rightRow } from "./carriers.ts"
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

const text = (value: unknown): string => JSON.stringify(value)

const deepFreeze = <A>(value: A): A => {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) deepFreeze(inner)
  }
  return value
}

const frozenSession = (session: SessionCells): SessionCells => {
  for (const cell of session.cells.values()) {
    deepFreeze(cell.state)
    deepFreeze(cell.told.state)
    Object.freeze(cell)
  }
  return Object.freeze(session)
}

const cut = fc.nat({ max: 120 })

describe("driving", () => {
  it("PR9: tells a unit when what it shows is another than before, and only then", () => {
    fc.assert(
      fc.property(unitLogs(), (log) => {
        const events = eventsIn(log)
        let cells = opened(log)
        let before = shownAfter(log, 0)
        for (const [i, event] of events.entries()) {
          const [next, { changes, refusals }] = right(
            driveEvent(all, cells, sliceOf(events, 0, i + 1), event),
          )
          cells = next
          const after = shownAfter(log, i + 1)
          const expected = builtInUnits.flatMap(({ key }) =>
            text(before[key]) === text(after[key]) ? [] : [{ key, value: after[key], asOfSeq: i }],
          )
          expect(refusals).toEqual([])
          expect(changes).toEqual(expected)
          before = after
        }
      }),
      { numRuns: 60 },
    )
  })

  it("PR11: reading in between changes nothing that is told", () => {
    fc.assert(
      fc.property(
        unitLogs(),
        fc.array(fc.boolean(), { minLength: 1 }),
        fc.nat(),
        (log, reads, n) => {
          const events = eventsIn(log)
          const past = n % (events.length + 1)
          const header = headerIn(log.header)
          const run = (isRead: (i: number) => boolean): readonly ViewChange[] => {
            let cells = openCells(all, header, inherited(header), past - 1)
            const told: ViewChange[] = []
            for (let i = past; i < events.length; i++) {
              const slice = sliceOf(events, 0, i + 1)
              if (isRead(i)) cells = right(snapshotOf(all, cells, slice))[0]
              const [next, { changes }] = right(
                driveEvent(all, cells, slice, events[i] as SessionEvent),
              )
              cells = next
              for (const change of changes) told.push(change)
            }
            return told
          }
          const told = run((i) => reads[i % reads.length] === true)
          expect(told).toEqual(run(() => false))
        },
      ),
    )
  })
})

describe("snapshots", () => {
  it("PR33: one cut = the log up to there, folded anew, whatever was driven and read before", () => {
    fc.assert(
      fc.property(
        unitLogs(),
        fc.array(fc.tuple(fc.boolean(), cut), { maxLength: 5 }),
        (log, ways) => {
          const events = eventsIn(log)
          let cells = opened(log)
          let seen: Snapshot | null = null
          const shown = Array.from({ length: events.length + 1 }, (_, n) => shownAfter(log, n))
          const ends = ways.map(([, at]) => at % (events.length + 1)).sort((x, y) => x - y)
          for (const [i, end] of ends.entries()) {
            const slice = sliceOf(events, 0, end)
            const last = slice.events.at(-1)
            if (ways[i]?.[0] === true && last !== undefined)
              cells = right(driveEvent(all, cells, slice, last))[0]
            const [next, snapshot] = right(snapshotOf(all, cells, slice))
            cells = next
            expect(snapshot).toEqual({ asOfSeq: end - 1, values: shown[end] })
            expect(right(cachedSnapshot(all, cells))).toEqual(snapshot)
            // what showed no difference on the way is the same object
            const way = shown.slice((seen?.asOfSeq ?? end) + 1, end + 1)
            for (const [key, value] of Object.entries(snapshot.values))
              if (seen !== null && way.every((each) => text(each[key]) === text(value)))
                expect(value).toBe(seen.values[key])
            expect(right(snapshotOf(all, cells, slice))[0]).toBe(cells)
            seen = snapshot
          }
        },
      ),
    )
  })

  it("PR31: many units in one pass = each of them alone", () => {
    fc.assert(
      fc.property(unitLogs(), (log) => {
        const slice = sliceOf(eventsIn(log))
        const [, rows] = right(checkpointOf(all, opened(log), slice))
        for (const unit of builtInUnits) {
          const alone = registryOf([unit])
          const [, one] = right(checkpointOf(alone, opened(log, alone), slice))
          expect(one).toEqual({ [unit.key]: rows[unit.key] })
        }
      }),
    )
  })
})

describe("checkpoints", () => {
  // rows of several checkpoints, as stores keep them that were written at different times
  const rowsAt = (log: UnitLog, cuts: readonly number[]): ProjectionRows => {
    const events = eventsIn(log)
    const rows = builtInUnits.map(({ key }, i): readonly [string, ProjectionRow] => {
      const end = (cuts[i % cuts.length] ?? 0) % (events.length + 1)
      const [, each] = right(checkpointOf(all, opened(log), sliceOf(events, 0, end)))
      return [key, each[key] ?? { ver: -1, seq: -1, val: null }]
    })
    return JSON.parse(text(Object.fromEntries(rows))) as ProjectionRows
  }

  it("PR30: restored from the floor on = the whole log, folded", () => {
    fc.assert(
      fc.property(unitLogs(), fc.array(cut, { minLength: 1, maxLength: 8 }), (log, cuts) => {
        const events = eventsIn(log)
        const header = headerIn(log.header)
        const rows = rowsAt(log, cuts)
        const [, whole] = right(checkpointOf(all, opened(log), sliceOf(events)))
        const end = sliceOf(events, restoreFloor(all, rows) ?? 0)
        const restored = right(restoreRows(all, rows, end, header, inherited(header)))
        expect(restored.rows).toEqual(whole)
        expect(restored.refolded).toEqual([])
        expect(restored.snapshot).toEqual({
          asOfSeq: events.length - 1,
          values: shownAfter(log, events.length),
        })
        expect(right(viewCheckpoint(all, restored.rows))).toEqual(restored.snapshot.values)
        const late = openCells(all, header, inherited(header), events.length - 1)
        const [cells, snapshot] = right(hydrateCells(all, late, rows, end))
        expect(snapshot).toEqual(restored.snapshot)
        expect(right(snapshotOf(all, cells, end))[1]).toEqual(restored.snapshot)
      }),
    )
  })

  it("PR29: deep-frozen inputs are never written to", () => {
    fc.assert(
      fc.property(unitLogs(), cut, (log, at) => {
        const events = deepFreeze(eventsIn(log))
        const half = at % (events.length + 1)
        const before = text(events)
        const header = headerIn(log.header)
        let cells = frozenSession(opened(log))
        for (const event of events.slice(0, half))
          cells = frozenSession(
            right(driveEvent(all, cells, sliceOf(events, 0, event.seq + 1), event))[0],
          )
        const [, rows] = right(checkpointOf(all, cells, sliceOf(events, 0, half)))
        deepFreeze(rows)
        const end = sliceOf(events, restoreFloor(all, rows) ?? 0)
        const restored = right(restoreRows(all, rows, end, header, inherited(header)))
        const [there] = right(hydrateCells(all, cells, rows, end))
        frozenSession(there)
        expect(right(snapshotOf(all, there, end))[1]).toEqual(restored.snapshot)
        expect(text(events)).toBe(before)
      }),
    )
  })
})

describe("units as folds", () => {
  it("PR32: a pass over rows, cut anywhere = driving through the events", () => {
    fc.assert(
      fc.property(unitLogs(), fc.array(cut, { maxLength: 4 }), (log, cuts) => {
        const events = eventsIn(log)
        const fold = registryFold(all)
        let draft = fold.begin(headerIn(log.header))
        for (const [i, each] of log.rows.entries()) {
          if (cuts.includes(i)) draft = fold.resume(fold.seal(draft))
          const row = rightRow(log.version, each)
          stepFold(fold, draft, row.facts, row.data)
        }
        let cells = opened(log)
        for (const event of events)
          cells = right(driveEvent(all, cells, sliceOf(events, 0, event.seq + 1), event))[0]
        const [, driven] = right(checkpointOf(all, cells, sliceOf(events)))
        expect(foldedRows(all, fold.seal(draft))).toEqual(driven)
      }),
    )
  })
})
