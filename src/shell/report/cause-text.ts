import type { Refusal } from "../../core/data/refusal.ts"
import type { MigrationCause } from "../../core/format/edges/cause.ts"
import { clipped } from "./clipped.ts"
import { findingSentence } from "./refusal-text.ts"

/** Codes that only a migration has. */
type EdgeCode = Exclude<MigrationCause["code"], Refusal["code"]>

type Sentences = {
  readonly [Code in EdgeCode]: (cause: MigrationCause & { readonly code: Code }) => string
}

const sentences: Sentences = {
  "event-type-retired": (c) => `events of type ${clipped(c.type)} mean nothing in the next format`,
  "request-fallback": () => "a request header with the reason fallback",
  "descriptor-version": (c) => `a descriptor of version ${c.version}, which no later format knows`,
  "delivery-foreign": (c) =>
    `a delivery of another session, ${clipped(c.sessionId)}, that was not inherited`,
  "delivery-generation": (c) =>
    `a delivery that claims generation ${c.generation}, which is still to come`,
  "delivery-coordinates": () => "a delivery whose session or seq is none",
  "reference-consumed": (c) => `event ${c.cited} is cited, and becomes part of another`,
  "reference-unresolved": (c) => `event ${c.cited} is cited, and there is none`,
  "attempt-spans-cut": (c) => `an attempt reaches over the end of the inherited events, ${c.cut}`,
  "attempt-citation": (c) =>
    `the message of turn ${c.turn}, step ${c.step} does not cite exactly its chunks`,
  "attempt-uncited": (c) =>
    `the message of turn ${c.turn}, step ${c.step} leaves it open whose its chunks are`,
  "turn-open": (c) => `a turn starts while turn ${c.openTurn} is open`,
  "surface-before-step": () =>
    "a message stands before the first step, where the system prompt must be",
  "prompt-outside-step": () => "the system prompt changes outside of any step",
  "message-id-collision": (c) => `a message has the id ${clipped(c.id)}, which the migration gives`,
  "source-kind": (c) =>
    `a message of the source ${clipped(c.kind)}, which the next format does not know`,
  "content-tag": (c) =>
    `content of the type ${clipped(c.tag)}, which the next format does not know`,
  "repair-id": (c) => `a repair without the id of one: ${clipped(c.id)}`,
  "error-without-flag": () => "a tool result has an error and is not marked as one",
  "nested-tool-result": () => "a tool result inside a tool result",
  "deferred-tool": (c) =>
    `tool ${clipped(c.name)} is to be loaded later, which its format does not know`,
  "child-evidence-missing": () => "nobody looked for the sessions that this one started",
  "child-descriptor": (c) =>
    `the child ${clipped(c.childId)} does not describe itself as it should`,
  "catalog-duplicate": (c) => `the child ${clipped(c.childId)} is listed twice`,
  "catalog-conflict": (c) =>
    `the list has another ${c.field} of the child ${clipped(c.childId)} than its log`,
  "target-shape": (c) =>
    `the ${clipped(c.type)} of the next format would not have its shape: ${clipped(c.fault.path.join("."))} should be ${c.fault.expected}`,
}

const isEdgeCode = (code: string): code is EdgeCode => Object.hasOwn(sentences, code)

/** One cause against a migration in a sentence, from its code and its numbers. */
export const causeText = (cause: MigrationCause): string => {
  // the code picks the sentence of its own cause, which the compiler does not follow
  if (isEdgeCode(cause.code))
    return (sentences[cause.code] as (cause: MigrationCause) => string)(cause)
  const { class: _class, from: _from, to: _to, ...refusal } = cause
  // the codes of refusals mean here what they mean there
  return findingSentence(refusal as Refusal)
}
