import type { JsonValue } from "../data/json.ts"
import { isJsonObject, ownValue } from "../data/json.ts"
import type { Format } from "../format/format.ts"
import type { EventFacts } from "../log/event-facts.ts"
import type { TurnStep } from "../log/turn-step.ts"
import { turnStepOf } from "../log/turn-step.ts"
import { loggedHeader } from "../request/header.ts"
import type { PromptPrefix } from "./inspect-system-prompt.ts"
import { inspectSystemPrompt, noPrompts } from "./inspect-system-prompt.ts"
import { promptChangeOf } from "./prompt-change.ts"
import type { RequestPrompt, RequestPromptChange } from "./request-prompt.ts"
import { inspectRequestPrompt } from "./request-prompt.ts"

/** A request header, or what stands for one where a prompt was appended without any. */
export interface HeaderFact extends TurnStep {
  readonly seq: number
  /** Epoch milliseconds. */
  readonly time: number
  /** Whether no such header was logged: a prompt was appended. */
  readonly isSynthetic: boolean
  readonly prompt: RequestPrompt
  /** Null where nothing that is shown has changed. */
  readonly change: RequestPromptChange | null
  /** Whether it is the one that shows the prompt: its own step has not shown it before. */
  readonly showsPrompt: boolean
}

/** The requests of a window of a log as a reader goes through them. */
export interface Trajectory {
  readonly format: Format
  readonly prompts: PromptPrefix
  /** The step that was opened last; zeros before the first. */
  readonly open: TurnStep
  /** The newest header fact, logged or synthetic; null before the first. */
  readonly latest: HeaderFact | null
  /** What the next header is compared with; null before the first. */
  readonly base: RequestPrompt | null
}

/** Event types whose payload a trajectory looks at. */
export const trajectoryReads: ReadonlySet<string> = new Set([
  "step/start",
  "system/message",
  "request/header",
])

/** The trajectory of a window that begins at a seq, before its first event. */
export const noTrajectory = (format: Format, firstSeq: number = 0): Trajectory => ({
  format,
  prompts: noPrompts(firstSeq),
  open: { turn: 0, step: 0 },
  latest: null,
  base: null,
})

// without an older prompt in the window nobody knows that there is none
const knownText = ({ effective, firstSeq, isWithheld, change }: PromptPrefix): string | null => {
  if (effective !== null) return effective.text
  return !isWithheld && (firstSeq === 0 || change?.does.op === "header") ? "" : null
}

const isSameStep = (a: TurnStep, b: TurnStep): boolean => a.turn === b.turn && a.step === b.step

const withHeader = (state: Trajectory, facts: EventFacts, data: JsonValue): Trajectory => {
  const header = loggedHeader(data)
  if (header === null) return state
  const { seq, timeMs: time } = facts
  const reason = isJsonObject(data) ? ownValue(data, "reason") : undefined
  const { effective } = state.prompts
  const { prompt, change } = inspectRequestPrompt(
    state.base,
    { seq, time, header, reason: typeof reason === "string" ? reason : null },
    effective,
    knownText(state.prompts),
  )
  const isShown = effective !== null && effective.seq !== seq && isSameStep(effective, state.open)
  const showsPrompt = change !== null && change.kind !== "tools" && !isShown
  const latest = { seq, time, ...state.open, isSynthetic: false, prompt, change, showsPrompt }
  return { ...state, latest, base: prompt }
}

const withPrompt = (state: Trajectory): Trajectory => {
  const { base, prompts } = state
  const { introduced, effective } = prompts
  if (base === null || introduced === null || introduced !== effective) return state
  const { seq, time, turn, step, text, update } = introduced
  const prompt = { ...base, system: text }
  // the first one that the window has of a prompt that it does not know
  if (!update) return base.system === null ? { ...state, base: prompt } : state
  const change = { seq, time, kind: "system", previous: base } as const
  const latest = { seq, time, turn, step, isSynthetic: true, prompt, change, showsPrompt: false }
  return { ...state, latest, base: prompt }
}

/**
 * The trajectory after one more accepted event.
 *
 * shape   the very object where the event shows nothing; `latest` is another one where there is a
 *         header to show. A prompt that was appended behind a header makes a synthetic one, and what
 *         comes next is compared with the newer of the two: A, B, C tells that C follows B
 * law     PF24 in properties/presentation.prop.ts
 * source  rules of the note on prompts in history
 */
export const stepTrajectory = (
  state: Trajectory,
  facts: EventFacts,
  data: JsonValue | undefined,
): Trajectory => {
  if (facts.type === "step/start") return { ...state, open: turnStepOf(data) }
  const change = promptChangeOf(state.format, facts, data, state.open)
  const prompts = inspectSystemPrompt(state.prompts, change)
  const seen = prompts === state.prompts ? state : { ...state, prompts }
  if (facts.type === "request/header") return withHeader(seen, facts, data ?? null)
  return seen === state ? state : withPrompt(seen)
}
