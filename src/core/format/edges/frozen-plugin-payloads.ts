import { isCount } from "../../data/count.ts"
import type { PayloadShapes } from "../../log/payload-shapes.ts"
import type { Shape } from "../../log/shape.ts"
import {
  arrayOf,
  boolean,
  count,
  exactly,
  leaf,
  never,
  nonempty,
  object,
  oneOf,
  positive,
  record,
  safeInt,
  string,
  tagged,
} from "../../log/shape.ts"
import type { FrozenMessages } from "./frozen-messages.ts"

const goalKeys = {
  id: nonempty,
  revision: positive,
  objective: string,
  phase: string,
  maxGoalRounds: positive,
}
const openGoal: Shape = exactly(goalKeys)
const goal: Shape = tagged(
  "phase",
  {
    active: openGoal,
    paused: openGoal,
    complete: openGoal,
    blocked: exactly({ ...goalKeys, blockedReason: exactly({ code: string, message: string }) }),
  },
  never,
)
const goalChange = { kind: oneOf("goal/change"), version: oneOf(1), operation: string }
const goalStep: Shape = exactly({
  ...goalChange,
  goal,
  roundsStarted: count,
  createdAt: count,
  updatedAt: count,
})

/** A change of a goal, by its operation. */
export const goalChangeShape: Shape = tagged(
  "operation",
  {
    clear: exactly({
      ...goalChange,
      cleared: exactly({ id: nonempty, revision: positive }),
      clearedAt: count,
    }),
    create: goalStep,
    edit: goalStep,
    pause: goalStep,
    resume: goalStep,
    complete: goalStep,
    block: goalStep,
  },
  never,
)

const toolFilter: Shape = exactly({}, { allow: arrayOf(string), deny: arrayOf(string) })
const descriptor: Shape = tagged(
  "mode",
  {
    "one-shot": exactly({ mode: string, version: oneOf(3), provider: nonempty }, { label: string }),
    continuable: exactly(
      { mode: string, version: oneOf(3), provider: nonempty, label: nonempty },
      {
        agentProvider: nonempty,
        agentModel: nonempty,
        agentReasoningEffort: nonempty,
        persona: string,
        toolFilter,
      },
    ),
  },
  never,
)

const message: Shape = exactly(
  {
    messageId: string,
    rating: oneOf("positive", "negative"),
    version: string,
    createdAt: count,
    updatedAt: count,
  },
  { note: string },
)

// The validators of teams, workflows and the web search were not seen: their keys are those of the
// declared types, and more of them are not refused.
const team = { version: oneOf(1), teamId: string }
const agent = { runId: nonempty, seq: count }

/** Payloads that only a plugin reads, as formats 0 to 2 were frozen. */
export const pluginPayloads = ({ blocks }: FrozenMessages): PayloadShapes => ({
  "agent-preset/selected": exactly({ agentPreset: string }),
  "approval/asked": exactly(
    { id: nonempty, toolName: nonempty },
    { callId: nonempty, reason: string },
  ),
  "approval/decided": exactly({
    id: nonempty,
    outcome: oneOf("allowed-once", "rejected", "cancelled", "unavailable"),
  }),
  "approval/policy": exactly({ policy: oneOf("ask", "never") }, { source: oneOf("delegation") }),
  "command/run": exactly(
    { commandId: nonempty, name: nonempty, source: exactly({ kind: oneOf("user") }) },
    { args: string },
  ),
  "command/done": exactly(
    { commandId: nonempty, kind: oneOf("success", "error") },
    { text: string, sourceEventSeq: count },
  ),
  "feedback/record": exactly({ text: nonempty }),
  "feedback/message-put": exactly({ sessionId: string, item: message }),
  "feedback/message-delete": exactly({ sessionId: string, messageId: string }),
  "goal/change": goalChangeShape,
  "hook/invoked": exactly(
    {
      turn: count,
      point: nonempty,
      dialect: oneOf("claude-code", "codex"),
      handlerId: nonempty,
    },
    { matcher: string },
  ),
  "hook/result": exactly(
    {
      turn: count,
      point: nonempty,
      handlerId: nonempty,
      decision: nonempty,
      durationMs: leaf("number from 0", (value) => typeof value === "number" && value >= 0),
    },
    { exitCode: safeInt, stderrSummary: string },
  ),
  "model/selection": exactly(
    { provider: nonempty, model: nonempty },
    { reasoningEffort: nonempty },
  ),
  "permission/preset": exactly({ preset: nonempty }),
  "plan/mode": exactly({ active: boolean }),
  "sandbox/mode": exactly(
    { mode: oneOf("read-only", "workspace-write", "danger-full-access") },
    { source: oneOf("delegation") },
  ),
  // the key that tells its operations apart is not known
  "schedule/change": object({ version: oneOf(1) }),
  "subagent/descriptor": descriptor,
  "subagent/model-selection-policy": exactly({
    allowedModels: arrayOf(exactly({ provider: nonempty, model: nonempty }), 1),
  }),
  "team/member": object({ ...team, member: record }),
  "team/task": object({ ...team, task: record }),
  "team/message/queued": object({ ...team, message: object({ content: blocks }) }),
  "team/message/delivered": object({ ...team, messageId: string, targetId: string }),
  "todo/write": exactly({
    todos: arrayOf(
      exactly({ content: string, status: oneOf("pending", "in_progress", "completed") }),
    ),
  }),
  "tool-workflow/run-start": object({ runId: nonempty, name: nonempty }),
  "tool-workflow/run-end": object({
    runId: nonempty,
    stopReason: oneOf("completed", "cancelled", "error"),
  }),
  "tool-workflow/agent-start": object({ ...agent, label: string, childId: nonempty }),
  "tool-workflow/agent-end": object({
    ...agent,
    outcome: oneOf("completed", "failed", "cancelled"),
  }),
  "web/deepseek-search-llm-request": object({
    endpoint: nonempty,
    apiVersion: nonempty,
    body: record,
  }),
  // which deliveries are asked for their fields depends on the edge
  "session-log-deepseek/delivery-accepted": record,
})

/** Whether a descriptor is of a later version than the frozen one: nobody looks into it. */
export const isLaterDescriptor = (version: unknown): version is number =>
  isCount(version) && version > 3
