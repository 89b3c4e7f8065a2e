import type { LogReport } from "../../core/fold/log-report.ts"
import type { PromptEntry, PromptOrigin } from "../../core/presentation/prompt-history.ts"
import type { RefusalFields, Status, TailFields } from "./session-record.ts"
import { refusalFields, tailFields } from "./session-record.ts"

/** A system prompt that a log had: `refold.prompt/1`. */
export interface PromptRecord {
  readonly schema: "refold.prompt/1"
  readonly seq: number
  /** Epoch milliseconds. */
  readonly time: number
  readonly turn: number
  readonly step: number
  readonly change: PromptOrigin
  /** The event that took it away; null while it stands. */
  readonly shadowed: { readonly seq: number; readonly time: number } | null
  /** Whether it is the prompt that holds at the end. */
  readonly isEffective: boolean
  readonly characters: number
  readonly tokens: number
  readonly text: string
}

/** What is said of the log beside its prompts: `refold.prompts/1` without them. */
export interface PromptsHead extends RefusalFields {
  readonly schema: "refold.prompts/1"
  readonly session: string | null
  readonly formatVersion: number | null
  readonly status: Status
  readonly tail: TailFields | null
}

export const promptRecord = (
  entry: PromptEntry,
  isEffective: boolean,
  text: string,
): PromptRecord => {
  const { seq, time, turn, step, origin, shadowed, characters, tokens } = entry
  return {
    schema: "refold.prompt/1",
    seq,
    time,
    turn,
    step,
    change: origin,
    shadowed,
    isEffective,
    characters,
    tokens,
    text,
  }
}

export const promptsHead = (report: LogReport): PromptsHead => ({
  schema: "refold.prompts/1",
  session: report.header?.id ?? null,
  formatVersion: report.header?.formatVersion ?? null,
  status: report.status,
  ...refusalFields(report),
  tail: tailFields(report.tail),
})
