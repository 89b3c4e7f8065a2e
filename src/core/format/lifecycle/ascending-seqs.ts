/** Seqs of a log that grow as they are added: eight bytes each, found by halving. */
export class AscendingSeqs {
  private readonly seqs: number[] = []

  /** Adds a seq that is higher than all before. */
  add(seq: number): void {
    this.seqs.push(seq)
  }

  has(seq: number): boolean {
    const { seqs } = this
    let low = 0
    let high = seqs.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((seqs[middle] as number) < seq) low = middle + 1
      else high = middle
    }
    return seqs[low] === seq
  }
}
