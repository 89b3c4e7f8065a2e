import { isLeft } from "fp-ts/lib/Either.js"
import type * as t from "io-ts"
import type { JsonValue } from "../data/json.ts"
import type { ShapeFault } from "../data/refusal.ts"
import type { Shape } from "./shape.ts"
import type { JsonCodec } from "./shape-codec.ts"
import { codecOf } from "./shape-codec.ts"
import type { Guard } from "./shape-guard.ts"
import { guardOf } from "./shape-guard.ts"

/** A shape ready for use: the guard answers, and only where it says no the codec explains. */
export interface ShapeCheck {
  readonly guard: Guard
  readonly codec: JsonCodec
  /** The first fault, or null. */
  readonly fault: (value: JsonValue) => ShapeFault | null
}

/** The first fault that a codec found, as a place and what was expected there. */
export const faultOf = (errors: t.Errors): ShapeFault => {
  const context = errors[0]?.context ?? []
  return {
    // the first entry of a context is the whole value
    path: context
      .slice(1)
      // io-ts writes indexes as text; `i` is the place of the parent in the whole context
      .map((entry, i) => (Array.isArray(context[i]?.actual) ? Number(entry.key) : entry.key)),
    expected: context.at(-1)?.type.name ?? "nothing",
  }
}

/** Prepares a shape: done once a format, not once an event. */
export const checkOf = (shape: Shape): ShapeCheck => {
  const guard = guardOf(shape)
  const codec = codecOf(shape)
  return {
    guard,
    codec,
    fault: (value) => {
      if (guard(value)) return null
      const verdict = codec.decode(value)
      return isLeft(verdict) ? faultOf(verdict.left) : null
    },
  }
}
