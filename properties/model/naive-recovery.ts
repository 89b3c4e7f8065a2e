/** A line of a damaged log: the first seq and the number of the events in it, or null for no row. */
export type NaiveLine = { readonly seq: number; readonly count: number } | null

/** What lines go into which file, by their numbers. */
export interface NaiveRecovery {
  readonly branches: readonly (readonly number[])[]
  readonly parts: readonly (readonly number[])[]
}

const endOf = (lines: readonly NaiveLine[], numbers: readonly number[]): number => {
  const last = lines[numbers.at(-1) ?? -1]
  return last === null || last === undefined ? 0 : last.seq + last.count
}

/**
 * Puts each row where it belongs, one by one: behind the row before it; else to the last branch that
 * waits for it; else into a branch of its own, which leaves the last one that has a row of this seq;
 * else apart.
 */
export const naiveRecovery = (lines: readonly NaiveLine[]): NaiveRecovery => {
  const branches: number[][] = [[]]
  const parts: number[][] = []
  let before: number[] | null = null
  for (const [i, line] of lines.entries()) {
    if (line === null) {
      before = null
      continue
    }
    const isNext = (numbers: readonly number[]): boolean => endOf(lines, numbers) === line.seq
    let place: number[] | undefined =
      before !== null && isNext(before) ? before : branches.findLast(isNext)
    if (place === undefined) {
      const left = branches.findLast((each) => each.some((n) => lines[n]?.seq === line.seq))
      place = left?.slice(
        0,
        left.findIndex((n) => lines[n]?.seq === line.seq),
      )
      if (place !== undefined) branches.push(place)
    }
    if (place === undefined) {
      place = []
      parts.push(place)
    }
    place.push(i)
    before = place
  }
  return { branches, parts }
}
