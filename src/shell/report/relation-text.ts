import type { CheckFinding, Finding } from "../../core/data/relation-refusal.ts"
import { clipped } from "./clipped.ts"

type Sentences = {
  readonly [Code in CheckFinding["code"]]: (
    finding: CheckFinding & { readonly code: Code },
  ) => string
}

const numberText = (number: number | null): string => (number === null ? "none" : `${number}`)

const nameText = (name: string | null): string =>
  name === null ? "without a name" : JSON.stringify(clipped(name))

const placeText = (turn: number | null, step: number | null): string =>
  `turn ${numberText(turn)}, step ${numberText(step)}`

const pathText = (path: readonly (string | number)[]): string => clipped(path.join("."))

const eventsText = (events: number, bytes: number): string =>
  `${events} ${events === 1 ? "event" : "events"} (${bytes} bytes)`

const afterText = (seq: number | null): string =>
  seq === null ? "" : `, after the replacement ${seq}`

const sentences: Sentences = {
  "turn-start-open": (r) => `turn ${numberText(r.turn)} starts while turn ${r.openTurn} is open`,
  "turn-start-number": (r) => `turn ${numberText(r.turn)} starts where turn ${r.expected} is next`,
  "turn-end-unopened": (r) => `turn ${numberText(r.turn)} ends and no turn is open`,
  "turn-end-number": (r) => `turn ${numberText(r.turn)} ends while turn ${r.expected} is open`,
  "turn-end-step-open": (r) =>
    `turn ${numberText(r.turn)} ends while its step ${r.openStep} is open`,
  "step-start-outside-turn": (r) =>
    `a step starts (${placeText(r.turn, r.step)}) and no turn is open`,
  "step-start-turn": (r) =>
    `a step of turn ${numberText(r.turn)} starts while turn ${r.openTurn} is open`,
  "step-start-open": (r) => `step ${numberText(r.step)} starts while step ${r.openStep} is open`,
  "step-start-number": (r) => `step ${numberText(r.step)} starts where step ${r.expected} is next`,
  "step-end-unopened": (r) => `a step ends (${placeText(r.turn, r.step)}) and none is open`,
  "step-end-number": (r) =>
    `${placeText(r.turn, r.step)} ends; open is ${placeText(r.openTurn, r.openStep)}`,
  "step-mismatch": (r) =>
    `the event says ${placeText(r.turn, r.step)}; open is ${placeText(r.openTurn, r.openStep)}`,
  "outside-turn": (r) => `${clipped(r.type)} stands outside any turn`,
  "tool-id-open": (r) =>
    `tool call ${nameText(r.callId)} is advertised again; that of ${r.openSeq} is not answered`,
  "tool-call-unadvertised": (r) => `tool call ${nameText(r.callId)} was not advertised`,
  "tool-call-repeated": (r) => `tool call ${nameText(r.callId)} was started before`,
  "tool-call-changed": (r) =>
    `tool call ${nameText(r.callId)} has another ${r.field} than was advertised`,
  "tool-call-unresolved": (r) =>
    `${r.unresolvedCount} tool calls are not answered, the first of them ${nameText(r.callId)}`,
  "tool-result-unadvertised": (r) => `no tool call ${nameText(r.callId)} waits for a result`,
  "tool-result-unstarted": (r) =>
    `tool call ${nameText(r.callId)} was never started, and this is not the exact repair`,
  "fork-result": (r) =>
    `the ${r.part} of a fork's result for tool call ${nameText(r.callId)} is not what a fork writes`,
  "ptc-id-empty": (r) => `${r.field} is empty`,
  "ptc-root-changed": (r) =>
    `sub-call ${nameText(r.subCallId)} belongs to ${nameText(r.expected)}, not to ${nameText(r.rootCallId)}`,
  "ptc-parent-unknown": (r) =>
    `the parent ${nameText(r.parentCallId)} of sub-call ${nameText(r.subCallId)} is not known`,
  "ptc-start-repeated": (r) => `sub-call ${nameText(r.subCallId)} was started before`,
  "ptc-settle-unstarted": (r) => `sub-call ${nameText(r.subCallId)} is settled but never started`,
  "ptc-settle-repeated": (r) => `sub-call ${nameText(r.subCallId)} was settled before`,
  "ptc-settle-changed": (r) =>
    `sub-call ${nameText(r.subCallId)} is settled with another ${r.field} than it was started with`,
  "retry-turn": (r) =>
    `a retry in turn ${numberText(r.turn)}; open is turn ${numberText(r.openTurn)}`,
  "retry-step": (r) =>
    `a retry of step ${numberText(r.step)}; the latest is step ${numberText(r.expected)}`,
  "retry-provider": (r) =>
    `a retry at provider ${nameText(r.provider)}; the request header says ${nameText(r.expected)}`,
  "retry-number": (r) => `retry ${numberText(r.retry)} comes where ${r.expected} is next`,
  "retry-id-changed": (r) =>
    `the retry has the id ${nameText(r.retryId)}; those before it have ${nameText(r.expected)}`,
  "retry-id-reused": (r) => `retry id ${nameText(r.retryId)} belongs to other retries`,
  "retry-start-unscheduled": (r) =>
    `retry ${numberText(r.retry)} of ${nameText(r.retryId)} starts but was not announced`,
  "retry-start-step": (r) =>
    `a retry starts in ${placeText(r.turn, r.step)}; announced was ${placeText(r.scheduledTurn, r.scheduledStep)}`,
  "retry-start-repeated": (r) =>
    `retry ${numberText(r.retry)} of ${nameText(r.retryId)} was started before`,
  "title-citations-missing": () => "a title that the user did not give cites no message",
  "title-citations-unexpected": () => "a title that the user gave cites messages",
  "title-citation-later": (r) => `${numberText(r.cited)} is no earlier event`,
  "title-citation-repeated": (r) => `message ${numberText(r.cited)} is cited twice`,
  "title-citation-other": (r) => `${numberText(r.cited)} is no message of the user's own`,
  "title-request-message": (r) =>
    r.part === "count"
      ? "a request for a title holds exactly one message"
      : `the ${r.part} of the message is not that of a request for a title`,
  "command-run-repeated": (r) => `command ${nameText(r.commandId)} was run before`,
  "command-done-unknown": (r) => `command ${nameText(r.commandId)} is done but was never run`,
  "command-source-later": (r) => `sourceEventSeq ${numberText(r.source)} is no earlier event`,
  "command-source-kind": () => "only a command that was a success has a sourceEventSeq",
  "command-source-command": (r) =>
    `sourceEventSeq ${numberText(r.source)} is the event of a command`,
  "compaction-id-empty": () => "a compaction without an id",
  "compaction-start-open": (r) => `a compaction starts while that of ${r.openSeq} is open`,
  "compaction-turn-boundary": (r) => `a turn starts or ends within the compaction of ${r.openSeq}`,
  "compaction-turn": (r) =>
    `a compaction of turn ${numberText(r.turn)}; open is turn ${numberText(r.openTurn)}`,
  "compaction-unmatched": (r) =>
    r.openSeq === null
      ? `compaction ${nameText(r.compactionId)} is not open`
      : `compaction ${nameText(r.compactionId)} is not the one that is open since ${r.openSeq}`,
  "compaction-checkpoint": (r) =>
    `a checkpoint of compaction ${nameText(r.compactionId)}, which is not open`,
  "compaction-summary-repeated": (r) => `the compaction of ${r.openSeq} has a summary already`,
  "compaction-summary-missing": (r) =>
    `the compaction of ${r.openSeq} ends with neither a summary nor an error`,
  "compaction-end-turn": (r) =>
    `the compaction of turn ${numberText(r.expected)} ends as one of turn ${numberText(r.turn)}`,
  "compaction-range": (r) =>
    `${numberText(r.start)} to ${numberText(r.end)} is no range of the current surface`,
  "compaction-span": (r) =>
    `shadowedSeqs are not the ${r.nodeCount} nodes from ${r.start} to ${r.end}`,
  "compaction-head": (r) => `the system prompt ${r.head} at the head is shadowed`,
  "message-slot-shape": (r) => `${pathText(r.path)} should be: messages`,
  "message-source": (r) =>
    r.kind === "plugin"
      ? `the source of ${pathText(r.path)} has the retired kind plugin`
      : `${pathText(r.path)} needs a source with a kind`,
  "developer-role": (r) => `${pathText(r.path)} may not have the role developer`,
  "tool-change-misplaced": (r) =>
    `${pathText(r.path)} is a tool change, which only developer messages hold`,
  "tool-result-block": (r) => `${pathText(r.path)} is a tool result, which is no block any more`,
  "delivery-version": () => "sessionFormatVersion should be: count",
  "delivery-through-seq": (r) => `throughSeq ${numberText(r.throughSeq)} is no earlier event`,
  "delivery-session": (r) =>
    `session ${nameText(r.sessionId)} is neither this one nor one that was inherited from`,
  "catalog-field": (r) => `${r.field} is not that of a listed child`,
  "catalog-child-repeated": (r) => `child ${nameText(r.childId)} is listed twice`,
  "head-absent": (r) =>
    `a system message in a log whose first message, ${r.first}, is none of the system`,
  "sequence-fork": (r) =>
    `two writers went on from here: ${eventsText(r.firstEvents, r.firstBytes)} up to ${r.expected - 1}, then ${eventsText(r.secondEvents, r.secondBytes)} from ${r.seq} on again`,
  "message-empty": (r) => `the message is empty${afterText(r.afterSeq)}`,
  "call-without-result": (r) =>
    `tool call ${nameText(r.callId)} is not answered before the next message${afterText(r.afterSeq)}`,
  "result-without-call": (r) =>
    `the result of ${nameText(r.callId)} follows no message that calls it${afterText(r.afterSeq)}`,
  "result-not-adjacent": (r) =>
    `a message stands between tool call ${nameText(r.callId)} and this result${afterText(r.afterSeq)}`,
}

/** Whether a finding is one that only a check asks for. */
export const isRelation = (finding: Finding): finding is CheckFinding =>
  Object.hasOwn(sentences, finding.code)

/** One finding of a check in a sentence, from its code and its numbers. */
export const relationSentence = (finding: CheckFinding): string =>
  // the code picks the sentence of its own refusal, which the compiler does not follow
  (sentences[finding.code] as (finding: CheckFinding) => string)(finding)
