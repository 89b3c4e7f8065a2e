import type { LineRange } from "../log/line-range.ts"
import type { RowPlace } from "../format/lifecycle/findings.ts"
import type { LogRow } from "../log/row.ts"

/** A row that was read, and where it stands. */
export interface PlacedRow {
  readonly row: LogRow
  readonly at: LineRange
  readonly place: RowPlace
}
