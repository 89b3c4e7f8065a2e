import type { JsonValue } from "#core/data/json"
import type { SessionEvent } from "#core/log/envelope"
import { eventTokens } from "#core/tokens/estimate"
import { surfaceKind } from "#core/format/surface-kind"
import type { LengthLaw } from "../generate/log-normal.ts"
import { drawLength } from "../generate/log-normal.ts"
import { Prng } from "../generate/prng.ts"

const lengths: LengthLaw = { median: 1_500, spread: 1, cap: 100_000 }

export interface MeteredOptions {
  /** Events that touch the surface; those that say a price come on top. */
  readonly surfaceEvents: number
  /** Share of them that replaces one live node, priced just before. */
  readonly percent: number
  /** Live nodes at which all but the newest become one; Infinity for never. */
  readonly compactAt: number
  readonly seed: string
}

/**
 * A format-4 log as parsed events, one after another: nothing is kept but the live nodes. Texts are
 * pieces of one text, of a median of 1,500 characters.
 */
export function* meteredEvents({
  surfaceEvents,
  percent,
  compactAt,
  seed,
}: MeteredOptions): Generator<SessionEvent> {
  const prng = new Prng(seed)
  const stock = "the quick brown fox jumps over it. ".repeat(lengths.cap / 35 + 1)
  const live: { seq: number; tokens: number }[] = []
  let seq = 0
  const message = (surface: {
    readonly surfaceOp: JsonValue
    readonly sourceEventSeqs?: JsonValue
  }): SessionEvent => {
    const text = stock.slice(0, drawLength(prng, lengths))
    const content = [{ type: "text", text }]
    const data = { id: "m", role: "user", content, source: { kind: "user" } }
    return { type: "user/message", seq: seq++, time: 1, data, ...surface }
  }
  const nodeOf = (event: SessionEvent): { seq: number; tokens: number } => ({
    seq: event.seq,
    tokens: eventTokens(surfaceKind.user, event.data),
  })
  for (let i = 0; i < surfaceEvents; i++) {
    const isCompaction = live.length >= compactAt
    const isRewrite = !isCompaction && live.length > 0 && prng.unit() * 100 < percent
    if (!isCompaction && !isRewrite) {
      const event = message({ surfaceOp: "append" })
      live.push(nodeOf(event))
      yield event
      continue
    }
    const place = isCompaction ? 0 : Math.floor(prng.unit() * live.length)
    const count = isCompaction ? live.length - 1 : 1
    const shadowed = live.slice(place, place + count)
    const seqs = shadowed.map((node) => node.seq)
    const [start, end] = [seqs[0] ?? 0, seqs.at(-1) ?? 0]
    const shadowedTokenCount = shadowed.reduce((sum, { tokens }) => sum + tokens, 0)
    const data = { shadowedRange: { start, end }, shadowedSeqs: seqs, shadowedTokenCount }
    yield { type: "compaction/prune", seq: seq++, time: 1, data }
    const surfaceOp = { op: "replace", startSeq: start, endSeq: end }
    const event = message({ sourceEventSeqs: seqs, surfaceOp })
    if (isCompaction) live.splice(place, count, nodeOf(event))
    else live[place] = nodeOf(event)
    yield event
  }
}
