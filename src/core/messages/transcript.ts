import { surfaceKind } from "../format/surface-kind.ts"
import type { EventFacts } from "../log/event-facts.ts"
import { surfaceOp } from "../log/event-facts.ts"

/**
 * Whether an event belongs to what a person saw: user, assistant and tool messages at the place
 * where they were first appended. Replacements are for the model only, and would erase it.
 */
export const isTranscriptEvent = (facts: EventFacts): boolean =>
  facts.op === surfaceOp.append &&
  (facts.kind === surfaceKind.user ||
    facts.kind === surfaceKind.assistant ||
    facts.kind === surfaceKind.toolResult)
