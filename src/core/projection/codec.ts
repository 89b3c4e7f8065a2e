import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import type * as t from "io-ts"
import type { JsonValue } from "../data/json.ts"
import type { ShapeFault } from "../data/refusal.ts"
import { checkOf, faultOf } from "../log/shape-check.ts"
import type { Shape } from "../log/shape.ts"

/** What turns any value into an `A` or says why it is none; every io-ts codec is one. */
export interface ValueCodec<A> {
  readonly decode: (value: unknown) => t.Validation<A>
}

/** The codec of a shape, which must describe `A`. A value that passes is answered as it is. */
export const shapeCodec = <A>(shape: Shape): ValueCodec<A> => {
  const { guard, codec } = checkOf(shape)
  return {
    decode: (value) =>
      guard(value as JsonValue)
        ? right(value as A)
        : (codec.decode(value) as unknown as t.Validation<A>),
  }
}

/** Decodes a value, with the first fault as plain data. */
export const decodeValue = <A>(codec: ValueCodec<A>, value: unknown): Either<ShapeFault, A> => {
  const decoded = codec.decode(value)
  return isLeft(decoded) ? left(faultOf(decoded.left)) : decoded
}
