import type { Either } from "fp-ts/lib/Either.js"
import { left, right } from "fp-ts/lib/Either.js"
import { defect } from "./defect.ts"
import type { JsonValue } from "./json.ts"

/** Deepest nesting of arrays and objects that is read; the outermost one has depth 1. */
export const maxDepth = 1000

/** Why a value cannot be stored as JSON and read back the same. */
export interface LosslessFault {
  readonly what:
    | "negative-zero"
    | "non-finite"
    | "too-deep"
    | "not-json"
    | "sparse-array"
    | "decorated-array"
    | "not-plain"
    | "hidden-key"
    | "cycle"
  /** Keys and indexes from the outermost value to the fault. */
  readonly path: readonly (string | number)[]
}

type Draft = JsonValue[] | Record<string, JsonValue>

interface Frame {
  readonly source: object
  readonly target: Draft
  readonly keys: readonly string[] | null
  readonly length: number
  next: number
}

/** Why JSON cannot hold a number, or null. */
export const numberFault = (value: number): LosslessFault["what"] | null =>
  Number.isFinite(value) ? (Object.is(value, -0) ? "negative-zero" : null) : "non-finite"

// the source text of a built-in is no program, so nothing that a program defines has it
const sourceText = (numberFault as { readonly toString: (this: unknown) => string }).toString
const isBuiltIn = (maker: unknown, name: string): maker is { readonly prototype: unknown } =>
  typeof maker === "function" &&
  sourceText.call(maker).replace(/\s+/g, " ") === `function ${name}() { [native code] }`

// each realm has its own Object.prototype and Array.prototype; their constructor tells them
const isPrototypeOf = (name: string, prototype: object): boolean => {
  const maker: unknown = Object.getOwnPropertyDescriptor(prototype, "constructor")?.value
  return isBuiltIn(maker, name) && maker.prototype === prototype
}

const isPlainArray = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return (
    prototype === Array.prototype || (Array.isArray(prototype) && isPrototypeOf("Array", prototype))
  )
}

const isPlainObject = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return (
    prototype === null ||
    prototype === Object.prototype ||
    (typeof prototype === "object" && isPrototypeOf("Object", prototype))
  )
}

const openFrame = (source: object): Frame | LosslessFault["what"] => {
  if (Array.isArray(source)) {
    if (!isPlainArray(source)) return "not-plain"
    for (let i = 0; i < source.length; i++) if (!Object.hasOwn(source, i)) return "sparse-array"
    // own keys of a plain array: its indexes and `length`
    if (Reflect.ownKeys(source).length !== source.length + 1) return "decorated-array"
    return { source, target: [], keys: null, length: source.length, next: 0 }
  }
  if (!isPlainObject(source)) return "not-plain"
  const keys = Object.keys(source)
  if (Reflect.ownKeys(source).length !== keys.length) return "hidden-key"
  return { source, target: {}, keys, length: keys.length, next: 0 }
}

const put = (frame: Frame, key: string | number, value: JsonValue): void => {
  if (Array.isArray(frame.target)) frame.target.push(value)
  // plain assignment to `__proto__` would set the prototype instead of keeping the key
  else if (key === "__proto__")
    Object.defineProperty(frame.target, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  else frame.target[key] = value
}

const keyOf = (frame: Frame): string | number =>
  frame.keys === null ? frame.next - 1 : (frame.keys[frame.next - 1] ?? defect("no such key"))

/**
 * A detached copy of a value, if JSON can hold it without loss.
 *
 * shape   fresh plain arrays and objects; shared parts become separate copies
 * errors  LosslessFault: −0, NaN, ±Infinity, undefined, functions, symbols, BigInt, sparse or
 *         decorated arrays, class instances, hidden or symbol keys, cycles, more than `maxDepth`
 *         levels. `toJSON` is not called; each property is read once
 */
export const losslessCopy = (value: unknown): Either<LosslessFault, JsonValue> => {
  const frames: Frame[] = []
  const ancestors = new Set<object>()
  let result: JsonValue = null
  let candidate: unknown = value
  let fault: LosslessFault["what"] | null = null
  for (;;) {
    // settle the candidate: a leaf goes into its parent, a container opens a frame
    const parent = frames.at(-1)
    if (typeof candidate === "object" && candidate !== null) {
      if (ancestors.has(candidate)) fault = "cycle"
      else if (frames.length >= maxDepth) fault = "too-deep"
      else {
        const frame = openFrame(candidate)
        if (typeof frame === "string") fault = frame
        else {
          ancestors.add(candidate)
          if (parent === undefined) result = frame.target
          else put(parent, keyOf(parent), frame.target)
          frames.push(frame)
        }
      }
    } else {
      if (typeof candidate === "number") fault = numberFault(candidate)
      else if (
        candidate !== null &&
        typeof candidate !== "string" &&
        typeof candidate !== "boolean"
      )
        fault = "not-json"
      if (fault === null) {
        if (parent === undefined) result = candidate as JsonValue
        else put(parent, keyOf(parent), candidate as JsonValue)
      }
    }
    if (fault !== null) return left({ what: fault, path: frames.map(keyOf) })

    let top = frames.at(-1)
    while (top !== undefined && top.next === top.length) {
      ancestors.delete(top.source)
      frames.pop()
      top = frames.at(-1)
    }
    if (top === undefined) return right(result)
    top.next++
    candidate = (top.source as Record<string | number, unknown>)[keyOf(top)]
  }
}

/**
 * The first thing in parsed JSON text that JSON cannot store again: −0, an overflowed number, or
 * too many levels. Null when there is none.
 *
 * cost    one visit a value; the path is found only for a fault
 */
export const parsedFault = (value: JsonValue): LosslessFault | null =>
  isBounded(value) ? null : pathToFault(value)

// calls itself once a level, and no value has more levels than the limit
const isBounded = (value: JsonValue, depth = 0): boolean => {
  if (typeof value === "number") return numberFault(value) === null
  if (typeof value !== "object" || value === null) return true
  if (depth >= maxDepth) return false
  const values = Array.isArray(value) ? (value as JsonValue[]) : Object.values(value)
  for (const inner of values) {
    // only what can hold a fault is visited
    if (typeof inner === "number" ? numberFault(inner) !== null : typeof inner === "object") {
      if (!isBounded(inner, depth + 1)) return false
    }
  }
  return true
}

const pathToFault = (value: JsonValue): LosslessFault => {
  const copy = losslessCopy(value)
  return copy._tag === "Left" ? copy.left : defect("a fault that the copy does not find")
}
