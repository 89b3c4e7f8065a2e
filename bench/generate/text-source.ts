import { Prng } from "./prng.ts"
import { codePieces, shellLines } from "./table-code.ts"
import { sentences, unicodeLines } from "./table-prose.ts"
import { words } from "./table-words.ts"

/** What a text looks like. */
export type TextKind = "prose" | "code" | "shell" | "unicode"

// A long text and the places where it may be cut: ends of lines, or of sentences.
type Pool = {
  readonly text: string
  readonly stops: readonly number[]
}

// A text is never longer than half of this, so that it can start at many places.
const poolUnits = 300_000

const slot = /\{(\w+)\}/g

/** A line of a table with its slots filled. */
export const fill = (prng: Prng, template: string): string =>
  template.replace(slot, (whole, name: string) => {
    const list = words[name]
    return list === undefined ? whole : prng.pick(list)
  })

const prosePool = (prng: Prng): Pool => {
  const stops = [0]
  let text = ""
  while (text.length < poolUnits) {
    text += fill(prng, prng.pick(sentences)) + (prng.chance(0.2) ? "\n\n" : " ")
    stops.push(text.length)
  }
  return { text, stops }
}

const linePool = (prng: Prng, table: readonly string[]): Pool => {
  let text = ""
  while (text.length < poolUnits) text += fill(prng, prng.pick(table)) + "\n"
  const stops = [0]
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) stops.push(at + 1)
  return { text, stops }
}

const makePools = (): Readonly<Record<TextKind, Pool>> => {
  const prng = new Prng("text pools")
  return {
    prose: prosePool(prng.split("prose")),
    code: linePool(prng.split("code"), codePieces),
    shell: linePool(prng.split("shell"), shellLines),
    unicode: linePool(prng.split("unicode"), [...unicodeLines, ...sentences]),
  }
}

let pools: Readonly<Record<TextKind, Pool>> | undefined

// The first stop at or behind `unit`.
const stopAfter = (stops: readonly number[], unit: number): number => {
  let low = 0
  let high = stops.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((stops[middle] ?? 0) < unit) low = middle + 1
    else high = middle
  }
  return stops[low] ?? 0
}

/**
 * A text of about `units` UTF-16 code units, cut at the end of a line or sentence.
 *
 * shape   a slice of a text made once from the committed tables, the same for every seed; no lone
 *         surrogates
 * cost    O(log pool) whatever the length
 */
export const textOf = (prng: Prng, kind: TextKind, units: number): string => {
  pools ??= makePools()
  const { text, stops } = pools[kind]
  const wanted = Math.min(units, poolUnits / 2)
  const from = stopAfter(stops, prng.integer(0, poolUnits - 1 - wanted))
  return text.substring(from, stopAfter(stops, from + wanted)).trimEnd()
}

/** One sentence of prose with fresh words. */
export const sentenceOf = (prng: Prng): string => fill(prng, prng.pick(sentences))
