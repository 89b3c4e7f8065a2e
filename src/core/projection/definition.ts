import type { Either } from "fp-ts/lib/Either.js"
import type { JsonValue } from "../data/json.ts"
import type { EventFacts } from "../log/event-facts.ts"
import type { LogHeader } from "../log/header.ts"
import type { ValueCodec } from "./codec.ts"
import type { UnitRefusal } from "./refusal.ts"

/**
 * What of a unit's state is told to the outside.
 *
 * law     what shows no difference is the same object: a change is told when the object is another
 */
export interface WireView<State, View> {
  readonly codec: ValueCodec<View>
  readonly view: (state: State) => View
}

/**
 * One state that is folded from a log: a unit of the registry. A value; all its functions are pure.
 *
 * shape   the state is plain JSON. `apply` gets every event, with the payload where `reads` names
 *         its type, and answers with the very state where the event does not concern it
 * errors  an event that contradicts the state is refused, and the unit stays at the event before it
 */
export interface ProjectionDefinition<State, View> {
  readonly key: string
  /** Stands for fields and meaning of the state: a stored state of another version is not read. */
  readonly stateVersion: number
  /** What a stored state must pass before a fold goes on from it. */
  readonly codec: ValueCodec<State>
  readonly reads: ReadonlySet<string>
  /**
   * The state before the first event. The count of inherited events is 0 where nobody knows it yet:
   * from format 2 on a log says it at a marker.
   */
  readonly init: (header: LogHeader, inheritedEventCount: number) => State
  readonly apply: (
    state: State,
    facts: EventFacts,
    data: JsonValue | undefined,
  ) => Either<UnitRefusal, State>
  /** Null for a unit that only its host reads: it is never told or shown, but checkpointed. */
  readonly wire: WireView<State, View> | null
}

/** A definition whose state nobody here knows: its functions take its own states alone. */
export interface AnyProjection {
  readonly key: string
  readonly stateVersion: number
  readonly codec: ValueCodec<unknown>
  readonly reads: ReadonlySet<string>
  readonly init: (header: LogHeader, inheritedEventCount: number) => unknown
  readonly apply: (
    state: never,
    facts: EventFacts,
    data: JsonValue | undefined,
  ) => Either<UnitRefusal, unknown>
  readonly wire: {
    readonly codec: ValueCodec<unknown>
    readonly view: (state: never) => unknown
  } | null
}

/** A definition as the registry drives it. */
export type Unit = ProjectionDefinition<unknown, unknown>

/** Applies one row, with the payload only where the unit said that it reads it. */
export const applyRow = <State, View>(
  unit: ProjectionDefinition<State, View>,
  state: State,
  facts: EventFacts,
  data: JsonValue | undefined,
): Either<UnitRefusal, State> =>
  unit.apply(state, facts, unit.reads.has(facts.type) ? data : undefined)
