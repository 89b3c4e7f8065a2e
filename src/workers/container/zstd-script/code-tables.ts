import type { FseTable } from "./fse-table.ts"
import { emptyTable, fillTable } from "./fse-table.ts"

/** What the codes of one kind mean. */
export interface CodeKind {
  readonly maxAccuracy: number
  readonly maxSymbol: number
  readonly predefined: FseTable
}

const kindOf = (
  maxAccuracy: number,
  maxSymbol: number,
  accuracy: number,
  probabilities: readonly number[],
): CodeKind => {
  const predefined = emptyTable(accuracy)
  fillTable(predefined, accuracy, probabilities, probabilities.length)
  return { maxAccuracy, maxSymbol, predefined }
}

// numbers of RFC 8878, 3.1.1.3.2
const literalKind = kindOf(
  9,
  35,
  6,
  [
    4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1,
    -1, -1, -1, -1,
  ],
)
const offsetKind = kindOf(
  8,
  31,
  5,
  [1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1],
)
const matchKind = kindOf(
  9,
  52,
  6,
  [
    1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
  ],
)

/** Kinds of codes in the order of their tables: literal lengths, offsets, match lengths. */
export const codeKinds: readonly [CodeKind, CodeKind, CodeKind] = [
  literalKind,
  offsetKind,
  matchKind,
]

/** Codes of lengths: how many further bits each takes, and the least length that it means. */
interface LengthCodes {
  readonly bits: Uint8Array
  readonly bases: Int32Array
}

const lengthCodes = (plain: number, least: number, extra: readonly number[]): LengthCodes => {
  const bits = Uint8Array.from([...Array<number>(plain).fill(0), ...extra])
  const bases = new Int32Array(bits.length)
  let base = least
  for (const [code, count] of bits.entries()) {
    bases[code] = base
    base += 1 << count
  }
  return { bits, bases }
}

export const literalCodes: LengthCodes = lengthCodes(
  16,
  0,
  [1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
)
export const matchCodes: LengthCodes = lengthCodes(
  32,
  3,
  [1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
)
