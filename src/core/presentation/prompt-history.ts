import type { JsonValue } from "../data/json.ts"
import { ownValue } from "../data/json.ts"
import type { Format } from "../format/format.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import type { AcceptedRow } from "../fold/accepted-row.ts"
import type { LineRange } from "../log/line-range.ts"
import type { TurnStep } from "../log/turn-step.ts"
import { turnStepOf } from "../log/turn-step.ts"
import { loggedHeader } from "../request/header.ts"
import { eventTokens, headerSystemTokens } from "../tokens/estimate.ts"
import type { PromptChange } from "./prompt-change.ts"
import { promptChangeOf } from "./prompt-change.ts"
import { hasPromptNodes } from "./prompt-node.ts"

/**
 * How a prompt came: appended as the first one on the surface, appended behind an earlier one, in the
 * place of what stood there, or so that nothing is left in that place.
 */
export type PromptOrigin = "append" | "update" | "rewrite" | "cleared"

/** A prompt that a log had, and where its text stands. */
export interface PromptEntry extends TurnStep, LineRange {
  readonly seq: number
  /** Epoch milliseconds. */
  readonly time: number
  readonly origin: PromptOrigin
  /** The event that took it away; null while it stands. */
  readonly shadowed: { readonly seq: number; readonly time: number } | null
  /** UTF-16 code units of its text. */
  readonly characters: number
  /** The fixed heuristic over its event; 0 for no text. */
  readonly tokens: number
}

const tokensOf = (format: Format, data: JsonValue): number => {
  if (hasPromptNodes(format)) return eventTokens(surfaceKind.system, data)
  const header = loggedHeader(data)
  return header === null ? 0 : headerSystemTokens(ownValue(header, "system"))
}

/**
 * The prompts of a log as it is read, in the order in which they came. A draft: private to one reading.
 *
 * shape   up to format 2 a request header is one where its text is not that of the one before
 * cost    of each prompt its numbers; texts are read again
 */
export class PromptHistory {
  private readonly format: Format
  private readonly prompts: PromptEntry[] = []
  /** Those that stand, by seq: where they are in the list. */
  private readonly standing: Map<number, number> = new Map()
  private open: TurnStep = { turn: 0, step: 0 }
  private headerText = ""

  constructor(format: Format) {
    this.format = format
  }

  /** Takes the next accepted row. */
  take(row: AcceptedRow): void {
    const { facts, data, line } = row
    if (facts.type === "step/start") this.open = turnStepOf(data)
    const change = promptChangeOf(this.format, facts, data, this.open)
    if (change === null) return
    const { seq, time, does, prompt } = change
    if (does.op === "header") {
      if (prompt === null || prompt.text === this.headerText) return
      this.headerText = prompt.text
    }
    const origin = prompt === null ? null : this.originOf(does.op, prompt.text)
    const shadowed = does.op === "header" ? [...this.standing.keys()] : row.shadowedSeqs
    for (const each of shadowed) this.shadow(each, { seq, time })
    if (prompt === null || origin === null) return
    const { turn, step, text } = prompt
    const figures = { characters: text.length, tokens: tokensOf(this.format, data) }
    this.standing.set(seq, this.prompts.length)
    this.prompts.push({ seq, time, turn, step, origin, shadowed: null, ...figures, ...line })
  }

  /** The prompts so far; a fresh array. */
  entries(): readonly PromptEntry[] {
    return [...this.prompts]
  }

  private originOf(op: PromptChange["does"]["op"], text: string): PromptOrigin {
    if (op === "append") return this.standing.size > 0 ? "update" : "append"
    if (op === "header" && this.prompts.length === 0) return "append"
    return text === "" ? "cleared" : "rewrite"
  }

  private shadow(seq: number, shadowed: { readonly seq: number; readonly time: number }): void {
    const at = this.standing.get(seq)
    const prompt = at === undefined ? undefined : this.prompts[at]
    if (at === undefined || prompt === undefined) return
    this.prompts[at] = { ...prompt, shadowed }
    this.standing.delete(seq)
  }
}

/** The seq of the prompt that holds: the last one with text, in surface order; null without any. */
export const effectiveSeq = (
  entries: readonly PromptEntry[],
  surfaceOrder: ArrayLike<number>,
): number | null => {
  const holding = new Set<number>()
  for (const { seq, shadowed, characters } of entries)
    if (shadowed === null && characters > 0) holding.add(seq)
  for (let i = surfaceOrder.length - 1; i >= 0; i--)
    if (holding.has(surfaceOrder[i] ?? -1)) return surfaceOrder[i] ?? null
  // up to format 2 it stands on no surface, and is the only one
  return [...holding].at(-1) ?? null
}
