/** A line of the log, for later. */
export interface LineRange {
  readonly byteOffset: number
  readonly byteLength: number
}
