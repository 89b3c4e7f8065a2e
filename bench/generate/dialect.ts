import type { Block } from "./content.ts"

/** A released version of the log format. */
export type FormatVersion = 0 | 1 | 2 | 3 | 4

export const formatVersions: readonly FormatVersion[] = [0, 1, 2, 3, 4]

/** Whether stream chunks are events of their own (and may be packed into rows). */
export const hasChunkEvents = (format: FormatVersion): boolean => format < 2

/** Whether the system prompt is a surface node rather than a field of the request header. */
export const hasSystemNodes = (format: FormatVersion): boolean => format >= 3

/** Whether tool results are messages of role `user` around one `tool-result` block. */
export const wrapsToolResults = (format: FormatVersion): boolean => format < 4

/** The `surfaceOp` of a replacement; endpoints are seqs of current nodes. */
export const replaceOp = (format: FormatVersion, start: number, end: number): object =>
  format < 3 ? { op: "replace", start, end } : { op: "replace", startSeq: start, endSeq: end }

const pluginSource = (
  format: FormatVersion,
  plugin: string,
  kind: string,
  fields: object,
): object => (format < 4 ? { kind: "plugin", plugin, ...fields } : { kind, ...fields })

/** The source of a compaction checkpoint. */
export const checkpointSource = (
  format: FormatVersion,
  compactionId: string,
  sourceCommandId: string | undefined,
): object =>
  pluginSource(format, "compact", "compact-checkpoint", {
    compactionId,
    ...(sourceCommandId === undefined ? {} : { sourceCommandId }),
  })

const systemPlugin = "@deepseek-ai/dsh-system-prompt"

/** The source of a runtime-context snapshot with its named sections. */
export const runtimeContextSource = (
  format: FormatVersion,
  sections: readonly { readonly name: string; readonly text: string }[],
): object => pluginSource(format, systemPlugin, "runtime-context", { form: "snapshot", sections })

/** The source of a one-line notice by the plugin that watches for repeated calls. */
export const reminderSource = (format: FormatVersion, summary: string): object =>
  pluginSource(format, "repeat-tool-reminder", "repeat-tool-reminder", { form: "notice", summary })

export const systemSource = (format: FormatVersion): object =>
  pluginSource(format, systemPlugin, "system-prompt", {})

/** What a tool result says, before a format gives it its shape. */
export type ToolResultFacts = {
  readonly turn: number
  readonly step: number
  readonly id: string
  readonly callId: string
  readonly isError: boolean
  readonly error?: { readonly name: string; readonly code: string }
  readonly meta?: object
}

/** The payload of `tool/result`. */
export const toolResultData = (
  format: FormatVersion,
  facts: ToolResultFacts,
  content: readonly Block[],
): object => {
  const { turn, step, id, callId, isError, error, meta } = facts
  const source = { kind: "tool", callId }
  const message = wrapsToolResults(format)
    ? {
        source,
        content: [{ type: "tool-result", toolCallId: callId, content, isError }],
        role: "user",
        id,
      }
    : { role: "tool", source, toolCallId: callId, content, isError, id }
  return {
    turn,
    step,
    message,
    ...(error === undefined ? {} : { error }),
    ...(meta === undefined ? {} : { meta }),
  }
}

/** The names of the two events around a call that a running tool makes itself. */
export const dispatchTypes = (format: FormatVersion): { start: string; end: string } =>
  format < 3
    ? { start: "tool/code-dispatch-start", end: "tool/code-dispatch" }
    : { start: "tool/ptc-dispatch-start", end: "tool/ptc-dispatch" }

/** The version that writers of a format put into `subagent/descriptor`. */
export const descriptorVersion = (format: FormatVersion): number => (format === 0 ? 2 : 3)
