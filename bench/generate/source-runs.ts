const shortestRun = 3

/**
 * The storage form of `sourceEventSeqs`: runs of three or more become `[first, last]`.
 *
 * shape   a list that is not strictly increasing is kept as it is, without runs
 */
export const sourceRuns = (seqs: readonly number[]): readonly (number | [number, number])[] => {
  for (let i = 1; i < seqs.length; i++) if (seqs[i]! <= seqs[i - 1]!) return seqs
  const runs: (number | [number, number])[] = []
  for (let first = 0; first < seqs.length;) {
    let last = first
    while (last + 1 < seqs.length && seqs[last + 1] === seqs[last]! + 1) last++
    if (last - first + 1 >= shortestRun) runs.push([seqs[first]!, seqs[last]!])
    else for (let i = first; i <= last; i++) runs.push(seqs[i]!)
    first = last + 1
  }
  return runs
}
