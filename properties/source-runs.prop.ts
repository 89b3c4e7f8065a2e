import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { JsonValue } from "#core/data/json"
import { citedFrom, citedTwice, runsHold, sortedRuns, sourceRunsOf } from "#core/log/source-runs"
import { withPairs } from "./arbitraries/dialect.ts"
import { citedSeqs } from "./model/naive-row.ts"

const seq = fc.nat({ max: 24 })

const wrong = fc.constantFrom<JsonValue>(
  -1,
  0.5,
  null,
  "1",
  [],
  [1],
  [1, 2, 3],
  [2, 1],
  [0, "1"],
  -0,
)

const pair = fc.tuple(seq, fc.nat({ max: 5 })).map(([first, more]) => [first, first + more])

/** Lists of every kind: as they come, growing, in storage form, with a wrong item now and then. */
const lists: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.array(seq, { maxLength: 8 }),
  fc.array(fc.oneof(seq, pair), { maxLength: 6 }),
  fc.uniqueArray(seq, { maxLength: 12 }).map((seqs) => withPairs(seqs.sort((a, b) => a - b))),
  fc
    .uniqueArray(seq, { maxLength: 12 })
    .map((seqs) => withPairs(seqs.sort((a, b) => a - b)).slice(1)),
  fc.array(fc.oneof({ arbitrary: seq, weight: 5 }, { arbitrary: wrong, weight: 1 }), {
    maxLength: 5,
  }),
  wrong,
)

describe("cited events as runs", () => {
  it("L37 L38 L39 L41: runs mean what the expanded list means", () => {
    const seen = { read: 0, refused: 0, twice: 0 }
    fc.assert(
      fc.property(lists, fc.nat({ max: 32 }), (value, at) => {
        const list = citedSeqs(value)
        const sources = sourceRunsOf(value)
        expect(sources === null).toBe(list === null)
        if (sources === null || list === null) {
          seen.refused++
          return
        }
        seen.read++
        expect(sources.length).toBe(list.length)
        expect(sources.isAscending).toBe(
          list.every((each, i) => i === 0 || each > (list[i - 1] ?? each)),
        )
        expect(citedFrom(sources, at)).toBe(list.find((each) => each >= at) ?? null)
        const repeated = list.filter((each, i) => list.indexOf(each) < i)
        const twice = citedTwice(sources)
        expect(twice === null).toBe(repeated.length === 0)
        if (twice !== null) {
          seen.twice++
          expect(repeated).toContain(twice)
          return
        }
        const sorted = sortedRuns(sources)
        for (let each = 0; each <= 32; each++)
          expect(runsHold(sorted, each)).toBe(list.includes(each))
      }),
    )
    expect(Math.min(seen.read, seen.refused, seen.twice)).toBeGreaterThan(0)
  })
})
