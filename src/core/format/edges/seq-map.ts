/** Where the events of one log are in another: growing, so a few numbers tell it of any log. */
export interface SeqMap {
  /**
   * Runs of old seqs, each up to the next one: `newSeq` is the image of `oldSeq`, and those behind
   * it follow one by one; null where events of the old log have none.
   */
  readonly runs: readonly SeqRun[]
  /** Events that only the new log has, and the old event that each was made for. */
  readonly inserted: readonly InsertedSeq[]
  /** Numbers of events of both logs. */
  readonly oldCount: number
  readonly newCount: number
}

export interface SeqRun {
  readonly oldSeq: number
  readonly newSeq: number | null
}

export interface InsertedSeq {
  readonly newSeq: number
  /** Seq in the old log; null in a log without any event. */
  readonly anchor: number | null
}

// the last index whose key is at most `seq`, or −1
const indexAt = <T>(items: readonly T[], key: (item: T) => number, seq: number): number => {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (key(items[middle] as T) <= seq) low = middle + 1
    else high = middle
  }
  return low - 1
}

type RunsOf = Pick<SeqMap, "runs" | "oldCount">

/** The image of an old seq; null where it has none, being gone or beyond the end. */
export const newSeqOf = (map: RunsOf, seq: number): number | null => {
  const run = seq < map.oldCount ? map.runs[indexAt(map.runs, (r) => r.oldSeq, seq)] : undefined
  return run === undefined || run.newSeq === null ? null : run.newSeq + (seq - run.oldSeq)
}

/** The images of old seqs from `first` to `last` as pairs; `gone` is the first that has none. */
export const newRunsOf = (
  map: RunsOf,
  first: number,
  last: number,
): { readonly pairs: readonly (readonly [number, number])[]; readonly gone: number | null } => {
  const pairs: (readonly [number, number])[] = []
  let at = indexAt(map.runs, (run) => run.oldSeq, first)
  for (let seq = first; seq <= last; at++) {
    const run = map.runs[at]
    if (run === undefined || run.newSeq === null || seq >= map.oldCount) return { pairs, gone: seq }
    const until = Math.min(last, (map.runs[at + 1]?.oldSeq ?? map.oldCount) - 1)
    pairs.push([run.newSeq + (seq - run.oldSeq), run.newSeq + (until - run.oldSeq)])
    seq = until + 1
  }
  return { pairs, gone: null }
}

/** The old seq behind a new one: where it comes from, or what it was made for. */
export const oldSeqOf = (map: Pick<SeqMap, "runs" | "inserted">, seq: number): number | null => {
  const made = map.inserted[indexAt(map.inserted, (each) => each.newSeq, seq)]
  if (made?.newSeq === seq) return made.anchor
  const kept = map.runs.filter((run): run is SeqRun & { newSeq: number } => run.newSeq !== null)
  const run = kept[indexAt(kept, (each) => each.newSeq, seq)]
  // in a broken log the seqs of rows may be as large as any
  return run === undefined
    ? null
    : Math.min(run.oldSeq + (seq - run.newSeq), Number.MAX_SAFE_INTEGER)
}

/** A map that is being written, in the order of the new log. */
export class SeqMapDraft {
  readonly runs: SeqRun[] = []
  readonly inserted: InsertedSeq[] = []
  oldCount = 0
  newCount = 0

  /** Events that stay; the new seq of the first. Seqs that go backwards get the next place. */
  keep(oldSeq: number, count: number): number {
    const first = this.newCount
    this.advance(oldSeq, count, first)
    this.newCount += count
    return first
  }

  /** Events that have no image. */
  drop(oldSeq: number, count: number): void {
    this.advance(oldSeq, count, null)
  }

  /** An event of the new log alone; its seq. */
  insert(anchor: number | null): number {
    this.inserted.push({ newSeq: this.newCount, anchor })
    return this.newCount++
  }

  seal(): SeqMap {
    const { oldCount, newCount } = this
    return { runs: [...this.runs], inserted: [...this.inserted], oldCount, newCount }
  }

  private advance(seq: number, count: number, newSeq: number | null): void {
    const oldSeq = Math.min(Math.max(seq, this.oldCount), Number.MAX_SAFE_INTEGER - count)
    if (oldSeq > this.oldCount) this.push(this.oldCount, null)
    this.push(oldSeq, newSeq)
    this.oldCount = oldSeq + count
  }

  private push(oldSeq: number, newSeq: number | null): void {
    const last = this.runs.at(-1)
    const goesOn =
      last !== undefined &&
      (last.newSeq === null ? newSeq === null : newSeq === last.newSeq + (oldSeq - last.oldSeq))
    if (!goesOn) this.runs.push({ oldSeq, newSeq })
  }
}

/** The map through two logs. */
export const composeSeqMaps = (first: SeqMap, second: SeqMap): SeqMap => {
  const draft = new SeqMapDraft()
  for (const [i, run] of first.runs.entries()) {
    const end = first.runs[i + 1]?.oldSeq ?? first.oldCount
    for (let seq = run.oldSeq; seq < end;) {
      const middle = run.newSeq === null ? null : run.newSeq + (seq - run.oldSeq)
      const at = middle === null ? -1 : indexAt(second.runs, (each) => each.oldSeq, middle)
      const inner = second.runs[at]
      const stop = second.runs[at + 1]?.oldSeq ?? second.oldCount
      const count = middle === null ? end - seq : Math.min(end - seq, stop - middle)
      if (middle === null || inner === undefined || inner.newSeq === null) draft.drop(seq, count)
      else {
        draft.newCount = inner.newSeq + (middle - inner.oldSeq)
        draft.keep(seq, count)
      }
      seq += count
    }
  }
  const made = first.inserted.flatMap(({ newSeq, anchor }) => {
    const image = newSeqOf(second, newSeq)
    return image === null ? [] : [{ newSeq: image, anchor }]
  })
  const later = second.inserted.map(({ newSeq, anchor }) => ({
    newSeq,
    anchor: anchor === null ? null : oldSeqOf(first, anchor),
  }))
  return {
    runs: draft.runs,
    inserted: [...made, ...later].sort((a, b) => a.newSeq - b.newSeq),
    oldCount: first.oldCount,
    newCount: second.newCount,
  }
}
