import { isLeft } from "fp-ts/lib/Either.js"
import type { Format } from "../format/format.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import { surfaceOp } from "../log/event-facts.ts"
import { SurfaceDraft } from "../surface/draft.ts"
import { noProjections } from "../surface/message-projection.ts"
import type { NodeDetail } from "../surface/node.ts"
import { placedRange } from "../surface/placed-range.ts"
import { emptySurface } from "../surface/state.ts"
import type { Breakdown } from "./breakdown.ts"
import { headerToolsTokens, revisedBreakdown } from "./breakdown.ts"
import type { PositionalBreakdown } from "./positional-breakdown-projection.ts"
import type { TokenEvent } from "./token-event.ts"
import type { TokenRefusal } from "./token-projection.ts"

// a plan lists what it shadows for those who tell of it
const untold: readonly number[] = []

const priced = (tokens: number): NodeDetail => ({
  tokens,
  derives: false,
  digest: 0,
  byteOffset: -1,
  byteLength: 0,
})

/**
 * The positional breakdown of many events at once: the fast twin of `positionalBreakdown`.
 *
 * shape   private to its fold; `seal` makes a state, from which a further draft goes on
 * cost    constant for an append, the shadowed nodes for a replacement; memory follows the live
 *         surface
 * law     TK2 in properties/tokens.prop.ts: draft = reducer, cut anywhere and resumed
 */
export class PositionalDraft {
  private readonly surface: SurfaceDraft
  private toolsTokens: number
  private breakdown: Breakdown

  constructor(format: Format, { nodes, breakdown }: PositionalBreakdown) {
    this.surface = new SurfaceDraft(emptySurface(format), noProjections)
    this.toolsTokens = breakdown.toolsTokens
    this.breakdown = breakdown
    for (const { seq, heuristicTokens: tokens, system } of nodes) {
      const kind = system ? surfaceKind.system : surfaceKind.user
      this.surface.apply({ op: "append", nextSeq: seq + 1, seq, kind }, priced(tokens))
    }
  }

  /** Exact price of the live nodes. */
  get liveTokens(): number {
    return this.surface.liveTokens
  }

  get nodeCount(): number {
    return this.surface.size
  }

  /** Takes the next event; a refusal leaves everything as it was. */
  step({ facts, data, tokens }: TokenEvent): TokenRefusal | null {
    if (facts.type === "request/header") this.toolsTokens = headerToolsTokens(data)
    const { kind, seq, start, end } = facts
    if (kind === surfaceKind.none) return null
    const { surface } = this
    const nextSeq = seq + facts.count
    const detail = priced(tokens)
    if (facts.op !== surfaceOp.replace) {
      surface.apply({ op: "append", nextSeq, seq, kind }, detail)
      return null
    }
    const range = placedRange(surface, facts)
    if (isLeft(range)) return range.left
    const { from, to } = range.right
    const shadowedSeqs = untold
    surface.apply({ op: "replace", nextSeq, seq, kind, start, end, from, to, shadowedSeqs }, detail)
    return null
  }

  /** The breakdown now: the same object while its numbers are the same. */
  view(): Breakdown {
    const { liveTokens, systemTokens } = this.surface
    this.breakdown = revisedBreakdown(
      this.breakdown,
      systemTokens,
      this.toolsTokens,
      liveTokens - systemTokens,
    )
    return this.breakdown
  }

  /** The state. The draft may be written to afterwards. */
  seal(): PositionalBreakdown {
    const nodes = this.surface.nodes().map(({ seq, tokens, kind }) => ({
      seq,
      heuristicTokens: tokens,
      system: kind === surfaceKind.system,
    }))
    return { nodes, breakdown: this.view() }
  }
}
