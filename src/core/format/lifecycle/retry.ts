import { numberField, objectField, textField } from "./fields.ts"
import type { Findings } from "./findings.ts"
import type { LifecycleRule, RuleEvent, Standing } from "./rule.ts"

interface Chain {
  readonly retryId: string
  readonly turn: number | null
  readonly step: number | null
  /** The number announced last. */
  retry: number
  /** Numbers announced and not yet started. */
  readonly scheduled: Set<number>
}

interface RetryDraft {
  /** Provider of the latest request header. */
  provider: string | null
  /** Chains by turn, step, provider and policy. */
  readonly chains: Map<string, Chain>
  readonly byId: Map<string, Chain>
}

const standingFinding = (
  draft: RetryDraft,
  { facts, data }: RuleEvent,
  { position }: Standing,
  findings: Findings,
): boolean => {
  const { seq } = facts
  const turn = numberField(data, "turn")
  const step = numberField(data, "step")
  const provider = textField(data, "provider")
  const expectedStep = position.step ?? position.lastStep
  if (position.turn === null || turn !== position.turn)
    findings.report({ code: "retry-turn", seq, turn, openTurn: position.turn })
  else if (expectedStep === null || step !== expectedStep)
    findings.report({ code: "retry-step", seq, step, expected: expectedStep })
  else if (provider === null || provider !== draft.provider)
    findings.report({ code: "retry-provider", seq, provider, expected: draft.provider })
  else return false
  return true
}

const chainFinding = (
  draft: RetryDraft,
  seq: number,
  chain: Chain | undefined,
  retryId: string | null,
  retry: number | null,
  findings: Findings,
): void => {
  const expected = chain === undefined ? 1 : chain.retry + 1
  if (retry !== expected) findings.report({ code: "retry-number", seq, retry, expected })
  else if (chain !== undefined && chain.retryId !== retryId)
    findings.report({ code: "retry-id-changed", seq, retryId, expected: chain.retryId })
  else if (chain === undefined && retryId !== null && draft.byId.has(retryId))
    findings.report({ code: "retry-id-reused", seq, retryId })
}

const announce = (
  draft: RetryDraft,
  event: RuleEvent,
  before: Standing,
  findings: Findings,
): void => {
  const { facts, data } = event
  const turn = numberField(data, "turn")
  const step = numberField(data, "step")
  const retryId = textField(data, "retryId")
  const retry = numberField(data, "retry")
  const key = JSON.stringify([
    turn,
    step,
    textField(data, "provider"),
    textField(data, "policyKey"),
  ])
  const chain = draft.chains.get(key)
  const hasFinding = standingFinding(draft, event, before, findings)
  if (!hasFinding) chainFinding(draft, facts.seq, chain, retryId, retry, findings)
  if (retryId === null || retry === null) return
  // with another id the chain goes on under that one
  const next: Chain =
    chain?.retryId === retryId
      ? chain
      : { retryId, turn, step, retry, scheduled: new Set(chain?.scheduled) }
  next.retry = retry
  next.scheduled.add(retry)
  draft.chains.set(key, next)
  draft.byId.set(retryId, next)
}

const started = (draft: RetryDraft, { facts, data }: RuleEvent, findings: Findings): void => {
  const { seq } = facts
  const turn = numberField(data, "turn")
  const step = numberField(data, "step")
  const retryId = textField(data, "retryId")
  const retry = numberField(data, "retry")
  const chain = retryId === null ? undefined : draft.byId.get(retryId)
  if (chain === undefined || retry === null || retry > chain.retry || retry < 1)
    findings.report({ code: "retry-start-unscheduled", seq, retryId, retry })
  else if (turn !== chain.turn || step !== chain.step)
    findings.report({
      code: "retry-start-step",
      seq,
      turn,
      step,
      scheduledTurn: chain.turn,
      scheduledStep: chain.step,
    })
  else if (!chain.scheduled.has(retry))
    findings.report({ code: "retry-start-repeated", seq, retryId, retry })
  if (retry !== null) chain?.scheduled.delete(retry)
}

/**
 * Retries of one request are counted from 1 under one id, announced in its step and started once.
 *
 * cost    keeps one entry a chain of the log
 * source  rules R54 to R56 of the format
 */
export const retryRule: LifecycleRule<RetryDraft> = {
  since: 4,
  reads: new Set(["request/header", "llm/retry", "llm/retry-started"]),
  begin: () => ({ provider: null, chains: new Map(), byId: new Map() }),
  step: (draft, event, before, findings) => {
    switch (event.facts.type) {
      case "request/header": {
        const header = objectField(event.data, "header")
        const config = header === null ? null : objectField(header, "config")
        draft.provider = config === null ? null : textField(config, "provider")
        return undefined
      }
      case "llm/retry":
        return announce(draft, event, before, findings)
      default:
        return started(draft, event, findings)
    }
  },
}
