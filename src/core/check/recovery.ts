import type { LineRange } from "../fold/log-fold.ts"

/** Bytes of a log. */
interface Bytes {
  readonly from: number
  readonly to: number
}

/** Rows that follow each other without a fault, by the bytes and the seqs that they take. */
interface Segment extends Bytes {
  readonly firstSeq: number
  nextSeq: number
  to: number
  /** Seq and place of each row, in order. */
  readonly seqs: number[]
  readonly offsets: number[]
}

/** A log that can be made of parts of a damaged one. */
interface Branch {
  /** In order; the header is not among them. */
  readonly ranges: readonly Bytes[]
  readonly eventCount: number
  /** Seq from which on the branch is its own; 0 for the first one. */
  readonly forkedAt: number
}

/** Rows that are whole and belong behind events that are missing. */
interface Part extends Bytes {
  readonly firstSeq: number
  readonly eventCount: number
}

/** What a damaged log is made of. */
export interface Recovery {
  readonly header: LineRange
  /** At least one; more where several writers went on. */
  readonly branches: readonly Branch[]
  readonly parts: readonly Part[]
  /** Lines that are no rows. */
  readonly dropped: readonly LineRange[]
  /** Bytes after the last newline. */
  readonly tail: LineRange | null
}

interface Chain {
  ranges: Bytes[]
  nextSeq: number
  readonly forkedAt: number
  readonly segments: Segment[]
}

/**
 * Surveys a log line by line for what can be saved of it.
 *
 * shape   rows are judged by themselves and by their seqs alone: a rule that an event breaks is no
 *         damage, and nothing is cut for it
 * cost    16 bytes a row
 */
export class RecoverySurvey {
  private header: LineRange = { byteOffset: 0, byteLength: 0 }
  private readonly segments: Segment[] = []
  private readonly dropped: LineRange[] = []
  private isOpen = false

  /** Takes the header. */
  begin(at: LineRange): void {
    this.header = at
  }

  /** Takes a row that is whole. */
  row(seq: number, count: number, { byteOffset, byteLength }: LineRange): void {
    const last = this.segments.at(-1)
    const to = byteOffset + byteLength + 1
    if (this.isOpen && last !== undefined && last.nextSeq === seq) {
      last.nextSeq = seq + count
      last.to = to
      last.seqs.push(seq)
      last.offsets.push(byteOffset)
      return
    }
    this.isOpen = true
    const nextSeq = seq + count
    const places = { seqs: [seq], offsets: [byteOffset] }
    this.segments.push({ from: byteOffset, to, firstSeq: seq, nextSeq, ...places })
  }

  /** Takes a line that is no row. */
  drop(at: LineRange): void {
    this.dropped.push(at)
    this.isOpen = false
  }

  finish(rest: LineRange): Recovery {
    const chains: Chain[] = [{ ranges: [], nextSeq: 0, forkedAt: 0, segments: [] }]
    const parts: Part[] = []
    for (const segment of this.segments) {
      const { from, to, firstSeq, nextSeq } = segment
      const chain = chains.findLast((each) => each.nextSeq === firstSeq) ?? forked(chains, firstSeq)
      if (chain === null) {
        parts.push({ from, to, firstSeq, eventCount: nextSeq - firstSeq })
        continue
      }
      if (!chains.includes(chain)) chains.push(chain)
      chain.ranges.push({ from, to })
      chain.segments.push(segment)
      chain.nextSeq = nextSeq
    }
    return {
      header: this.header,
      branches: chains.map(({ ranges, nextSeq, forkedAt }) => ({
        ranges,
        eventCount: nextSeq,
        forkedAt,
      })),
      parts,
      dropped: this.dropped,
      tail: rest.byteLength > 0 ? rest : null,
    }
  }
}

// a branch that leaves another one where a row of it begins
const forked = (chains: readonly Chain[], seq: number): Chain | null => {
  for (const chain of chains.toReversed()) {
    const ranges: Bytes[] = []
    const kept: Segment[] = []
    for (const segment of chain.segments) {
      const row = seq < segment.nextSeq ? rowAt(segment, seq) : segment.seqs.length
      if (row === null) break
      const to = segment.offsets[row] ?? segment.to
      if (to > segment.from) {
        ranges.push({ from: segment.from, to })
        kept.push(segment)
      }
      if (row < segment.seqs.length)
        return { ranges, nextSeq: seq, forkedAt: seq, segments: kept.map((each) => cut(each, seq)) }
    }
  }
  return null
}

const rowAt = ({ seqs, firstSeq }: Segment, seq: number): number | null => {
  if (seq < firstSeq) return null
  let low = 0
  let high = seqs.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((seqs[middle] as number) < seq) low = middle + 1
    else high = middle
  }
  return seqs[low] === seq ? low : null
}

const cut = (segment: Segment, seq: number): Segment => {
  const rows = rowAt(segment, seq) ?? segment.seqs.length
  return {
    ...segment,
    to: segment.offsets[rows] ?? segment.to,
    nextSeq: Math.min(segment.nextSeq, seq),
    seqs: segment.seqs.slice(0, rows),
    offsets: segment.offsets.slice(0, rows),
  }
}
