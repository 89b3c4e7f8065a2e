import type { Either } from "fp-ts/lib/Either.js"
import { right } from "fp-ts/lib/Either.js"
import type { JsonObject, JsonValue } from "../../data/json.ts"
import { isJsonObject } from "../../data/json.ts"
import type { EventFacts } from "../../log/event-facts.ts"

/** A unit's `apply` for a step that takes any object as payload and refuses nothing. */
export const totalApply =
  <State>(step: (state: State, facts: EventFacts, data: JsonObject) => State) =>
  (state: State, facts: EventFacts, data: JsonValue | undefined): Either<never, State> =>
    right(isJsonObject(data) ? step(state, facts, data) : state)
