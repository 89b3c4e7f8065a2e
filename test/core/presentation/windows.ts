import type { JsonArray, JsonObject, JsonValue } from "#core/data/json"
import type { FormatVersion } from "#core/format/format"
import type { PromptPrefix } from "#core/presentation/inspect-system-prompt"
import { inspectSystemPrompt, noPrompts } from "#core/presentation/inspect-system-prompt"
import { promptChangeOf } from "#core/presentation/prompt-change"
import type { SystemPromptNode } from "#core/presentation/prompt-node"
import type { HeaderFact, Trajectory } from "#core/presentation/trajectory"
import { noTrajectory, stepTrajectory } from "#core/presentation/trajectory"
import { systemData } from "../../../properties/arbitraries/dialect.ts"
import { formatOf, rightRow } from "../../../properties/carriers.ts"
import type { Draft } from "../surface/events.ts"
import { numbered, over, replacing } from "../surface/events.ts"

const textBlock = (text: string): JsonArray => (text === "" ? [] : [{ type: "text", text }])

/** A prompt that is appended in a step. */
export const prompt = (text: string, turn = 1, step = 1): Draft => ({
  type: "system/message",
  data: systemData(4, { turn, step }, "s", textBlock(text)),
  surfaceOp: "append",
})

/** A prompt in the place of one node. */
export const rewritten = (text: string, seq: number, turn = 1, step = 1): Draft =>
  replacing(4, prompt(text, turn, step), [seq, seq], [seq])

/** A summary in the place of some nodes. */
export const summary = (user: Draft, seqs: readonly number[]): Draft => ({
  ...user,
  surfaceOp: over(4, seqs[0] ?? -1, seqs.at(-1) ?? -1),
  sourceEventSeqs: [...seqs],
})

export const stepStart = (turn: number, step: number): Draft => ({
  type: "step/start",
  data: { turn, step },
})

export const toolOf = (name: string): JsonObject => ({ name, description: "", parameters: {} })

/** A request header with tools of these names; of an older format with its prompt. */
export const header = (
  reason: string,
  tools: readonly string[] = [],
  system: JsonValue = null,
): Draft => ({
  type: "request/header",
  data: {
    header: {
      config: { provider: "p", model: "m" },
      ...(tools.length > 0 && { tools: tools.map(toolOf) }),
      ...(system !== null && { system }),
    },
    reason,
  },
})

// a packed run has no seq of its own
const firstSeqOf = (version: FormatVersion, [first]: readonly JsonObject[]): number =>
  first === undefined ? 0 : rightRow(version, first).facts.seq

/** The state after each row of a window that begins with the first of them. */
export const statesOf = (
  version: FormatVersion,
  rows: readonly JsonObject[],
  start: PromptPrefix = noPrompts(firstSeqOf(version, rows)),
): readonly PromptPrefix[] => {
  let state = start
  return rows.map((row) => {
    const { facts, data } = rightRow(version, row)
    const change = promptChangeOf(formatOf(version), facts, data, { turn: 0, step: 0 })
    return (state = inspectSystemPrompt(state, change))
  })
}

/** The states of a whole log of format 4. */
export const promptsOf = (...drafts: readonly Draft[]): readonly PromptPrefix[] =>
  statesOf(4, numbered(drafts))

/** The last of some states. */
export const lastOf = <A>(states: readonly A[]): A => {
  const last = states.at(-1)
  if (last === undefined) throw new RangeError("no state")
  return last
}

/** A node in short: its seq and text, and a + where it is an update. */
export const told = (node: SystemPromptNode | null): string | null =>
  node && `${node.seq} ${node.text}${node.update ? "+" : ""}`

/** The trajectory after each row of a window. */
export const trajectoriesOf = (
  version: FormatVersion,
  rows: readonly JsonObject[],
): readonly Trajectory[] => {
  let state = noTrajectory(formatOf(version), firstSeqOf(version, rows))
  return rows.map((row) => {
    const { facts, data } = rightRow(version, row)
    return (state = stepTrajectory(state, facts, data))
  })
}

/** The header facts of a window, in order. */
export const factsOf = (
  version: FormatVersion,
  drafts: readonly Draft[],
  firstSeq = 0,
): readonly HeaderFact[] => [
  ...new Set(
    trajectoriesOf(version, numbered(drafts, firstSeq)).flatMap(({ latest }) => latest ?? []),
  ),
]

/** A header fact in short: its seq, what changed and where, from what to what, what it shows. */
export const toldFact = ({
  seq,
  isSynthetic,
  prompt: now,
  change,
  showsPrompt,
}: HeaderFact): string =>
  [
    `${isSynthetic ? "~" : ""}${seq}`,
    change === null ? "-" : `${change.kind}@${change.seq}`,
    `${change?.previous?.system ?? "?"}>${now.system ?? "?"}`,
    ...(showsPrompt ? ["shown"] : []),
  ].join(" ")
