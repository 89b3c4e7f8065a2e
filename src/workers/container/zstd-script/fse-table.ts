/** A decoding table of finite state entropy: each state gives a symbol and says how to go on. */
export interface FseTable {
  /** Number of bits of a state. */
  accuracy: number
  readonly symbols: Uint8Array
  /** Bits to read for the next state, and what to add to them. */
  readonly bits: Uint8Array
  readonly bases: Uint16Array
}

/** Room for a table of up to `accuracy` bits. */
export const emptyTable = (accuracy: number): FseTable => ({
  accuracy,
  symbols: new Uint8Array(1 << accuracy),
  bits: new Uint8Array(1 << accuracy),
  bases: new Uint16Array(1 << accuracy),
})

const log2 = (value: number): number => 31 - Math.clz32(value)

const next = new Uint16Array(256)

/**
 * Fills a table from the probabilities of its symbols, −1 being "less than one".
 *
 * source  RFC 8878, 4.1.1
 */
export const fillTable = (
  table: FseTable,
  accuracy: number,
  probabilities: ArrayLike<number>,
  symbolCount: number,
): void => {
  const size = 1 << accuracy
  table.accuracy = accuracy
  let high = size
  for (let symbol = 0; symbol < symbolCount; symbol++) {
    const probability = probabilities[symbol] ?? 0
    if (probability === -1) table.symbols[--high] = symbol
    next[symbol] = probability === -1 ? 1 : probability
  }
  const step = (size >> 1) + (size >> 3) + 3
  let at = 0
  for (let symbol = 0; symbol < symbolCount; symbol++)
    for (let i = probabilities[symbol] ?? 0; i > 0; i--) {
      table.symbols[at] = symbol
      do at = (at + step) & (size - 1)
      while (at >= high)
    }
  for (let state = 0; state < size; state++) {
    const symbol = table.symbols[state] ?? 0
    const count = next[symbol] ?? 1
    next[symbol] = count + 1
    const bits = accuracy - log2(count)
    table.bits[state] = bits
    table.bases[state] = (count << bits) - size
  }
}

/** Makes every state give one symbol and read nothing. */
export const fillConstant = (table: FseTable, symbol: number): void => {
  table.accuracy = 0
  table.symbols[0] = symbol
  table.bits[0] = 0
  table.bases[0] = 0
}

const probabilities = new Int16Array(256)

/**
 * Reads the description of a table at `from` and fills the table; the byte behind it, or −1 where it
 * is none. Bytes from `end` on are not of the description.
 */
export const readTable = (
  table: FseTable,
  bytes: Uint8Array,
  from: number,
  end: number,
  maxAccuracy: number,
  maxSymbol: number,
): number => {
  // a position in bits; reading past the end is found at the end
  let at = from * 8
  const peek = (): number => {
    const byte = at >> 3
    return (
      (((bytes[byte] ?? 0) | ((bytes[byte + 1] ?? 0) << 8) | ((bytes[byte + 2] ?? 0) << 16)) >>>
        (at & 7)) &
      0xffff
    )
  }
  const accuracy = (peek() & 15) + 5
  if (accuracy > maxAccuracy) return -1
  at += 4
  let left = 1 << accuracy
  let symbol = 0
  while (left > 0 && symbol <= maxSymbol) {
    const bits = log2(left + 1) + 1
    const value = peek() & ((1 << bits) - 1)
    const low = value & ((1 << (bits - 1)) - 1)
    const spare = (1 << bits) - 1 - (left + 1)
    // the smaller values take one bit less
    const isShort = low < spare
    at += isShort ? bits - 1 : bits
    const coded = isShort ? low : value >= 1 << (bits - 1) ? value - spare : value
    const probability = coded - 1
    probabilities[symbol++] = probability
    left -= Math.abs(probability)
    if (probability !== 0) continue
    for (let more = 3; more === 3;) {
      more = peek() & 3
      at += 2
      if (symbol + more > maxSymbol + 1) return -1
      for (let i = 0; i < more; i++) probabilities[symbol++] = 0
    }
  }
  const behind = (at + 7) >> 3
  if (left !== 0 || behind > end) return -1
  fillTable(table, accuracy, probabilities, symbol)
  return behind
}
