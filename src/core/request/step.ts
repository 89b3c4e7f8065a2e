import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, right } from "fp-ts/lib/Either.js"
import type { Message } from "../messages/event-message.ts"
import type { PromptAssembly } from "../prompt/assembly.ts"
import type { RenderRefusal } from "../prompt/refusal.ts"
import { renderPrompt } from "../prompt/render.ts"
import type { PreparedStep } from "./admission.ts"

/** What is decided of a step before it begins. */
export type StepDecision =
  | { readonly is: "reject" }
  | {
      readonly is: "enter"
      readonly messages: readonly Message[]
      readonly startsRequestSeries?: true
    }

/** The decision that holds unless somebody decides otherwise: what was claimed, then the context. */
export const defaultDecision = (
  claimed: readonly Message[],
  runtimeContext: Message | null,
): StepDecision => ({
  is: "enter",
  messages: runtimeContext === null ? claimed : [...claimed, runtimeContext],
})

/** What comes of a decision: a step, the end of the turn without one, or nothing further. */
export type StepOpening = "open" | "blocked" | "completed" | "stop"

/** Whether a step opens. `isEnding` says that its turn is about to end already. */
export const stepOpening = (
  decision: StepDecision,
  isFirst: boolean,
  isEnding: boolean,
): StepOpening => {
  if (decision.is === "reject") return "blocked"
  if (decision.messages.length > 0) return "open"
  if (isFirst) return "completed"
  return isEnding ? "stop" : "open"
}

/**
 * The step of an accepted decision, with its prompt rendered: once, for all of its attempts.
 *
 * errors  those of renderPrompt; the step is open by then, and stays empty
 */
export const preparedStep = (
  place: { readonly turn: number; readonly step: number },
  assembly: Pick<PromptAssembly, "sections" | "variables" | "tools">,
  decision: StepDecision & { readonly is: "enter" },
): Either<RenderRefusal, PreparedStep> => {
  const prompt = renderPrompt(assembly)
  if (isLeft(prompt)) return prompt
  return right({
    turn: place.turn,
    step: place.step,
    prompt: prompt.right,
    tools: assembly.tools,
    accepted: decision.messages,
    declaresSeries: decision.startsRequestSeries === true,
  })
}
