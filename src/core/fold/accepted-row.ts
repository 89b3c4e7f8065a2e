import type { JsonValue } from "../data/json.ts"
import type { EventFacts } from "../log/event-facts.ts"
import type { LineRange } from "../log/line-range.ts"

/** A row that joined a log, and the nodes that it took away. */
export interface AcceptedRow {
  readonly facts: EventFacts
  readonly data: JsonValue
  readonly line: LineRange
  /** In surface order. */
  readonly shadowedSeqs: readonly number[]
}
