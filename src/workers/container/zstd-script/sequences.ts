import type { CodeKind } from "./code-tables.ts"
import { codeKinds, literalCodes, matchCodes } from "./code-tables.ts"
import type { FseTable } from "./fse-table.ts"
import { emptyTable, fillConstant, readTable } from "./fse-table.ts"
import type { Literals } from "./literals.ts"

const predefinedMode = 0
const rleMode = 1
const describedMode = 2

// offsets of more bits reach behind every window that is allowed
const maxOffsetBits = 27
// below this many bytes a loop is quicker than a call
const shortCopy = 24

/** What sequences of one block leave to those of the next. */
export interface SequenceState {
  /** Tables of literal lengths, offsets and match lengths; null before the first. */
  readonly tables: [FseTable | null, FseTable | null, FseTable | null]
  readonly rooms: readonly [FseTable, FseTable, FseTable]
  /** The last three offsets. */
  readonly recent: Int32Array
}

export const newSequences = (): SequenceState => ({
  tables: [null, null, null],
  rooms: [emptyTable(9), emptyTable(8), emptyTable(9)],
  recent: Int32Array.of(1, 4, 8),
})

/** Where a block is written: behind what was decoded, of which `reach` bytes can be referred to. */
export interface BlockOutput {
  readonly bytes: Uint8Array
  readonly at: number
  readonly reach: number
  readonly maxBytes: number
}

const readTableOf = (
  state: SequenceState,
  index: 0 | 1 | 2,
  kind: CodeKind,
  mode: number,
  bytes: Uint8Array,
  from: number,
  end: number,
): number => {
  const room = state.rooms[index]
  if (mode === predefinedMode) {
    state.tables[index] = kind.predefined
    return from
  }
  if (mode === rleMode) {
    const symbol = bytes[from] ?? 0
    if (from >= end || symbol > kind.maxSymbol) return -1
    fillConstant(room, symbol)
    state.tables[index] = room
    return from + 1
  }
  if (mode === describedMode) {
    state.tables[index] = room
    return readTable(room, bytes, from, end, kind.maxAccuracy, kind.maxSymbol)
  }
  return state.tables[index] === null ? -1 : from
}

const load = (bytes: Uint8Array, bit: number, count: number): number => {
  const byte = bit >> 3
  const word =
    (bytes[byte] ?? 0) |
    ((bytes[byte + 1] ?? 0) << 8) |
    ((bytes[byte + 2] ?? 0) << 16) |
    ((bytes[byte + 3] ?? 0) << 24)
  return (word >>> (bit & 7)) & ((1 << count) - 1)
}

/** Copies inside the output, also where source and target overlap. */
const copyMatch = (output: Uint8Array, to: number, offset: number, length: number): void => {
  if (length >= shortCopy && offset >= length) {
    output.copyWithin(to, to - offset, to - offset + length)
    return
  }
  for (let i = to; i < to + length; i++) output[i] = output[i - offset] ?? 0
}

/**
 * Reads the sequences section of a block from `from` to `end` and carries it out; how many bytes the
 * block has, or −1 where it is none.
 *
 * source  RFC 8878, 3.1.1.3.2 to 3.1.1.5
 */
export const runSequences = (
  state: SequenceState,
  literals: Literals,
  bytes: Uint8Array,
  from: number,
  end: number,
  { bytes: output, at: start, reach, maxBytes }: BlockOutput,
): number => {
  if (from >= end) return -1
  let at = from
  let count = bytes[at++] ?? 0
  if (count === 255) {
    count = (bytes[at] ?? 0) + ((bytes[at + 1] ?? 0) << 8) + 0x7f00
    at += 2
  } else if (count > 127) count = ((count - 128) << 8) + (bytes[at++] ?? 0)
  const { bytes: source, length: literalCount } = literals
  if (count === 0) {
    if (at !== end || literalCount > maxBytes) return -1
    output.set(source.subarray(0, literalCount), start)
    return literalCount
  }
  const modes = bytes[at++] ?? 0
  if ((modes & 3) !== 0 || at >= end) return -1
  for (const index of [0, 1, 2] as const) {
    const mode = (modes >>> (6 - 2 * index)) & 3
    at = readTableOf(state, index, codeKinds[index], mode, bytes, at, end)
    if (at < 0) return -1
  }
  const [literalTable, offsetTable, matchTable] = state.tables
  const last = bytes[end - 1] ?? 0
  if (literalTable === null || offsetTable === null || matchTable === null) return -1
  if (at >= end || last === 0) return -1
  const firstBit = at * 8
  let bit = (end - 1) * 8 + 31 - Math.clz32(last)
  let literalState = load(bytes, (bit -= literalTable.accuracy), literalTable.accuracy)
  let offsetState = load(bytes, (bit -= offsetTable.accuracy), offsetTable.accuracy)
  let matchState = load(bytes, (bit -= matchTable.accuracy), matchTable.accuracy)
  const { symbols: literalSymbols, bits: literalSteps, bases: literalNexts } = literalTable
  const { symbols: offsetSymbols, bits: offsetSteps, bases: offsetNexts } = offsetTable
  const { symbols: matchSymbols, bits: matchSteps, bases: matchNexts } = matchTable
  const { bits: literalBits, bases: literalBases } = literalCodes
  const { bits: matchBits, bases: matchBases } = matchCodes
  const { recent } = state
  let [recent0 = 1, recent1 = 4, recent2 = 8] = recent
  let out = start
  let taken = 0
  const outEnd = start + maxBytes
  for (let left = count; ;) {
    if (bit < firstBit) return -1
    const offsetCode = offsetSymbols[offsetState] ?? 0
    const matchCode = matchSymbols[matchState] ?? 0
    const literalCode = literalSymbols[literalState] ?? 0
    if (offsetCode > maxOffsetBits) return -1
    let value = 1 << offsetCode
    // a load gives at most 25 bits
    if (offsetCode > 16) {
      value += load(bytes, (bit -= offsetCode - 16), offsetCode - 16) << 16
      value += load(bytes, (bit -= 16), 16)
    } else value += load(bytes, (bit -= offsetCode), offsetCode)
    const matchExtra = matchBits[matchCode] ?? 0
    const length = (matchBases[matchCode] ?? 0) + load(bytes, (bit -= matchExtra), matchExtra)
    const literalExtra = literalBits[literalCode] ?? 0
    const run = (literalBases[literalCode] ?? 0) + load(bytes, (bit -= literalExtra), literalExtra)
    let offset: number
    if (value > 3) {
      offset = value - 3
      recent2 = recent1
      recent1 = recent0
      recent0 = offset
    } else {
      // without literals the codes mean the next of the recent ones
      const which = run === 0 ? value : value - 1
      offset = which === 0 ? recent0 : which === 1 ? recent1 : which === 2 ? recent2 : recent0 - 1
      if (which > 1) recent2 = recent1
      if (which > 0) recent1 = recent0
      recent0 = offset
    }
    if (taken + run > literalCount || out + run + length > outEnd) return -1
    if (run >= shortCopy) output.set(source.subarray(taken, taken + run), out)
    else for (let i = 0; i < run; i++) output[out + i] = source[taken + i] ?? 0
    out += run
    taken += run
    if (offset <= 0 || offset > reach + out - start) return -1
    copyMatch(output, out, offset, length)
    out += length
    if (--left === 0) break
    const literalStep = literalSteps[literalState] ?? 0
    literalState =
      (literalNexts[literalState] ?? 0) + load(bytes, (bit -= literalStep), literalStep)
    const matchStep = matchSteps[matchState] ?? 0
    matchState = (matchNexts[matchState] ?? 0) + load(bytes, (bit -= matchStep), matchStep)
    const offsetStep = offsetSteps[offsetState] ?? 0
    offsetState = (offsetNexts[offsetState] ?? 0) + load(bytes, (bit -= offsetStep), offsetStep)
  }
  if (bit !== firstBit) return -1
  recent.set([recent0, recent1, recent2])
  const rest = literalCount - taken
  if (out + rest > outEnd) return -1
  output.set(source.subarray(taken, literalCount), out)
  return out + rest - start
}
