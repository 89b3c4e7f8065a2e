import type { JsonObject } from "../../data/json.ts"

/** The kinds of message sources that the step from format 2 to 3 knows; there are no others. */
export const sourceKinds: ReadonlySet<string> = new Set([
  "user",
  "plugin",
  "model",
  "tool",
  "agent-instructions",
  "session-reference",
  "team-message",
  "goal",
  "skill-invocation",
  "skill-catalog",
  "coordinator",
  "subagent-report",
  "subagent-settled",
  "webhook",
  "agent-message",
])

/** The plugin that wrote system prompts while the kind `plugin` was shared. */
export const promptPlugin = "@deepseek-ai/dsh-system-prompt"

/** A plugin that was renamed with format 3, by its old name. */
export const renamedPlugins: ReadonlyMap<string, string> = new Map([
  ["tools-code-mode", "tools-ptc"],
])

const ownKinds: ReadonlyMap<string, string> = new Map([
  ["compact", "compact-checkpoint"],
  ["tools-code-mode", "ptc-mode"],
  ["tools-ptc", "ptc-mode"],
  ["dsh-compaction-basic", "compact-basic"],
  ...[
    "agent-instructions",
    "session-reference",
    "team-message",
    "goal",
    "skill-invocation",
    "skill-catalog",
    "coordinator",
    "subagent-report",
    "subagent-settled",
    "webhook",
    "agent-message",
    "model-selection",
    "plan-mode",
    "time-context",
    "tmux-context",
    "user-approval",
    "repeat-tool-reminder",
    "tool-cordis",
    "cordis-host-runner",
    "tool-goal",
    "tool-jobs",
    "hooks-codex",
    "hooks-claude-code",
    "schedule",
    "dsh-session-title-llm",
  ].map((name) => [name, name] as const),
])

/** The kind of its own that a plugin has since format 4, for a message of some role. */
export const producerKind = (plugin: string, role: unknown): string => {
  if (plugin === promptPlugin) return role === "system" ? "system-prompt" : "runtime-context"
  return ownKinds.get(plugin) ?? `plugin:${plugin}`
}

/** A source of the shared kind as its plugin's own: the other keys stay as they stand. */
export const producerSource = (source: JsonObject, kind: string): JsonObject =>
  Object.fromEntries(
    Object.entries(source).flatMap(([key, value]) =>
      key === "plugin" ? [] : [[key, key === "kind" ? kind : value] as const],
    ),
  )
