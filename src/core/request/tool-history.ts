import type { Either } from "fp-ts/lib/Either.js"
import { left, right } from "fp-ts/lib/Either.js"
import type { JsonObject, JsonValue } from "../data/json.ts"
import { isJsonObject, ownValue } from "../data/json.ts"
import type { SurfaceRefusal } from "../data/refusal.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import { contentOf, eventMessage } from "../messages/event-message.ts"
import { headerTools, isSameTool, loggedHeader } from "./header.ts"

/** What a developer message told of tools; a message that only removes some has no additions. */
export interface ToolUpdate {
  readonly messageId: string
  readonly additions: readonly JsonObject[]
}

/** The tools that a series began with, and how they changed since. */
export interface ToolHistory {
  readonly tools: readonly JsonObject[]
  readonly updates: readonly ToolUpdate[]
}

/** All that the tool history of a log depends on. A value. */
export interface ToolHistoryState {
  /** Each definition that this series has seen; a tool that is gone keeps its own. */
  readonly declared: ReadonlyMap<string, JsonObject>
  /** Tools of the latest header. */
  readonly active: readonly JsonObject[]
  /** Names that the model knows to be there, from the baseline and the updates. */
  readonly available: ReadonlySet<string>
  /** Null before the first header. */
  readonly history: ToolHistory | null
}

export const noToolHistory: ToolHistoryState = {
  declared: new Map(),
  active: [],
  available: new Set(),
  history: null,
}

/** The name of a tool; empty where it has none. */
export const toolName = (tool: JsonObject): string => {
  const name = tool["name"]
  return typeof name === "string" ? name : ""
}

/** The tools of the request header at an earlier seq; none where there is no header. */
export type ToolsAt = (headerSeq: number) => readonly JsonObject[]

/** The tools in the payload of a request header; none where it holds no header. */
export const loggedTools = (data: JsonValue): readonly JsonObject[] => {
  const header = loggedHeader(data)
  return header === null ? [] : headerTools(header)
}

const afterHeader = (state: ToolHistoryState, data: JsonValue): ToolHistoryState => {
  const header = loggedHeader(data)
  if (header === null || !isJsonObject(data)) return state
  const tools = headerTools(header)
  const isRedeclared = tools.some((tool) => {
    const before = state.declared.get(toolName(tool))
    return before !== undefined && !isSameTool(before, tool)
  })
  const startsSeries =
    state.history === null ||
    ownValue(data, "reason") === "series" ||
    ownValue(data, "startsSeries") === true ||
    isRedeclared
  if (!startsSeries) return { ...state, active: tools }
  const declared = new Map(tools.map((tool) => [toolName(tool), tool]))
  return {
    declared,
    active: tools,
    available: new Set(declared.keys()),
    history: { tools, updates: [] },
  }
}

const afterUpdate = (
  state: ToolHistoryState,
  seq: number,
  data: JsonValue,
  toolsAt: ToolsAt,
): Either<SurfaceRefusal, ToolHistoryState> => {
  const message = eventMessage(surfaceKind.developer, data)
  const bound = isJsonObject(data) ? ownValue(data, "headerSeq") : undefined
  if (message === null) return right(state)
  const headerSeq = typeof bound === "number" ? bound : -1
  const declared = new Map(state.declared)
  const available = new Set(state.available)
  const additions: JsonObject[] = []
  let defined: readonly JsonObject[] | null = null
  for (const block of contentOf(message)) {
    const toolName = isJsonObject(block) ? block["toolName"] : undefined
    if (!isJsonObject(block) || typeof toolName !== "string") continue
    if (block["type"] === "tool-removal") available.delete(toolName)
    if (block["type"] !== "tool-addition") continue
    defined ??= toolsAt(headerSeq)
    const tool = defined.find((each) => each["name"] === toolName)
    if (tool === undefined)
      return left({ code: "tool-definition-missing", seq, headerSeq, toolName })
    additions.push(tool)
    declared.set(toolName, tool)
    available.add(toolName)
  }
  const { id } = message
  const update = { messageId: typeof id === "string" ? id : "", additions }
  const { tools, updates } = state.history ?? { tools: [], updates: [] }
  return right({
    ...state,
    declared,
    available,
    history: { tools, updates: [...updates, update] },
  })
}

/**
 * The state after one further event, from the first event of the log on.
 *
 * @param toolsAt  asked of the header that an addition names; a state keeps only the latest one
 * shape   the same state where the event does not matter
 * errors  tool-definition-missing where an addition has none, as the surface refuses it too
 */
export const stepToolHistory = (
  state: ToolHistoryState,
  type: string,
  seq: number,
  data: JsonValue,
  toolsAt: ToolsAt,
): Either<SurfaceRefusal, ToolHistoryState> => {
  if (type === "request/header") return right(afterHeader(state, data))
  return type === "developer/message" ? afterUpdate(state, seq, data, toolsAt) : right(state)
}

/**
 * The tool history as a provider is to be told it.
 *
 * shape   the same object while nothing changed. Where the updates do not lead to the tools of the
 *         latest header, as in logs that are older than updates, the tools are told anew
 */
export const toolHistoryOf = (state: ToolHistoryState): ToolHistory => {
  const { active, available, history } = state
  const isTold =
    active.length === available.size && active.every((tool) => available.has(toolName(tool)))
  return isTold && history !== null ? history : { tools: active, updates: [] }
}

/** Names that come and go from one list of tools to the next, in the order of their lists. */
export interface ToolChanges {
  readonly additions: readonly string[]
  readonly removals: readonly string[]
}

/** What changed by name; a tool that is defined anew under its name did not. */
export const toolChanges = (
  before: readonly JsonObject[],
  after: readonly JsonObject[],
): ToolChanges => {
  const missingIn = (names: ReadonlySet<string>, tools: readonly JsonObject[]): string[] =>
    tools.map(toolName).filter((name) => !names.has(name))
  return {
    additions: missingIn(new Set(before.map(toolName)), after),
    removals: missingIn(new Set(after.map(toolName)), before),
  }
}
