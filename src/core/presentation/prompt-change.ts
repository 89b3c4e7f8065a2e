import type { JsonValue } from "../data/json.ts"
import type { Format } from "../format/format.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import type { EventFacts } from "../log/event-facts.ts"
import { surfaceOp } from "../log/event-facts.ts"
import type { TurnStep } from "../log/turn-step.ts"
import { turnStepOf } from "../log/turn-step.ts"
import { hasPromptNodes, promptTextOf, promptTypeOf } from "./prompt-node.ts"

/** The text of a prompt, and the step that it was logged in. */
interface IntroducedText extends TurnStep {
  readonly text: string
}

/** An event that brings a prompt, or that may take one away. */
export interface PromptChange {
  readonly seq: number
  /** Epoch milliseconds. */
  readonly time: number
  readonly does:
    | { readonly op: "append" }
    | { readonly op: "replace"; readonly start: number; readonly end: number }
    /** Up to format 2: it takes the place of whatever there was. */
    | { readonly op: "header" }
  /** Null for a replacement by any other message. */
  readonly prompt: IntroducedText | null
}

/**
 * What an event means to the prompts of its log; null where that is nothing, as for all that is
 * merely appended.
 *
 * shape   `open` is the step that is open: a request header does not name its own. The payload is
 *         looked at of system messages, and up to format 2 of request headers
 */
export const promptChangeOf = (
  format: Format,
  facts: EventFacts,
  data: JsonValue | undefined,
  open: TurnStep,
): PromptChange | null => {
  const { seq, timeMs: time, type, kind, op, start, end } = facts
  const isPrompt = type === promptTypeOf(format)
  const text = isPrompt ? promptTextOf(format, data ?? null) : ""
  if (!hasPromptNodes(format))
    return isPrompt ? { seq, time, does: { op: "header" }, prompt: { ...open, text } } : null
  if (op === surfaceOp.none || (op === surfaceOp.append && kind !== surfaceKind.system)) return null
  return {
    seq,
    time,
    does: op === surfaceOp.append ? { op: "append" } : { op: "replace", start, end },
    prompt: isPrompt ? { ...turnStepOf(data), text } : null,
  }
}
