import { surfaceOp } from "../../log/event-facts.ts"
import type { FormatVersion } from "../format.ts"
import { arrayField, numberField, textField } from "./fields.ts"
import type { Findings } from "./findings.ts"
import type { LifecycleRule, RuleEvent, Standing } from "./rule.ts"

/**
 * The last version in which a turn may be left open by a crash: the next one starts right behind
 * the message that was put into it. Later versions are written with the end that was missing.
 */
const lastRestartVersion: FormatVersion = 3

interface TurnStepDraft {
  readonly allowsRestart: boolean
  /** Seq of the latest message put into a next turn, or −1. */
  spliceSeq: number
  /** What was said wrong since the last start or end, so that it is said once. */
  silenced: { readonly turn: number | null; readonly step: number | null } | null
  isOutside: boolean
}

const turnStart = (
  draft: TurnStepDraft,
  { facts, data }: RuleEvent,
  { position }: Standing,
  findings: Findings,
): void => {
  const { seq } = facts
  const turn = numberField(data, "turn")
  const { turn: openTurn, step: openStep, nextTurn } = position
  const isRestart =
    draft.allowsRestart &&
    openStep === null &&
    turn === nextTurn &&
    seq > 0 &&
    draft.spliceSeq === seq - 1
  if (openTurn !== null && !isRestart)
    findings.report({ code: "turn-start-open", seq, turn, openTurn })
  else if (turn !== nextTurn)
    findings.report({ code: "turn-start-number", seq, turn, expected: nextTurn })
}

const turnEnd = ({ facts, data }: RuleEvent, { position }: Standing, findings: Findings): void => {
  const { seq } = facts
  const turn = numberField(data, "turn")
  const { turn: openTurn, step: openStep } = position
  if (openTurn === null) findings.report({ code: "turn-end-unopened", seq, turn })
  else if (turn !== openTurn)
    findings.report({ code: "turn-end-number", seq, turn, expected: openTurn })
  else if (openStep !== null) findings.report({ code: "turn-end-step-open", seq, turn, openStep })
}

const stepStart = (
  { facts, data }: RuleEvent,
  { position }: Standing,
  findings: Findings,
): void => {
  const { seq } = facts
  const turn = numberField(data, "turn")
  const step = numberField(data, "step")
  const { turn: openTurn, step: openStep, nextStep } = position
  if (openTurn === null) findings.report({ code: "step-start-outside-turn", seq, turn, step })
  else if (turn !== openTurn) findings.report({ code: "step-start-turn", seq, turn, openTurn })
  else if (openStep !== null) findings.report({ code: "step-start-open", seq, step, openStep })
  else if (step !== nextStep)
    findings.report({ code: "step-start-number", seq, step, expected: nextStep })
}

const stepEnd = ({ facts, data }: RuleEvent, { position }: Standing, findings: Findings): void => {
  const { seq } = facts
  const turn = numberField(data, "turn")
  const step = numberField(data, "step")
  const { turn: openTurn, step: openStep } = position
  if (openStep === null) findings.report({ code: "step-end-unopened", seq, turn, step })
  else if (turn !== openTurn || step !== openStep)
    findings.report({ code: "step-end-number", seq, turn, step, openTurn, openStep })
}

const inStep = (
  draft: TurnStepDraft,
  { facts, data }: RuleEvent,
  { position }: Standing,
  findings: Findings,
): void => {
  const turn = numberField(data, "turn")
  const step = numberField(data, "step")
  const { turn: openTurn, step: openStep } = position
  if (turn === openTurn && step === openStep && openStep !== null) return
  if (draft.silenced !== null && draft.silenced.turn === turn && draft.silenced.step === step)
    return
  draft.silenced = { turn, step }
  findings.report({ code: "step-mismatch", seq: facts.seq, turn, step, openTurn, openStep })
}

const inTurn = (
  draft: TurnStepDraft,
  { facts }: RuleEvent,
  { position }: Standing,
  findings: Findings,
): void => {
  if (position.turn !== null || draft.isOutside) return
  draft.isOutside = true
  findings.report({ code: "outside-turn", seq: facts.seq, type: facts.type })
}

const boundary = (
  draft: TurnStepDraft,
  event: RuleEvent,
  before: Standing,
  findings: Findings,
): void => {
  if (event.facts.type === "turn/start") turnStart(draft, event, before, findings)
  else if (event.facts.type === "turn/end") turnEnd(event, before, findings)
  else if (event.facts.type === "step/start") stepStart(event, before, findings)
  else stepEnd(event, before, findings)
  draft.silenced = null
  draft.isOutside = false
}

/**
 * Turns and steps come one after the other, counted from 1, and what belongs to one stands in it.
 *
 * source  rules R40 to R43, R45 and R46 of the format
 */
export const turnStepRule: LifecycleRule<TurnStepDraft> = {
  since: 0,
  reads: new Set([
    "turn/start",
    "turn/end",
    "step/start",
    "step/end",
    "agent/inbox/spliced",
    "system/message",
    "developer/message",
    "assistant/attempt",
    "assistant/message",
    "tool/call",
    "tool/result",
    "request/header",
    "request/context",
    "tool/ptc-dispatch-start",
    "tool/ptc-dispatch",
  ]),
  begin: ({ format }) => ({
    allowsRestart: format.version <= lastRestartVersion,
    spliceSeq: -1,
    silenced: null,
    isOutside: false,
  }),
  step: (draft, event, before, findings) => {
    switch (event.facts.type) {
      case "turn/start":
      case "turn/end":
      case "step/start":
      case "step/end":
        return boundary(draft, event, before, findings)
      case "agent/inbox/spliced":
        if (
          textField(event.data, "target") === "next-turn" &&
          (arrayField(event.data, "inserted")?.length ?? 0) > 0
        )
          draft.spliceSeq = event.facts.seq
        return undefined
      case "request/header":
      case "request/context":
      case "tool/ptc-dispatch-start":
      case "tool/ptc-dispatch":
        return inTurn(draft, event, before, findings)
      case "tool/result":
        return event.facts.op === surfaceOp.replace
          ? inTurn(draft, event, before, findings)
          : inStep(draft, event, before, findings)
      default:
        return inStep(draft, event, before, findings)
    }
  },
}
