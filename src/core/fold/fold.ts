import type { JsonValue } from "../data/json.ts"
import type { EventFacts } from "../log/event-facts.ts"
import type { LogHeader } from "../log/header.ts"

/**
 * Something computed from a log, row by row.
 *
 * shape   `begin` makes a draft that only this fold writes to; `step` takes accepted rows in order
 *         and is total; `seal` makes a plain value, from which `resume` goes on. `data` is the
 *         payload where `reads` names the event type, and undefined elsewhere
 * law     FO1, FO2 in properties/fold.prop.ts: cut anywhere, seal and resume = one run; a product
 *         = each fold alone
 */
export interface Fold<Draft, State> {
  /** Event types whose payload the fold looks at; of all others it gets the facts alone. */
  readonly reads: ReadonlySet<string>
  readonly begin: (header: LogHeader) => Draft
  readonly step: (draft: Draft, facts: EventFacts, data: JsonValue | undefined) => void
  readonly seal: (draft: Draft) => State
  readonly resume: (state: State) => Draft
}

/** Steps a fold with the payload only where it said that it reads it. */
export const stepFold = <Draft, State>(
  fold: Fold<Draft, State>,
  draft: Draft,
  facts: EventFacts,
  data: JsonValue,
): void => {
  fold.step(draft, facts, fold.reads.has(facts.type) ? data : undefined)
}
