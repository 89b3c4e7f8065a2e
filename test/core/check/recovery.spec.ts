import { describe, expect, it } from "vitest"
import type { Recovery } from "#core/check/recovery"
import { RecoverySurvey } from "#core/check/recovery"

// every line is as long as every other, so that places can be told by counting
const line = 10

/** A row by its seq, or by its seq and its number of events; null is a line that is no row. */
type Line = number | readonly [seq: number, count: number] | null

const surveyed = (lines: readonly Line[], rest = 0): Recovery => {
  const survey = new RecoverySurvey()
  const at = (i: number): { byteOffset: number; byteLength: number } => ({
    byteOffset: i * line,
    byteLength: line - 1,
  })
  survey.begin(at(0))
  for (const [i, each] of lines.entries())
    if (each === null) survey.drop(at(i + 1))
    else if (typeof each === "number") survey.row(each, 1, at(i + 1))
    else survey.row(each[0], each[1], at(i + 1))
  return survey.finish({ byteOffset: (lines.length + 1) * line, byteLength: rest })
}

/** Ranges of lines by number, the header being line 0, without the last one. */
const bytes = (
  ...ranges: readonly (readonly [number, number])[]
): readonly { from: number; to: number }[] =>
  ranges.map(([from, to]) => ({ from: from * line, to: to * line }))

const branch = (eventCount: number, forkedAt: number, ...ranges: [number, number][]): object => ({
  eventCount,
  forkedAt,
  ranges: bytes(...ranges),
})

const part = (firstSeq: number, eventCount: number, range: [number, number]): object => ({
  firstSeq,
  eventCount,
  ...bytes(range)[0],
})

describe("the survey of a damaged log", () => {
  it("RC18: a log without damage is one branch, empty or not", () => {
    expect(surveyed([])).toStrictEqual({
      header: { byteOffset: 0, byteLength: 9 },
      branches: [branch(0, 0)],
      parts: [],
      dropped: [],
      tail: null,
    })
    expect(surveyed([0, 1, 2])).toMatchObject({ branches: [branch(3, 0, [1, 4])], parts: [] })
    // a packed run takes the seqs of its members
    expect(surveyed([0, [1, 4], 5])).toMatchObject({ branches: [branch(6, 0, [1, 4])] })
  })

  it("RC18: a line that is no row, and bytes behind the last newline, are told apart", () => {
    expect(surveyed([0, null, 1, null], 7)).toMatchObject({
      branches: [branch(2, 0, [1, 2], [3, 4])],
      parts: [],
      dropped: [
        { byteOffset: 20, byteLength: 9 },
        { byteOffset: 40, byteLength: 9 },
      ],
      tail: { byteOffset: 50, byteLength: 7 },
    })
  })

  it("RC19: rows behind missing events are parts; a lost line takes its events with it", () => {
    expect(surveyed([0, 1, 5, 6])).toMatchObject({
      branches: [branch(2, 0, [1, 3])],
      parts: [part(5, 2, [3, 5])],
    })
    expect(surveyed([0, null, 2, null, 3])).toMatchObject({
      branches: [branch(1, 0, [1, 2])],
      parts: [part(2, 1, [3, 4]), part(3, 1, [5, 6])],
    })
    expect(surveyed([3])).toMatchObject({ branches: [branch(0, 0)], parts: [part(3, 1, [1, 2])] })
  })

  it("RC20: a seq that is there already begins a branch of its own, where its row begins", () => {
    // the log of two clients: 0, 1, 2, 3 (end-seed), 1, 2
    expect(surveyed([0, 1, 2, 3, 1, 2])).toMatchObject({
      branches: [branch(4, 0, [1, 5]), branch(3, 1, [1, 2], [5, 7])],
      parts: [],
    })
    expect(surveyed([0, 1, 0, 1, 2])).toMatchObject({
      branches: [branch(2, 0, [1, 3]), branch(3, 0, [3, 6])],
    })
  })

  it("RC20: rows go on with the branch that waits for them, also when writers take turns", () => {
    expect(surveyed([0, 1, 2, 1, 3, 2])).toMatchObject({
      branches: [branch(4, 0, [1, 4], [5, 6]), branch(3, 1, [1, 2], [4, 5], [6, 7])],
    })
    // both wait for it: it belongs to the later one
    expect(surveyed([0, 1, 1, 2])).toMatchObject({
      branches: [branch(2, 0, [1, 3]), branch(3, 1, [1, 2], [3, 5])],
    })
    // a third one
    expect(surveyed([0, 1, 2, 1, 1])).toMatchObject({
      branches: [branch(3, 0, [1, 4]), branch(2, 1, [1, 2], [4, 5]), branch(2, 1, [1, 2], [5, 6])],
    })
  })

  it("RC20: a branch may leave another one behind a line that was dropped, or in a range of it", () => {
    expect(surveyed([0, null, 1, 2, 1])).toMatchObject({
      branches: [branch(3, 0, [1, 2], [3, 5]), branch(2, 1, [1, 2], [5, 6])],
    })
    expect(surveyed([0, null, 1, 2, 2])).toMatchObject({
      branches: [branch(3, 0, [1, 2], [3, 5]), branch(3, 2, [1, 2], [3, 4], [5, 6])],
    })
  })

  it("RC20: the middle of a run is no place to leave a branch from", () => {
    expect(surveyed([0, [1, 4], 5, 3])).toMatchObject({
      branches: [branch(6, 0, [1, 4])],
      parts: [part(3, 1, [4, 5])],
    })
    expect(surveyed([0, [1, 4], 5, 1])).toMatchObject({
      branches: [branch(6, 0, [1, 4]), branch(2, 1, [1, 2], [4, 5])],
    })
  })
})
