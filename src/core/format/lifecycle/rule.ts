import type { JsonObject } from "../../data/json.ts"
import type { EventFacts } from "../../log/event-facts.ts"
import type { LogHeader } from "../../log/header.ts"
import type { SurfaceView } from "../../surface/view.ts"
import type { FormatVersion } from "../format.ts"
import type { Findings } from "./findings.ts"
import type { Position } from "./position.ts"

/** An event of a known type whose payload is an object; a rule sees no other. */
export interface RuleEvent {
  readonly facts: EventFacts
  readonly data: JsonObject
}

/** What a log has come to before an event. */
export interface Standing {
  readonly position: Position
  /** To be asked only for events that leave the surface as it is: it may be that behind the event. */
  readonly surface: SurfaceView
}

/**
 * A rule about a whole log, as a fold.
 *
 * shape   `begin` makes a draft that only this rule writes to; `step` takes the events of the types
 *         in `reads`, in order, and is total. An event gets one finding of a rule at most, but
 *         where it says otherwise, and after a finding the rule goes on as if the event had been
 *         the one that was due
 */
export interface LifecycleRule<Draft> {
  /** The first format version that the rule holds for; it holds for all later ones. */
  readonly since: FormatVersion
  readonly reads: ReadonlySet<string>
  readonly begin: (header: LogHeader) => Draft
  readonly step: (draft: Draft, event: RuleEvent, before: Standing, findings: Findings) => void
}

/** A rule whose draft only it knows: it may be stepped with its own draft alone. */
export interface AnyRule {
  readonly since: FormatVersion
  readonly reads: ReadonlySet<string>
  readonly begin: (header: LogHeader) => unknown
  readonly step: (draft: never, event: RuleEvent, before: Standing, findings: Findings) => void
}
