import type { Finding } from "../data/relation-refusal.ts"
import type { FindingCode } from "../fold/code-layer.ts"
import type { RowPlace } from "../format/lifecycle/findings.ts"

/** A finding, and the row that it is about. */
export interface Found extends RowPlace {
  readonly finding: Finding
}

/** Findings of one code that are kept of one log; the others are counted. */
export const keptFindings = 1000

export const findingSeq = (finding: Finding): number | null =>
  "seq" in finding ? finding.seq : null

/** Everything that was found in a log, and how much of it there is. */
export class FindingList {
  private readonly list: Found[] = []
  private readonly counted: Map<FindingCode, number> = new Map()

  add(finding: Finding, { row, byteOffset }: RowPlace): void {
    const count = (this.counted.get(finding.code) ?? 0) + 1
    this.counted.set(finding.code, count)
    if (count <= keptFindings) this.list.push({ finding, row, byteOffset })
  }

  /** The findings in the order of the log; those of one row in the order they were made. */
  found(): readonly Found[] {
    return this.list.toSorted((a, b) => a.row - b.row)
  }

  /** How often each code was found, kept or not. */
  counts(): ReadonlyMap<FindingCode, number> {
    return this.counted
  }
}
