/** A part of a text; `isExact` where tokenisers begin anew behind it, or the text ends there. */
export interface TextSlice {
  readonly text: string
  readonly isExact: boolean
}

/** UTF-16 code units of a slice: as many as wanted, up to the longest where no place is found. */
export interface SliceLengths {
  readonly wanted: number
  readonly longest: number
}

const sliceLengths: SliceLengths = { wanted: 16 * 1024, longest: 128 * 1024 }

// behind a letter and before these, both vocabularies split whatever stands around
const seam = /\p{L}(?=[\s",.，。])/u

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00

/**
 * Cuts a long text into slices that are counted one by one.
 *
 * shape   the tokens of the slices add up to those of the text where all are exact; a slice that
 *         ends where no seam was found may count a few tokens more than it adds to the text
 * cost    what a tokeniser keeps of a text at a time is that of the longest slice
 */
export function* textSlices(
  text: string,
  { wanted, longest }: SliceLengths = sliceLengths,
): Generator<TextSlice> {
  let from = 0
  while (text.length - from > longest) {
    const found = text.slice(from + wanted, from + longest).search(seam)
    // a letter of two code units ends behind both
    const letter = from + wanted + found
    const isPair = isHighSurrogate(text.charCodeAt(letter))
    const forced = isHighSurrogate(text.charCodeAt(from + longest - 1)) ? longest - 1 : longest
    const to = found < 0 ? from + forced : letter + (isPair ? 2 : 1)
    yield { text: text.slice(from, to), isExact: found >= 0 }
    from = to
  }
  yield { text: text.slice(from), isExact: true }
}
