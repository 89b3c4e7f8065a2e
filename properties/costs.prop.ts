import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { stepFold } from "#core/fold/fold"
import type { CostFigures } from "#core/tokens/cost-figures"
import { addCosts, noCosts } from "#core/tokens/cost-figures"
import type { CostState } from "#core/tokens/cost-fold"
import { costFold } from "#core/tokens/cost-fold"
import { cuts } from "./arbitraries/lines.ts"
import { reportedLogs } from "./arbitraries/reported.ts"
import { headerIn, rightRow } from "./carriers.ts"
import { logOf, readByLines, readByRanges } from "./memory-reading.ts"
import { naiveCost, somePrices } from "./model/naive-costs.ts"
import { expectAllSeen } from "./seen.ts"

const byCause = (cost: object): object => {
  const { unpriced, ...rest } = cost as CostFigures
  const causes = unpriced.map((each) => JSON.stringify(each, Object.keys(each).toSorted()))
  return { ...rest, unpriced: causes.toSorted() }
}

describe("costs of a log", () => {
  it("TZ20: are the naive sum, stored as text and gone on from anywhere", () => {
    const seen = { cost: 0, unpriced: 0, cut: 0, stored: 0 }
    const fold = costFold(somePrices)
    fc.assert(
      fc.property(reportedLogs, fc.array(fc.boolean(), { minLength: 1 }), (log, stops) => {
        let draft = fold.begin(headerIn(log.header))
        for (const [i, row] of log.rows.entries()) {
          if (stops[i % stops.length] === true) {
            draft = fold.resume(JSON.parse(JSON.stringify(fold.seal(draft))) as CostState)
            seen.stored++
          }
          const { facts, data } = rightRow(log.version, row)
          stepFold(fold, draft, facts, data)
        }
        const { figures } = fold.seal(draft)
        expect(byCause(figures)).toEqual(byCause(naiveCost(log.header, log.rows)))
        if (figures.picoUsd !== "0") seen.cost++
        seen.unpriced += figures.unpriced.length
        if (log.header["parentSession"] !== undefined) seen.cut++
      }),
    )
    expectAllSeen(seen)
  })

  it("TZ26: are the same from rows and from columns in any ranges", () => {
    const seen = { ranges: 0, cost: 0 }
    fc.assert(
      fc.property(reportedLogs, cuts, (log, each) => {
        const bytes = logOf(log, "")
        const lines = readByLines(bytes, Infinity)
        const { status, fold } = lines.finish()
        const cost = fold?.costFigures() ?? null
        if (cost === null || status === "refused") return
        expect(byCause(cost)).toEqual(byCause(naiveCost(log.header, log.rows)))
        const ranges = readByRanges(log.version, bytes, Infinity, each)
        if (ranges === null) return
        seen.ranges++
        if (cost.picoUsd !== "0") seen.cost++
        expect(ranges.finish().fold?.costFigures()).toEqual(cost)
      }),
    )
    expectAllSeen(seen)
  })

  it("TZ27: of an archive are the same sum in any order", () => {
    fc.assert(
      fc.property(fc.array(reportedLogs, { maxLength: 4 }), (logs) => {
        const each = logs.map(({ header, rows }) => naiveCost(header, rows) as CostFigures)
        const sum = each.reduce(addCosts, noCosts)
        expect(each.toReversed().reduce(addCosts, noCosts)).toEqual(sum)
        expect(sum.picoUsd).toBe(String(each.reduce((a, b) => a + BigInt(b.picoUsd), 0n)))
        const causes = each.flatMap(({ unpriced }) => unpriced)
        const reports = (list: typeof causes): number => list.reduce((a, b) => a + b.reports, 0)
        expect(reports(sum.unpriced as typeof causes)).toBe(reports(causes))
      }),
    )
  })
})
