import type { Refusal } from "./refusal.ts"

/** A refusal with its place in the log. Row 0 is the header; offsets are of decompressed bytes. */
export interface LocatedRefusal {
  readonly refusal: Refusal
  readonly row: number
  readonly byteOffset: number
}
