import type { PromptChange } from "./prompt-change.ts"
import type { SystemPromptNode } from "./prompt-node.ts"

/** A system message that stands on the surface, and where. */
interface PlacedPrompt {
  /** The seq of the event that was appended there; later ones inherit it. */
  readonly position: number
  readonly node: SystemPromptNode
}

/**
 * What a window of a log says of its prompts, up to some event. Later events make other states, so
 * that what is shown of an event keeps the state that it was shown with.
 */
export interface PromptPrefix {
  /** The first seq of the window. */
  readonly firstSeq: number
  /** The event that led here; null at the beginning. */
  readonly change: PromptChange | null
  /**
   * Whether the order of the surface is not known: a replacement reached behind the window. No
   * prompt is told from then on, until older pages are there.
   */
  readonly isWithheld: boolean
  /** The system messages that stand on the surface, in its order. */
  readonly nodes: readonly PlacedPrompt[]
  /** The positions of the replacements that stand on the surface, by seq. */
  readonly positions: ReadonlyMap<number, number>
  /**
   * The prompt that holds, as of the event since which it does; null where the window has none.
   * One that comes back has the seq and time of the event that brought it back, and is no update.
   */
  readonly effective: SystemPromptNode | null
  /** The prompt that the event brought, with text or without; null where it brought none. */
  readonly introduced: SystemPromptNode | null
}

/**
 * The beginning of a window of a log, or of the log.
 *
 * shape   `known` are positions of older replacements, where somebody kept them
 */
export const noPrompts = (
  firstSeq: number = 0,
  known: ReadonlyMap<number, number> = new Map(),
): PromptPrefix => ({
  firstSeq,
  change: null,
  isWithheld: false,
  nodes: [],
  positions: known,
  effective: null,
  introduced: null,
})

const lastWithText = (nodes: readonly PlacedPrompt[]): SystemPromptNode | null =>
  nodes.findLast(({ node }) => node.text !== "")?.node ?? null

const effectiveOf = (
  previous: PromptPrefix,
  { seq, time }: PromptChange,
  nodes: readonly PlacedPrompt[],
  introduced: SystemPromptNode | null,
): SystemPromptNode | null => {
  const last = lastWithText(nodes)
  if (last === lastWithText(previous.nodes)) return previous.effective
  return last === null || last === introduced ? last : { ...last, seq, time, update: false }
}

const introducedBy = (
  previous: PromptPrefix,
  { seq, time, does, prompt }: PromptChange,
): SystemPromptNode | null =>
  prompt && { seq, time, ...prompt, update: does.op === "append" && previous.nodes.length > 0 }

const withheld = ({ firstSeq }: PromptPrefix, change: PromptChange): PromptPrefix => ({
  ...noPrompts(firstSeq),
  change,
  isWithheld: true,
})

// a header says it all: what it says again is no other prompt
const afterHeader = (previous: PromptPrefix, change: PromptChange): PromptPrefix => {
  const introduced = introducedBy(previous, change)
  // what was said before a window is not known: its first header counts whatever it says
  const isKnown = previous.firstSeq === 0 || previous.change !== null
  if (introduced === null || (isKnown && introduced.text === (previous.effective?.text ?? "")))
    return previous
  const { seq: position, text } = introduced
  const nodes = text === "" ? [] : [{ position, node: introduced }]
  return { ...previous, change, nodes, effective: lastWithText(nodes), introduced }
}

/**
 * What a window says of its prompts after one more event.
 *
 * shape   the very state where the event means nothing to them (null). Surface order decides which
 *         prompt holds, never the order of events: a head that is rewritten late is still before
 *         what was appended meanwhile
 * cost    nothing for what is appended; a replacement copies the positions of those that stand
 * law     PF20 to PF23 in properties/presentation.prop.ts
 * source  rules of the note on prompts in history
 */
export const inspectSystemPrompt = (
  previous: PromptPrefix,
  change: PromptChange | null,
): PromptPrefix => {
  if (change === null) return previous
  const { seq, does } = change
  if (does.op === "header") return afterHeader(previous, change)
  const isUnknown = (endpoint: number): boolean =>
    endpoint < previous.firstSeq && !previous.positions.has(endpoint)
  if (
    previous.isWithheld ||
    (does.op === "replace" && (isUnknown(does.start) || isUnknown(does.end)))
  )
    return withheld(previous, change)
  const introduced = introducedBy(previous, change)
  let position = seq
  let { nodes, positions } = previous
  if (does.op === "replace") {
    const from = positions.get(does.start) ?? does.start
    const to = positions.get(does.end) ?? does.end
    const stays = (at: number): boolean => at < from || at > to
    nodes = nodes.filter((each) => stays(each.position))
    positions = new Map([...positions].filter(([, at]) => stays(at))).set(seq, from)
    position = from
  }
  if (introduced !== null)
    nodes = [...nodes, { position, node: introduced }].sort((a, b) => a.position - b.position)
  const effective = effectiveOf(previous, change, nodes, introduced)
  return { ...previous, change, nodes, positions, effective, introduced }
}

/**
 * The states of a window once older pages are there: the same events, each on top of what came
 * before it.
 *
 * shape   `older` is the last state of the older pages, `later` are states of the window in order,
 *         as many as somebody keeps, none left out in between
 */
export const prependPrompts = (
  older: PromptPrefix,
  later: readonly PromptPrefix[],
): readonly PromptPrefix[] => {
  let prefix = older
  return later.map(({ change }) => (prefix = inspectSystemPrompt(prefix, change)))
}
