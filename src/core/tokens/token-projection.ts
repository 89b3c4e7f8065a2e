import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import type { JsonValue } from "../data/json.ts"
import type { ShapeFault } from "../data/refusal.ts"
import type { LogHeader } from "../log/header.ts"
import type { ValueCodec } from "../projection/codec.ts"
import { decodeValue } from "../projection/codec.ts"
import type { RangeRefusal } from "../surface/placed-range.ts"
import type { ClaimRefusal } from "./shadow-price.ts"
import type { TokenEvent } from "./token-event.ts"

/** Event types that put a message on the surface, in any format. */
const surfaceTypes: readonly string[] = [
  "system/message",
  "developer/message",
  "user/message",
  "assistant/message",
  "tool/result",
]

/** What a fold over prices reads, with some types more. */
export const pricedTypes = (...more: readonly string[]): ReadonlySet<string> =>
  new Set([...surfaceTypes, ...more])

/** Why a token fold does not take an event; it stays as it was. */
export type TokenRefusal = RangeRefusal | ClaimRefusal

/**
 * One figure over a session as a pure reducer.
 *
 * shape   state and view are plain JSON. `apply` answers with the same state where the event does
 *         not concern it, and `view` with the same object while its numbers are the same
 * law     TK9 in properties/tokens.prop.ts: stored at any seq and resumed = run from the start
 */
export interface TokenProjection<State, View> {
  readonly key: string
  /** Another number whenever the stored fields or what they mean have changed. */
  readonly stateVersion: number
  readonly codec: ValueCodec<State>
  readonly viewCodec: ValueCodec<View>
  /** Event types whose payload the fold looks at; of surface events it is priced. */
  readonly reads: ReadonlySet<string>
  /** The state of the empty log; events before the inherited count came from another session. */
  readonly init: (header: LogHeader, inheritedEventCount: number) => State
  readonly apply: (state: State, event: TokenEvent) => Either<TokenRefusal, State>
  readonly view: (state: State) => View
}

/** A state as it was stored. */
export interface StoredState {
  readonly ver: number
  readonly val: JsonValue
}

/** Why a stored state is of no use: it must be folded anew. */
export type StoredStateRefusal =
  | { readonly code: "state-version"; readonly stored: number; readonly expected: number }
  | { readonly code: "state-shape"; readonly fault: ShapeFault }

/** Takes up a stored state; one of any other version is discarded, never migrated. */
export const restoredState = <State, View>(
  { stateVersion, codec }: TokenProjection<State, View>,
  { ver, val }: StoredState,
): Either<StoredStateRefusal, State> => {
  if (ver !== stateVersion)
    return left({ code: "state-version", stored: ver, expected: stateVersion })
  const state = decodeValue(codec, val)
  return isLeft(state) ? left({ code: "state-shape", fault: state.left }) : state
}

/** Applies events in order; the first refusal ends it. */
export const applyAll = <State, View>(
  projection: TokenProjection<State, View>,
  state: State,
  events: Iterable<TokenEvent>,
): Either<TokenRefusal, State> => {
  let last = state
  for (const event of events) {
    const next = projection.apply(last, event)
    if (isLeft(next)) return next
    last = next.right
  }
  return right(last)
}
