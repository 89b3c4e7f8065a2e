import type { MigrationCause } from "../../core/format/edges/cause.ts"
import type { Refusal } from "../../core/data/refusal.ts"
import { clipped } from "./clipped.ts"
import { findingSentence } from "./refusal-text.ts"

/** One cause against a migration in a sentence, from its code and its numbers. */
export const causeText = (cause: MigrationCause): string => {
  switch (cause.code) {
    case "event-type-retired":
      return `events of type ${clipped(cause.type)} mean nothing in the next format`
    case "request-fallback":
      return "a request header with the reason fallback"
    case "descriptor-version":
      return `a descriptor of version ${cause.version}, which no later format knows`
    case "delivery-foreign":
      return `a delivery of another session, ${clipped(cause.sessionId)}, that was not inherited`
    case "delivery-generation":
      return `a delivery that claims generation ${cause.generation}, which is still to come`
    case "delivery-coordinates":
      return "a delivery whose session or seq is none"
    case "reference-consumed":
      return `event ${cause.cited} is cited, and becomes part of another`
    case "reference-unresolved":
      return `event ${cause.cited} is cited, and there is none`
    case "attempt-spans-cut":
      return `an attempt reaches over the end of the inherited events, ${cause.cut}`
    case "attempt-citation":
      return `the message of turn ${cause.turn}, step ${cause.step} does not cite exactly its chunks`
    case "attempt-uncited":
      return `the message of turn ${cause.turn}, step ${cause.step} leaves it open whose its chunks are`
    case "turn-open":
      return `a turn starts while turn ${cause.openTurn} is open`
    case "surface-before-step":
      return "a message stands before the first step, where the system prompt must be"
    case "prompt-outside-step":
      return "the system prompt changes outside of any step"
    case "message-id-collision":
      return `a message has the id ${clipped(cause.id)}, which the migration gives`
    case "source-kind":
      return `a message of the source ${clipped(cause.kind)}, which the next format does not know`
    case "content-tag":
      return `content of the type ${clipped(cause.tag)}, which the next format does not know`
    case "repair-id":
      return `a repair without the id of one: ${clipped(cause.id)}`
    case "error-without-flag":
      return "a tool result has an error and is not marked as one"
    case "nested-tool-result":
      return "a tool result inside a tool result"
    case "deferred-tool":
      return `tool ${clipped(cause.name)} is to be loaded later, which its format does not know`
    case "child-evidence-missing":
      return "nobody looked for the sessions that this one started"
    case "child-descriptor":
      return `the child ${clipped(cause.childId)} does not describe itself as it should`
    case "catalog-duplicate":
      return `the child ${clipped(cause.childId)} is listed twice`
    case "catalog-conflict":
      return `the list has another ${cause.field} of the child ${clipped(cause.childId)} than its log`
    case "target-shape":
      return `the ${clipped(cause.type)} of the next format would not have its shape: ${clipped(cause.fault.path.join("."))} should be ${cause.fault.expected}`
    default: {
      const { class: _class, from: _from, to: _to, ...refusal } = cause
      // the codes of refusals mean here what they mean there
      return findingSentence(refusal as Refusal)
    }
  }
}
