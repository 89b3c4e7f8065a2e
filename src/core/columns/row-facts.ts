import type { Format } from "../format/format.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import type { EventFacts, SurfaceOp } from "../log/event-facts.ts"
import type { NodeDetail } from "../surface/node.ts"
import type { UsageSample } from "../tokens/usage.ts"
import type { RowColumns } from "./row-columns.ts"
import { numbersPerSample, sourcesAt } from "./row-columns.ts"

/** The facts of a row, as the planner takes them; its times are in the counts of the range. */
export const factsAt = (
  format: Format,
  rows: RowColumns,
  row: number,
  type: string,
): EventFacts => ({
  type,
  seq: rows.seqs[row] as number,
  count: 1,
  timeMs: 0,
  lastTimeMs: 0,
  kind: format.kinds.get(type) ?? surfaceKind.none,
  op: rows.ops[row] as SurfaceOp,
  start: rows.starts[row] as number,
  end: rows.ends[row] as number,
  sources: sourcesAt(rows, row),
})

/** What is kept with the node of a row. */
export const detailAt = (rows: RowColumns, row: number): NodeDetail => ({
  tokens: rows.tokens[row] as number,
  derives: rows.derives[row] === 1,
  digest: rows.digests[row] as number,
  byteOffset: rows.byteOffsets[row] as number,
  byteLength: rows.byteLengths[row] as number,
})

/** A sample, and the time of its event. */
export interface TimedSample extends UsageSample {
  readonly timeMs: number
}

/** Walks the samples of a range along with its rows. */
export class SampleReader {
  private readonly samples: Float64Array
  private readonly length: number
  private at = 0

  constructor({ samples, sampleLength }: RowColumns) {
    this.samples = samples
    this.length = sampleLength
  }

  /** The next sample of a row, or null. */
  of(row: number): TimedSample | null {
    const { samples, length, at } = this
    if (at >= length || samples[at] !== row) return null
    this.at += numbersPerSample
    const bucket = (number: number): number => samples[at + 4 + number] as number
    return {
      turn: samples[at + 1] as number,
      step: samples[at + 2] as number,
      timeMs: samples[at + 3] as number,
      usage: Number.isNaN(bucket(0))
        ? null
        : {
            inputTokens: bucket(0),
            outputTokens: bucket(1),
            cacheReadTokens: bucket(2),
            cacheWriteTokens: bucket(3),
            reasoningTokens: bucket(4),
          },
    }
  }
}
