export type { AcceptedRow } from "../fold/accepted-row.ts"
export type { TurnStep } from "../log/turn-step.ts"
export type { PromptPrefix } from "./inspect-system-prompt.ts"
export { inspectSystemPrompt, noPrompts, prependPrompts } from "./inspect-system-prompt.ts"
export type { PromptChange } from "./prompt-change.ts"
export { promptChangeOf } from "./prompt-change.ts"
export type { PromptEntry, PromptOrigin } from "./prompt-history.ts"
export { effectiveSeq, PromptHistory } from "./prompt-history.ts"
export type { SystemPromptNode } from "./prompt-node.ts"
export type {
  InspectedRequest,
  LoggedHeader,
  RequestPrompt,
  RequestPromptChange,
} from "./request-prompt.ts"
export { inspectRequestPrompt } from "./request-prompt.ts"
export type { HeaderFact, Trajectory } from "./trajectory.ts"
export { noTrajectory, stepTrajectory, trajectoryReads } from "./trajectory.ts"
