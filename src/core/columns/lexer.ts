/** What a lexer answers where a line leaves the plain form that it reads. */
export const leave = -1

/** Deepest value that is lexed here; what is deeper is judged by the parser's own limit. */
const maxLexedDepth = 64

const quote = 34
const backslash = 92

const isSimpleEscape: Uint8Array = new Uint8Array(256)
for (const char of '"\\/bfnrt') isSimpleEscape[char.charCodeAt(0)] = 1
const isHex: Uint8Array = new Uint8Array(256)
for (const char of "0123456789abcdefABCDEF") isHex[char.charCodeAt(0)] = 1

const highBits = 0x80808080 | 0

/** Four bytes, of which those that are a quote, a backslash, a control or not ASCII get a high bit. */
const special = (four: number): number => {
  // turns the quote into a blank and the blank into a quote: one comparison finds it with controls
  const shifted = four ^ 0x02020202
  const slashes = four ^ 0x5c5c5c5c
  return ((shifted - 0x21212121) & ~shifted) | ((slashes - 0x01010101) & ~slashes) | four
}

/**
 * Checks JSON text byte by byte, without whitespace, as `JSON.stringify` writes it.
 *
 * shape   every method takes the place where its value begins and answers where it ends, or
 *         `leave`; it never reads past the newline that ends a line, which is no part of any value
 * errors  `leave` for all that is not JSON, and for JSON that only the parser may judge: blanks,
 *         exponents, −0, numbers that may overflow, deep nesting. UTF-8 is checked by the caller
 */
export class Lexer {
  bytes: Uint8Array = new Uint8Array(8)
  view: DataView = new DataView(this.bytes.buffer)
  /** UTF-16 code units of the last string. */
  units = 0
  /** The last integer. */
  int = 0

  /** Turns to another block; at least 8 readable bytes must follow the last newline in it. */
  bind(bytes: Uint8Array): void {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** The rest of a string, from behind its opening quote to behind its closing one. */
  string(from: number): number {
    const { bytes, view } = this
    let at = from
    // bytes that are more than their UTF-16 code units
    let surplus = 0
    for (;;) {
      // eight bytes at a time, for as long as none of them is special
      let marks = special(view.getInt32(at, true)) & highBits
      while (marks === 0) {
        marks = special(view.getInt32(at + 4, true)) & highBits
        if (marks !== 0) {
          at += 4
          break
        }
        at += 8
        marks = special(view.getInt32(at, true)) & highBits
      }
      // the lowest mark is at the first special byte; those above it may be carries
      at += (31 - Math.clz32(marks & -marks)) >>> 3
      let byte = bytes[at] as number
      if (byte === quote) {
        this.units = at - from - surplus
        return at + 1
      }
      if (byte === backslash) {
        const isSimple = isSimpleEscape[bytes[at + 1] as number] === 1
        const end = isSimple ? at + 2 : this.unicodeEscape(at + 1)
        if (end < 0) return leave
        surplus += end - at - 1
        at = end
      } else if (byte < 0x80) return leave
      else
        do {
          // valid UTF-8: the first byte tells the length, and four bytes are a surrogate pair
          const length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
          at += length
          surplus += length === 4 ? 2 : length - 1
          byte = bytes[at] as number
        } while (byte >= 0x80)
    }
  }

  /** An integer without exponent or fraction, within ±(2^53−1), not −0; its value is in `int`. */
  integer(from: number): number {
    const { bytes } = this
    const isNegative = bytes[from] === 45
    let at = isNegative ? from + 1 : from
    const first = at
    let value = 0
    for (let digit = (bytes[at] as number) - 48; digit >= 0 && digit <= 9;) {
      value = value * 10 + digit
      digit = (bytes[++at] as number) - 48
    }
    const digits = at - first
    // sixteen digits are compared before they are trusted: from 2^53 on none is exact
    if (digits === 0 || digits > 16 || value > Number.MAX_SAFE_INTEGER) return leave
    if (bytes[first] === 48 && (digits > 1 || isNegative)) return leave
    this.int = isNegative ? -value : value
    return at
  }

  /** Any value. */
  value(from: number, depth = 0): number {
    const { bytes } = this
    switch (bytes[from] as number) {
      case quote:
        return this.string(from + 1)
      case 123:
        return depth < maxLexedDepth ? this.object(from, depth + 1) : leave
      case 91:
        return depth < maxLexedDepth ? this.array(from, depth + 1) : leave
      case 116:
        return this.word(from, 0x65757274, 4)
      case 102:
        return bytes[from + 1] === 97 ? this.word(from + 1, 0x65736c61, 4) : leave
      case 110:
        return this.word(from, 0x6c6c756e, 4)
      default:
        return this.number(from)
    }
  }

  /** An object of any keys. */
  object(from: number, depth = 0): number {
    const { bytes } = this
    let at = from + 1
    if (bytes[from] !== 123) return leave
    if (bytes[at] === 125) return at + 1
    for (;;) {
      if (bytes[at] !== quote) return leave
      at = this.string(at + 1)
      if (at < 0 || bytes[at] !== 58) return leave
      at = this.value(at + 1, depth)
      if (at < 0) return leave
      const next = bytes[at++]
      if (next === 125) return at
      if (next !== 44) return leave
    }
  }

  private array(from: number, depth: number): number {
    const { bytes } = this
    let at = from + 1
    if (bytes[at] === 93) return at + 1
    for (;;) {
      at = this.value(at, depth)
      if (at < 0) return leave
      const next = bytes[at++]
      if (next === 93) return at
      if (next !== 44) return leave
    }
  }

  // from the letter behind a backslash to behind the escape
  private unicodeEscape(at: number): number {
    const { bytes } = this
    if (bytes[at] !== 117) return leave
    for (let digit = at + 1; digit <= at + 4; digit++)
      if (isHex[bytes[digit] as number] !== 1) return leave
    return at + 5
  }

  private word(from: number, letters: number, length: number): number {
    return this.view.getInt32(from, true) === letters ? from + length : leave
  }

  private number(from: number): number {
    const { bytes } = this
    const first = bytes[from] === 45 ? from + 1 : from
    let at = this.digits(first)
    if (at === first) return leave
    // −0 and −0.5 begin alike; the parser tells them apart
    if (bytes[first] === 48 && (at - first > 1 || first > from)) return leave
    if (bytes[at] === 46) {
      const fraction = at + 1
      at = this.digits(fraction)
      if (at === fraction) return leave
    }
    // an exponent, or three hundred digits, may overflow
    return bytes[at] === 101 || bytes[at] === 69 || at - from > 300 ? leave : at
  }

  private digits(from: number): number {
    const { bytes } = this
    let at = from
    while ((bytes[at] as number) >= 48 && (bytes[at] as number) <= 57) at++
    return at
  }
}
