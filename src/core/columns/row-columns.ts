import type { EventFacts } from "../log/event-facts.ts"
import type { SourceRuns } from "../log/source-runs.ts"
import type { Refusal } from "../data/refusal.ts"

const firstRows = 256
// row, turn, step and time, then the buckets
const placeCount = 4
const bucketCount = 5
/** Numbers of one sample. */
export const numbersPerSample: number = placeCount + bucketCount

/**
 * The rows of a range that some fold needs, as columns; one entry a row unless said otherwise, and
 * maybe more room behind the last one. Plain data: the buffers are moved between threads.
 */
export interface RowColumns {
  readonly rowCount: number
  readonly seqs: Float64Array
  /** Index of the event type in the vocabulary of the format. */
  readonly types: Uint8Array
  readonly ops: Uint8Array
  readonly starts: Float64Array
  readonly ends: Float64Array
  /** Where the citations of a row begin in `runs`, in numbers; −1 for a row that cites nothing. */
  readonly runStarts: Int32Array
  /** For each citing row: number of run bounds, whether they grow, cited events; then the bounds. */
  readonly runs: Float64Array
  readonly tokens: Float64Array
  /** 1 where a message comes of the row. */
  readonly derives: Uint8Array
  /** Keyed digest of a tool result without its content; 0 where there is none. */
  readonly digests: Float64Array
  readonly byteOffsets: Float64Array
  readonly byteLengths: Float64Array
  /** Numbers in `samples`. */
  readonly sampleLength: number
  /** For each row that tells of usage: row, turn, step, time, and five buckets or NaN for a new attempt. */
  readonly samples: Float64Array
}

/** What the rows of a range add up to, kept or not. */
export interface RangeCounts {
  readonly eventCount: number
  readonly turnCount: number
  readonly stepCount: number
  /** NaN in a range without events. */
  readonly firstSeq: number
  readonly firstTimeMs: number
  readonly lastTimeMs: number
  readonly lineCount: number
  /** Lines that the parser had to read. */
  readonly fallbackCount: number
}

/** Where a range ended before its last line: a refused row, or the last one that was asked for. */
export interface RangeStop {
  /** Null where the prefix that was asked for is complete. */
  readonly refusal: Refusal | null
  /** Whether the refused row is the last of the columns, for the planner to judge first. */
  readonly isPlanned: boolean
  /** Number of the line in its range, and its place. */
  readonly line: number
  readonly byteOffset: number
}

/** One range of a log, scanned. */
export interface RangeScan {
  readonly rows: RowColumns
  readonly counts: RangeCounts
  readonly stop: RangeStop | null
}

/** What is kept of one row beside its facts. */
export interface RowExtras {
  readonly tokens: number
  readonly derives: boolean
  readonly digest: number
  readonly byteOffset: number
  readonly byteLength: number
}

const longer = <A extends Float64Array | Uint8Array | Int32Array>(old: A, into: A): A => {
  into.set(old)
  return into
}

/** Columns that are being filled; kept and filled again for the next block. */
export class RowWriter {
  private count = 0
  private seqs: Float64Array = new Float64Array(firstRows)
  private types: Uint8Array = new Uint8Array(firstRows)
  private ops: Uint8Array = new Uint8Array(firstRows)
  private starts: Float64Array = new Float64Array(firstRows)
  private ends: Float64Array = new Float64Array(firstRows)
  private runStarts: Int32Array = new Int32Array(firstRows)
  private tokens: Float64Array = new Float64Array(firstRows)
  private derives: Uint8Array = new Uint8Array(firstRows)
  private digests: Float64Array = new Float64Array(firstRows)
  private byteOffsets: Float64Array = new Float64Array(firstRows)
  private byteLengths: Float64Array = new Float64Array(firstRows)
  private runs: Float64Array = new Float64Array(firstRows)
  private runCount = 0
  private samples: Float64Array = new Float64Array(firstRows)
  private sampleLength = 0

  get rowCount(): number {
    return this.count
  }

  clear(): void {
    this.count = 0
    this.runCount = 0
    this.sampleLength = 0
  }

  /** Adds a row. */
  row(facts: EventFacts, type: number, extras: RowExtras): void {
    if (this.count === this.seqs.length) this.grow()
    const at = this.count++
    this.seqs[at] = facts.seq
    this.types[at] = type
    this.ops[at] = facts.op
    this.starts[at] = facts.start
    this.ends[at] = facts.end
    this.runStarts[at] = facts.sources === null ? -1 : this.cite(facts.sources)
    this.tokens[at] = extras.tokens
    this.derives[at] = extras.derives ? 1 : 0
    this.digests[at] = extras.digest
    this.byteOffsets[at] = extras.byteOffset
    this.byteLengths[at] = extras.byteLength
  }

  /** Says what the last row tells of usage; no buckets for the start of a retry. */
  sample(turn: number, step: number, timeMs: number, buckets: ArrayLike<number>): void {
    const at = this.sampleLength
    this.sampleLength += numbersPerSample
    if (this.sampleLength > this.samples.length)
      this.samples = longer(this.samples, new Float64Array(this.samples.length * 2))
    const { samples } = this
    samples[at] = this.count - 1
    samples[at + 1] = turn
    samples[at + 2] = step
    samples[at + 3] = timeMs
    for (let bucket = 0; bucket < bucketCount; bucket++)
      samples[at + placeCount + bucket] = buckets[bucket] ?? NaN
  }

  /** A view of what was written; valid until the next write. */
  view(): RowColumns {
    return {
      rowCount: this.count,
      seqs: this.seqs,
      types: this.types,
      ops: this.ops,
      starts: this.starts,
      ends: this.ends,
      runStarts: this.runStarts,
      runs: this.runs,
      tokens: this.tokens,
      derives: this.derives,
      digests: this.digests,
      byteOffsets: this.byteOffsets,
      byteLengths: this.byteLengths,
      sampleLength: this.sampleLength,
      samples: this.samples,
    }
  }

  private cite(sources: SourceRuns): number {
    const at = this.runCount
    const { runs } = sources
    while (at + 3 + runs.length > this.runs.length)
      this.runs = longer(this.runs, new Float64Array(this.runs.length * 2))
    this.runs[at] = runs.length
    this.runs[at + 1] = sources.isAscending ? 1 : 0
    this.runs[at + 2] = sources.length
    this.runs.set(runs, at + 3)
    this.runCount = at + 3 + runs.length
    return at
  }

  private grow(): void {
    const rows = this.count * 2
    this.seqs = longer(this.seqs, new Float64Array(rows))
    this.types = longer(this.types, new Uint8Array(rows))
    this.ops = longer(this.ops, new Uint8Array(rows))
    this.starts = longer(this.starts, new Float64Array(rows))
    this.ends = longer(this.ends, new Float64Array(rows))
    this.runStarts = longer(this.runStarts, new Int32Array(rows))
    this.tokens = longer(this.tokens, new Float64Array(rows))
    this.derives = longer(this.derives, new Uint8Array(rows))
    this.digests = longer(this.digests, new Float64Array(rows))
    this.byteOffsets = longer(this.byteOffsets, new Float64Array(rows))
    this.byteLengths = longer(this.byteLengths, new Float64Array(rows))
  }
}

/** The citations of a row, as they were written. */
export const sourcesAt = (rows: RowColumns, row: number): SourceRuns | null => {
  const at = rows.runStarts[row] as number
  if (at < 0) return null
  const bounds = rows.runs[at] as number
  const runs: number[] = []
  for (let bound = 0; bound < bounds; bound++) runs.push(rows.runs[at + 3 + bound] as number)
  return {
    runs,
    length: rows.runs[at + 2] as number,
    isAscending: rows.runs[at + 1] === 1,
  }
}

/**
 * The rows in one piece of memory without room behind, to be handed to another thread.
 *
 * @param room  makes the memory: bytes that several threads may share
 */
export const packedRows = (
  rows: RowColumns,
  room: (byteLength: number) => ArrayBufferLike,
): RowColumns => {
  const { rowCount, sampleLength } = rows
  const runLength = runLengthOf(rows)
  const memory = room((7 * rowCount + runLength + sampleLength) * 8 + rowCount * 7)
  let at = 0
  // longest numbers first, so that each column begins at a multiple of its own
  const doubles = (from: Float64Array, length: number): Float64Array => {
    const column = new Float64Array(memory, at, length)
    column.set(from.subarray(0, length))
    at += length * 8
    return column
  }
  const bytes = (from: Uint8Array): Uint8Array => {
    const column = new Uint8Array(memory, at, rowCount)
    column.set(from.subarray(0, rowCount))
    at += rowCount
    return column
  }
  const wide = {
    seqs: doubles(rows.seqs, rowCount),
    starts: doubles(rows.starts, rowCount),
    ends: doubles(rows.ends, rowCount),
    tokens: doubles(rows.tokens, rowCount),
    digests: doubles(rows.digests, rowCount),
    byteOffsets: doubles(rows.byteOffsets, rowCount),
    byteLengths: doubles(rows.byteLengths, rowCount),
    runs: doubles(rows.runs, runLength),
    samples: doubles(rows.samples, sampleLength),
  }
  const runStarts = new Int32Array(memory, at, rowCount)
  runStarts.set(rows.runStarts.subarray(0, rowCount))
  at += rowCount * 4
  return {
    ...wide,
    rowCount,
    sampleLength,
    runStarts,
    types: bytes(rows.types),
    ops: bytes(rows.ops),
    derives: bytes(rows.derives),
  }
}

const runLengthOf = ({ rowCount, runStarts, runs }: RowColumns): number => {
  for (let row = rowCount - 1; row >= 0; row--) {
    const at = runStarts[row] as number
    if (at >= 0) return at + 3 + (runs[at] as number)
  }
  return 0
}
