import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import type { FormatVersion } from "#core/format/format"
import type { Fold } from "#core/fold/fold"
import { stepFold } from "#core/fold/fold"
import { product } from "#core/fold/product"
import { activityFold } from "#core/fold/activity-fold"
import { rowOf } from "#core/log/row"
import { viewCheckpoint } from "#core/projection/checkpoint"
import { foldedRows, projectionFold, registryFold } from "#core/projection/projection-fold"
import {
  applied,
  eventsOf,
  fussy,
  headerOf,
  host,
  pass,
  registryOf,
  rightOf,
  say,
  words,
} from "./session.ts"

const run = <Draft, State>(
  fold: Fold<Draft, State>,
  rows: readonly JsonObject[],
  version: FormatVersion = 4,
): State => {
  const header = headerOf(version)
  const draft = fold.begin(header)
  for (const each of rows) {
    const { facts, data } = rightOf(rowOf(header.format, each))
    stepFold(fold, draft, facts, data)
  }
  return fold.seal(draft)
}

describe("projectionFold", () => {
  const log = eventsOf([say("a"), pass, say("no"), say("b"), pass])

  it("PR32: folds one unit", () => {
    expect(run(projectionFold(words), log)).toStrictEqual({
      state: { words: ["a", "no", "b"] },
      observedSeq: 4,
      refusal: null,
    })
  })

  it("PR32: a packed run is one row, and the watermark is that of its last event", () => {
    const data = { turn: 1, step: 1, index: 0, dt: [1, 1], texts: ["a", "b", "c"] }
    const rows = [{ type: "text-chunks", seq0: 0, time0: 6, data }]
    expect(run(projectionFold(applied("a", 1)), rows, 1)).toMatchObject({
      state: { seqs: [0] },
      observedSeq: 2,
    })
  })

  it("PR32: a unit that refuses an event stays there", () => {
    expect(run(projectionFold(fussy("no")), log)).toStrictEqual({
      state: 1,
      observedSeq: 1,
      refusal: { code: "word-refused", seq: 2 },
    })
  })

  it("PR32: stands beside other folds in a product", () => {
    const both = product({ words: projectionFold(words), activity: activityFold })
    const { words: folded, activity } = run(both, log)
    expect(folded.state.words).toHaveLength(3)
    expect(activity.eventCount).toBe(5)
  })
})

describe("registryFold", () => {
  const registry = registryOf(words, host, fussy("no"))
  const log = eventsOf([say("a"), say("no")])
  const rows = foldedRows(registry, run(registryFold(registry), log))

  it("PR32: makes rows of all units, as far as each of them came", () => {
    expect(rows).toStrictEqual({
      words: { ver: 1, seq: 1, val: { words: ["a", "no"] } },
      host: { ver: 2, seq: 1, val: { words: ["a", "no"] } },
      fussy: { ver: 1, seq: 0, val: 1 },
    })
  })

  it("PR22 PR32: rows of a pass are viewed as any others", () => {
    expect(rightOf(viewCheckpoint(registry, rows))).toStrictEqual({
      words: { words: ["a", "no"] },
      fussy: 1,
    })
  })
})
