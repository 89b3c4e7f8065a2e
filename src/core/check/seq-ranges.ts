/** Seqs as ranges that are added in order: memory for each range, found by halving. */
export class SeqRanges {
  private readonly starts: number[] = []
  // each one past the last of its range
  private readonly ends: number[] = []

  get isEmpty(): boolean {
    return this.starts.length === 0
  }

  /** Adds `count` seqs that are higher than all before. */
  add(seq: number, count: number): void {
    const last = this.ends.length - 1
    if (this.ends[last] === seq) this.ends[last] = seq + count
    else {
      this.starts.push(seq)
      this.ends.push(seq + count)
    }
  }

  /** Whether any of them is higher than a seq. */
  hasAfter(seq: number): boolean {
    return (this.ends[this.ends.length - 1] ?? 0) - 1 > seq
  }

  has(seq: number): boolean {
    const { starts } = this
    let low = 0
    let high = starts.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((starts[middle] as number) <= seq) low = middle + 1
      else high = middle
    }
    return low > 0 && seq < (this.ends[low - 1] as number)
  }
}
