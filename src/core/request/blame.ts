import { canonicalJson } from "../data/canonical-json.ts"
import { utf8Length } from "../data/utf8-length.ts"
import type { Projected, Replacement } from "../fold/log-fold-options.ts"
import type { LogFoldView } from "../fold/log-fold-options.ts"
import type { SurfaceKind } from "../format/surface-kind.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import type { LineRange } from "../log/line-range.ts"
import { deriveEventMessage } from "../messages/derive.ts"
import type { SurfaceNode } from "../surface/node.ts"
import { headerSystemTokens, toolsTokens } from "../tokens/estimate.ts"
import type { Usage } from "../tokens/usage.ts"
import type { Blamed, ContentChange } from "./blame-cause.ts"
import { replacementCause, seriesCause, toolsCause } from "./blame-cause.ts"
import type { BlameCause, BlameRow, Break, RequestPart, SharedPrefix } from "./blame-row.ts"
import { cacheCheck } from "./blame-row.ts"
import { isSameTools } from "./header.ts"
import { HeaderWalk } from "./logged-request.ts"
import type { RequestPoint } from "./request-points.ts"
import type { SentHead, SentMessage, SentRequest } from "./sent-request.ts"
import { sentHead } from "./sent-request.ts"
import type { ToolUpdateOption } from "./tool-update.ts"

const nothing: SharedPrefix = { messages: 0, bytes: 0, tokens: 0 }

type Row = Omit<BlameRow, "cache">

/** A change of the surface; what it was is asked where it matters. */
interface SeenChange extends Omit<ContentChange, "cause"> {
  readonly causeIn: (fold: LogFoldView) => BlameCause
}

/**
 * Compares each request of a log with the one before it, while the log is folded.
 *
 * shape   a draft of one reading: `request` before each answer, the other methods for each event
 *         that says so, all in the order of the log
 * cost    a request that only grew costs what came to it, also where its header changed; one behind a
 *         change of content, the live surface. Each message is read once more, for its size
 * law     BL1 in properties/blame.prop.ts
 */
export class Blame {
  private readonly option: ToolUpdateOption | null
  private readonly done: Row[] = []
  private walk: HeaderWalk | null = null
  private before: SentRequest | null = null
  private changes: SeenChange[] = []

  /** `option` says how the provider is told of tools; null for as the log tells it. */
  constructor(option: ToolUpdateOption | null) {
    this.option = option
  }

  /** All requests so far. Cache reads are compared where the log reports any. */
  get rows(): readonly BlameRow[] {
    const reports = this.done.some(({ usage }) => usage !== null && usage.cacheReadTokens > 0)
    return this.done.map((row) => ({ ...row, cache: reports ? cacheCheck(row) : null }))
  }

  replaced({ seq, shadowedSeqs }: Replacement, kind: SurfaceKind, line: LineRange): void {
    const causeIn = (fold: LogFoldView): BlameCause =>
      replacementCause(kind, shadowedSeqs.length, () => fold.read(line))
    this.changes.push({ seq, causeIn, touched: new Set(shadowedSeqs) })
  }

  projected({ seq, type, targets }: Projected): void {
    const cause = type === "image/offload" ? "image-offload" : "projection"
    this.changes.push({ seq, causeIn: () => cause, touched: new Set(targets) })
  }

  reported(usage: Usage): void {
    const row = this.done.pop()
    if (row !== undefined) this.done.push({ ...row, usage })
  }

  request(point: RequestPoint, fold: LogFoldView): void {
    const { before } = this
    this.walk ??= new HeaderWalk(fold.toolEvents, (event) => fold.read(event))
    const logged = this.walk.through(point.throughSeq, before?.point.throughSeq ?? -1)
    const sent = sentIn(point, fold, before, sentHead(logged, this.option))
    const parted = before === null ? null : breakOf(before, sent, this.changes, fold)
    this.done.push({
      point,
      messageCount: sent.count,
      tokens: sent.head.tokens + sent.messageTokens,
      shared: before === null ? nothing : sharedPrefix(before, sent, parted),
      break: parted,
      resentTokens: before === null || parted === null ? 0 : resentTokens(before, sent, parted),
      usage: null,
    })
    this.before = sent
    this.changes = []
  }
}

const whole = (part: RequestPart, { cause, seq }: Blamed): Break => ({
  part,
  messageIndex: null,
  cause,
  seq,
})

const breakOf = (
  before: SentRequest,
  sent: SentRequest,
  seen: readonly SeenChange[],
  fold: LogFoldView,
): Break | null => {
  const { head } = sent
  const seq = head.logged.headerSeq
  const changes = (): readonly ContentChange[] =>
    seen.map((change) => ({ ...change, cause: change.causeIn(fold) }))
  if (before.head.model !== head.model) return whole("header", { cause: "model-switch", seq })
  if (!isSameTools(before.head.tools, head.tools))
    return whole("tools", toolsCause(before.head, head, changes()))
  if (before.head.system !== head.system) return whole("system", { cause: "system-rewrite", seq })
  const messageIndex = partingIndex(before, sent, fold)
  if (messageIndex === before.count) return null
  const blamed = messageCause(before, sent, messageIndex, changes(), fold)
  const isSystem = before.messages[messageIndex]?.node.kind === surfaceKind.system
  return { ...whole(isSystem ? "system" : "message", blamed), messageIndex }
}

const messageCause = (
  before: SentRequest,
  sent: SentRequest,
  index: number,
  changes: readonly ContentChange[],
  fold: LogFoldView,
): Blamed => {
  const old = before.messages[index]?.node.seq ?? -1
  const now = index < sent.count ? (sent.messages[index]?.node.seq ?? -1) : -1
  const change =
    changes.find(({ touched }) => touched.has(old)) ?? changes.find(({ seq }) => seq === now)
  if (change === undefined) return { cause: "message-rewrite", seq: now }
  const isToldAnew =
    change.cause === "system-rewrite" && promptOf(before, fold) === promptOf(sent, fold)
  return isToldAnew ? seriesCause(changes, sent.head) : change
}

const messageText = ({ node, projected }: SentMessage, fold: LogFoldView): string =>
  canonicalJson(deriveEventMessage(node.kind, fold.read(node), projected) ?? null)

/** The system message that is in effect, as text. */
const promptOf = ({ messages, count }: SentRequest, fold: LogFoldView): string | null => {
  for (let i = count - 1; i >= 0; i--) {
    const message = messages[i]
    if (message?.node.kind !== surfaceKind.system) continue
    const derived = deriveEventMessage(
      message.node.kind,
      fold.read(message.node),
      message.projected,
    )
    return canonicalJson(derived?.["content"] ?? null)
  }
  return null
}

const sentIn = (
  point: RequestPoint,
  fold: LogFoldView,
  before: SentRequest | null,
  head: SentRequest["head"],
): SentRequest => {
  const { surface } = fold
  const isGrown = before !== null && before.contentGeneration === surface.contentGeneration
  // only the last request grows, so its list may be written to
  const messages = isGrown ? (before.messages as SentMessage[]) : []
  let bytes = isGrown ? before.bytes : 0
  let messageTokens = isGrown ? before.messageTokens : 0
  let lastNode = isGrown ? before.lastNode : -1
  const known = isGrown || before === null ? noSizes : sizesOf(before)
  surface.eachNode(
    (node: SurfaceNode) => {
      lastNode = node.seq
      if (!node.derives) return
      const projected = surface.projectedMessage(node.seq)
      const size = known.get(node.seq)
      const text = { node, projected, bytes: 0 }
      const isKnown = size !== undefined && size.projected === projected
      const length = isKnown ? size.bytes : utf8Length(messageText(text, fold))
      messages.push({ ...text, bytes: length })
      bytes += length
      messageTokens += node.tokens
    },
    isGrown && lastNode >= 0 ? surface.placeOf(lastNode) + 1 : 0,
  )
  const { contentGeneration } = surface
  const count = messages.length
  return { point, head, messages, count, bytes, messageTokens, contentGeneration, lastNode }
}

const noSizes: ReadonlyMap<number, SentMessage> = new Map()

const sizesOf = ({ messages }: SentRequest): ReadonlyMap<number, SentMessage> =>
  new Map(messages.map((message) => [message.node.seq, message]))

const isSameNode = (a: SentMessage, b: SentMessage): boolean =>
  a.node.seq === b.node.seq && a.projected === b.projected

/** Number of the first message of `before` that is not the same in `sent`. */
const partingIndex = (before: SentRequest, sent: SentRequest, fold: LogFoldView): number => {
  if (before.messages === sent.messages) return before.count
  for (let i = 0; i < before.count; i++) {
    const old = before.messages[i]
    const now = sent.messages[i]
    if (old === undefined || now === undefined) return i
    if (!isSameNode(old, now) && messageText(old, fold) !== messageText(now, fold)) return i
  }
  return before.count
}

const sharedPrefix = (
  before: SentRequest,
  sent: SentRequest,
  parted: Break | null,
): SharedPrefix => {
  const { head, messageTokens, bytes } = before
  if (parted === null) return { messages: before.count, bytes, tokens: head.tokens + messageTokens }
  if (parted.messageIndex === null)
    return parted.part === "system" ? { ...nothing, tokens: toolsTokens(head.tools) } : nothing
  let [sharedBytes, tokens] = [0, head.tokens]
  for (const message of sent.messages.slice(0, parted.messageIndex)) {
    sharedBytes += message.bytes
    tokens += message.node.tokens
  }
  return { messages: parted.messageIndex, bytes: sharedBytes, tokens }
}

const headResent = (part: RequestPart, before: SentHead, sent: SentHead): number => {
  const isBehindHeader = part === "header"
  const isToolsResent = isBehindHeader && isSameTools(before.tools, sent.tools)
  const isPromptBehind = isBehindHeader || part === "tools"
  const system = isPromptBehind && before.system === sent.system ? sent.system : ""
  return (isToolsResent ? toolsTokens(sent.tools) : 0) + headerSystemTokens(system)
}

const resentTokens = (before: SentRequest, sent: SentRequest, parted: Break): number => {
  const head = headResent(parted.part, before.head, sent.head)
  // a request that grew holds all that the one before did
  if (before.messages === sent.messages) return head + before.messageTokens
  const from = parted.messageIndex ?? 0
  const known = sizesOf({ ...before, messages: before.messages.slice(from, before.count) })
  let tokens = head
  for (let i = from; i < sent.count; i++) {
    const message = sent.messages[i]
    const old = message === undefined ? undefined : known.get(message.node.seq)
    if (message !== undefined && old !== undefined && isSameNode(old, message))
      tokens += message.node.tokens
  }
  return tokens
}
