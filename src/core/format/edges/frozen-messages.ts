import { isCount } from "../../data/count.ts"
import type { Shape } from "../../log/shape.ts"
import {
  any,
  arrayOf,
  boolean,
  count,
  exactly,
  lazy,
  leaf,
  never,
  nonempty,
  object,
  oneOf,
  positive,
  string,
  tagged,
} from "../../log/shape.ts"

// The shapes that formats 0 to 2 were frozen with, to the last key: what an edge may rely on. Native
// reading asks for less (log/payload-shapes.ts).

const imageReference: Shape = exactly(
  {
    attachmentId: nonempty,
    mediaType: oneOf("image/png", "image/jpeg", "image/webp", "image/gif"),
    bytes: count,
    width: positive,
    height: positive,
  },
  { name: string, originalDimensions: exactly({ width: positive, height: positive }) },
)
const text: Shape = exactly({ type: string, text: string })

const blockShape = (hasFiles: boolean): Shape => {
  const block: Shape = tagged("type", {
    text,
    reasoning: text,
    image: exactly({ type: string, attachment: imageReference }),
    "tool-call": exactly({ type: string, id: nonempty, name: nonempty, arguments: string }),
    "tool-result": exactly(
      { type: string, toolCallId: nonempty, content: arrayOf(lazy(() => block)) },
      { isError: boolean },
    ),
    // until format 2 a file was a tag like any other that nobody knew
    ...(hasFiles
      ? {
          file: exactly({
            type: string,
            attachment: exactly({ attachmentId: nonempty, name: string, bytes: count }),
          }),
        }
      : {}),
  })
  return block
}

const relay: Shape = exactly({ kind: string, form: oneOf("relay"), senderSessionId: string })
const goal = { kind: string, goalId: nonempty, revision: positive }

const pluginKeys = { kind: string, plugin: nonempty }
const pluginOptions = {
  form: oneOf("instructions", "catalog", "snapshot", "notice", "relay", "recall"),
  sections: arrayOf(exactly({ name: string, text: string })),
  summary: string,
}
const pluginSource: Shape = tagged(
  "plugin",
  {
    compact: exactly(
      { ...pluginKeys, compactionId: nonempty },
      { ...pluginOptions, sourceCommandId: nonempty },
    ),
  },
  exactly(pluginKeys, pluginOptions),
)

const countOrNull: Shape = leaf("count or null", (value) => value === null || isCount(value))

const reference = (version: number): Shape =>
  exactly(
    {
      sessionId: string,
      label: string,
      capturedThroughSeq: countOrNull,
      compacted: boolean,
      originalMessages: count,
      retainedMessages: count,
      omittedMessages: count,
      omittedBytes: count,
      truncated: boolean,
      inputIndex: count,
    },
    version === 0
      ? {}
      : {
          capturedFormatVersion: leaf(
            `version 1 to ${version}`,
            (value) => isCount(value) && value >= 1 && value <= version,
          ),
        },
  )

const change: Shape = exactly(
  { action: oneOf("set", "replace", "remove"), scope: string, path: string },
  { digest: string },
)

/** Sources of messages by kind; kinds that are not named are anybody's own. */
const sourceShape = (version: number): Shape =>
  tagged("kind", {
    user: exactly({ kind: string }, { rpcId: any, clientTimeZone: nonempty }),
    plugin: pluginSource,
    model: exactly({ kind: string, provider: nonempty, model: nonempty }, { replayState: any }),
    tool: exactly({ kind: string, callId: nonempty }),
    "agent-instructions": exactly(
      { kind: string, form: oneOf("instructions"), changes: arrayOf(change) },
      { baseline: oneOf(true), baselineIdentity: string },
    ),
    "session-reference": exactly({
      kind: string,
      form: oneOf("recall"),
      version: oneOf(1),
      references: arrayOf(reference(version), 1),
    }),
    "team-message": exactly({
      kind: string,
      teamId: string,
      messageId: string,
      senderId: string,
      senderName: string,
    }),
    goal:
      version < 2
        ? // the legacy form carries the change itself; how it is bound is told by legacy-goal.ts
          exactly({ ...goal, round: count }, { change: object({}) })
        : exactly({ ...goal, round: positive }),
    "skill-invocation": exactly({ kind: string, name: string, form: oneOf("instructions") }),
    "skill-catalog": exactly(
      {
        kind: string,
        form: oneOf("catalog"),
        entries: arrayOf(exactly({ name: string, description: string })),
      },
      { update: oneOf(true) },
    ),
    coordinator: relay,
    "subagent-report": relay,
    "subagent-settled": exactly({
      kind: string,
      form: oneOf("notice"),
      summary: string,
      senderSessionId: string,
    }),
    webhook: exactly({
      kind: string,
      provider: string,
      source: string,
      deliveryId: string,
      ruleId: string,
      form: oneOf("notice"),
      summary: string,
    }),
    ...(version < 2 ? {} : { "agent-message": relay }),
  })

/** The message shapes of a frozen format. */
export interface FrozenMessages {
  readonly block: Shape
  readonly blocks: Shape
  readonly user: Shape
  readonly assistant: Shape
  readonly toolResult: Shape
  /** A message of any of those roles. */
  readonly any: Shape
}

export const frozenMessages = (version: 0 | 1 | 2): FrozenMessages => {
  const block = blockShape(version === 2)
  const blocks = arrayOf(block)
  const source = sourceShape(version)
  const ofKind = (kind: string): Shape => tagged("kind", { [kind]: source }, never)
  const message = (role: Shape, content: Shape, from: Shape): Shape =>
    exactly({ id: nonempty, role, content, source: from })
  const oneResult = arrayOf(tagged("type", { "tool-result": block }, never), 1, 1)
  return {
    block,
    blocks,
    user: message(oneOf("user"), blocks, source),
    assistant: message(oneOf("assistant"), blocks, ofKind("model")),
    toolResult: message(oneOf("user"), oneResult, ofKind("tool")),
    any: message(oneOf("user", "assistant"), blocks, source),
  }
}
