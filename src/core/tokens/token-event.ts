import type { JsonValue } from "../data/json.ts"
import type { EventFacts } from "../log/event-facts.ts"
import { eventTokens } from "./estimate.ts"

/** One accepted event as the token folds take it: priced once, for all of them. */
export interface TokenEvent {
  readonly facts: EventFacts
  readonly data: JsonValue
  /** The fixed heuristic over the logged event; 0 off the surface. */
  readonly tokens: number
}

/** Prices an event. */
export const tokenEvent = (facts: EventFacts, data: JsonValue): TokenEvent => ({
  facts,
  data,
  tokens: eventTokens(facts.kind, data),
})
