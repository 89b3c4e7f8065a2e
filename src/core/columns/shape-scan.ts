import {
  answeredId,
  calledId,
  flatBlocks,
  nestedBlocks,
  oneToolResult,
  pricedText,
} from "../log/block-shapes.ts"
import type { ObjectShape, Shape } from "../log/shape.ts"
import {
  any,
  boolean,
  count,
  nonempty,
  object,
  positive,
  record,
  safeInt,
  string,
} from "../log/shape.ts"
import { textTokens } from "../tokens/estimate.ts"
import type { Token } from "./ascii.ts"
import { standsAt, tokenOf } from "./ascii.ts"
import type { Lexer } from "./lexer.ts"
import { leave } from "./lexer.ts"

/** What the scan of a payload finds on its way. */
export interface Found {
  /** Tokens of the priced strings, each rounded up. */
  tokens: number
  /** Content blocks, nested ones included. */
  blocks: number
  /** Lists of content blocks that are open, one inside the other. */
  depth: number
  /** Where the outermost list of content blocks begins and ends. */
  contentStart: number
  contentEnd: number
  /** Beginnings and ends of the first two names of a tool call, flat, and how many there are. */
  readonly calls: Int32Array
  callCount: number
  /** Beginning and end of each captured field, flat; −1 for one that is not there. */
  readonly captured: Int32Array
}

export const nothingFound = (): Found => ({
  tokens: 0,
  blocks: 0,
  depth: 0,
  contentStart: -1,
  contentEnd: -1,
  calls: new Int32Array(4),
  callCount: 0,
  captured: new Int32Array(10).fill(-1),
})

/** Forgets what an earlier payload had. */
export const forget = (found: Found): void => {
  found.tokens = 0
  found.blocks = 0
  found.depth = 0
  found.contentStart = -1
  found.contentEnd = -1
  found.callCount = 0
}

/** Checks the bytes of a value against a shape: answers behind the value, or `leave`. */
export type Scan = (lexer: Lexer, from: number, found: Found) => number

const quote = 34

/**
 * The scan of a shape: the third face of the same data, beside the guard and the codec.
 *
 * shape   accepts only what the guard accepts; what it leaves, the guard may still accept: blocks
 *         that are priced by their JSON text, repeated or escaped keys, a tag that is not first
 * law     CO2 in properties/columns.prop.ts
 */
export const scanOf = (shape: Shape): Scan => {
  switch (shape.is) {
    case "any":
      return (lexer, from) => lexer.value(from)
    case "never":
      return () => leave
    case "leaf":
      return leafScan(shape)
    case "array":
      return arrayScan(shape)
    case "object":
      return objectScan(shape)
    case "tagged":
      return taggedScan(shape)
    case "lazy": {
      let scan: Scan | null = null
      return (lexer, from, found) => (scan ??= scanOf(shape.shape()))(lexer, from, found)
    }
  }
}

const stringFrom = (lexer: Lexer, from: number): number =>
  lexer.bytes[from] === quote ? lexer.string(from + 1) : leave

const integerScan =
  (least: number): Scan =>
  (lexer, from) => {
    const at = lexer.integer(from)
    return at >= 0 && lexer.int >= least ? at : leave
  }

const callScan: Scan = (lexer, from, found) => {
  const at = lexer.bytes[from + 1] === quote ? leave : stringFrom(lexer, from)
  if (at >= 0 && found.callCount < 2) {
    found.calls[found.callCount * 2] = from
    found.calls[found.callCount * 2 + 1] = at
  }
  found.callCount++
  return at
}

const plainLeaves: ReadonlyMap<Shape, Scan> = new Map<Shape, Scan>([
  [string, stringFrom],
  [nonempty, (lexer, from) => (lexer.bytes[from + 1] === quote ? leave : stringFrom(lexer, from))],
  [boolean, (lexer, from) => (isLetter(lexer.bytes[from]) ? lexer.value(from) : leave)],
  [count, integerScan(0)],
  [positive, integerScan(1)],
  [safeInt, integerScan(-Infinity)],
  [calledId, callScan],
  [answeredId, callScan],
  [record, (lexer, from) => lexer.object(from)],
  [
    pricedText,
    (lexer, from, found) => {
      const at = stringFrom(lexer, from)
      if (at >= 0) found.tokens += textTokens(lexer.units)
      return at
    },
  ],
])

// t of true or f of false; the lexer checks the rest, and null begins with another letter
const isLetter = (byte: number | undefined): boolean => byte === 116 || byte === 102

const leafScan = (shape: Shape & { readonly is: "leaf" }): Scan => {
  const plain = plainLeaves.get(shape)
  if (plain !== undefined) return plain
  if (shape.values === undefined) return () => leave
  const texts = shape.values.map((value) => tokenOf(JSON.stringify(value)))
  return (lexer, from) => {
    for (const text of texts) if (standsAt(lexer.view, from, text)) return from + text.length
    return leave
  }
}

const contentLists: ReadonlySet<Shape> = new Set([nestedBlocks, flatBlocks])

/** Deepest list of blocks inside lists of blocks that is scanned; the parser has its own limit. */
const maxListDepth = 16

const arrayScan = (shape: Shape & { readonly is: "array" }): Scan => {
  const isContent = contentLists.has(shape)
  const holdsBlocks = isContent || shape === oneToolResult
  const item = holdsBlocks ? blockScan(shape.of) : scanOf(shape.of)
  return (lexer, from, found) => {
    const { bytes } = lexer
    if (bytes[from] !== 91 || found.depth === maxListDepth) return leave
    if (isContent) found.depth++
    const isOutermost = isContent && found.contentStart < 0
    if (isOutermost) found.contentStart = from
    let at = from + 1
    let items = 0
    if (bytes[at] === 93) at++
    else
      for (;;) {
        at = item(lexer, at, found)
        if (at < 0) return leave
        items++
        const next = bytes[at++]
        if (next === 93) break
        if (next !== 44) return leave
      }
    if (items < shape.min || items > shape.max) return leave
    if (isContent) found.depth--
    if (isOutermost) found.contentEnd = at
    if (holdsBlocks) found.blocks += items
    return at
  }
}

// a block of another tag is priced by its JSON text, which only the parser knows
const blockScan = (shape: Shape): Scan =>
  shape.is === "tagged" ? taggedScan({ ...shape, otherwise: { is: "never" } }) : scanOf(shape)

const taggedScan = (shape: Shape & { readonly is: "tagged" }): Scan => {
  const opening = tokenOf(`{${JSON.stringify(shape.key)}:"`)
  // of a repeated key the last one counts: the key is looked for in the whole object
  const otherwise = scanOf(
    shape.otherwise === any ? object({ [shape.key]: nonempty }) : shape.otherwise,
  )
  const cases = [...shape.cases].map(([tag, inner]) => [tokenOf(`${tag}"`), scanOf(inner)] as const)
  return (lexer, from, found) => {
    const { view } = lexer
    if (!standsAt(view, from, opening)) return leave
    const tag = from + opening.length
    for (const [text, scan] of cases) if (standsAt(view, tag, text)) return scan(lexer, from, found)
    // an empty tag, and one whose escapes may spell a known one
    const end = lexer.string(tag)
    if (end < 0 || end - tag < 2 || lexer.units !== end - tag - 1) return leave
    return otherwise(lexer, from, found)
  }
}

interface Field {
  readonly name: Token
  readonly scan: Scan
  /** Number of the capture, −1 for none. */
  readonly capture: number
}

/** The scan of an object, which also says where some of its fields stand. */
export const objectScan = (shape: ObjectShape, captures: readonly string[] = []): Scan => {
  const unknown = captures.filter((key) => !Object.hasOwn(shape.required, key))
  const described = { ...Object.fromEntries(unknown.map((key) => [key, any])), ...shape.optional }
  const fields: readonly Field[] = [
    ...Object.entries(shape.required),
    ...Object.entries(described),
  ].map(([key, inner]) => ({
    name: tokenOf(`${JSON.stringify(key)}:`),
    scan: scanOf(inner),
    capture: captures.indexOf(key),
  }))
  const needed = (1 << Object.keys(shape.required).length) - 1
  // the field that came after each one the last time: writers keep to an order
  const follower = new Int8Array(fields.length + 1)
  return (lexer, from, found) => {
    const { bytes, view } = lexer
    if (bytes[from] !== 123) return leave
    for (let i = 0; i < captures.length * 2; i++) found.captured[i] = -1
    let at = from + 1
    let seen = 0
    let before = fields.length
    if (bytes[at] === 125) return needed === 0 ? at + 1 : leave
    for (;;) {
      const guess = follower[before] as number
      const isGuessed = guess < fields.length && standsAt(view, at, (fields[guess] as Field).name)
      const field = isGuessed ? guess : fieldAt(fields, view, at)
      if (field >= 0) {
        follower[before] = field
        before = field
        // of a repeated key the parser keeps the last one
        if ((seen & (1 << field)) !== 0) return leave
        seen |= 1 << field
        const { name, scan, capture } = fields[field] as Field
        const value = at + name.length
        at = scan(lexer, value, found)
        if (capture >= 0) {
          found.captured[capture * 2] = value
          found.captured[capture * 2 + 1] = at
        }
      } else at = shape.exact ? leave : unknownField(lexer, at)
      if (at < 0) return leave
      const next = bytes[at++]
      if (next === 125) return (seen & needed) === needed ? at : leave
      if (next !== 44) return leave
    }
  }
}

const fieldAt = (fields: readonly Field[], view: DataView, at: number): number => {
  for (let i = 0; i < fields.length; i++)
    if (standsAt(view, at, (fields[i] as Field).name)) return i
  return -1
}

// a key with escapes may spell one of the known ones
const unknownField = (lexer: Lexer, from: number): number => {
  const end = stringFrom(lexer, from)
  if (end < 0 || lexer.bytes[end] !== 58) return leave
  for (let at = from + 1; at < end - 1; at++) if (lexer.bytes[at] === 92) return leave
  return lexer.value(end + 1)
}
