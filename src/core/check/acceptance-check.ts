import type { AcceptanceFinding } from "../data/check-finding.ts"
import type { LogRow } from "../log/row.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import type { SurfaceDraft } from "../surface/draft.ts"
import type { NodeCalls } from "./acceptance.ts"
import { acceptanceFindings, nodeCalls } from "./acceptance.ts"

// most groups of a call and its results are shorter
const firstReach = 16

/**
 * What a provider would refuse, after each replacement and at the end of a log.
 *
 * shape   the same fault of the same message is told once, where it stands first
 * cost    memory and the last look follow the live surface; a replacement costs the messages from
 *         the calls before it to those behind it
 */
export class AcceptanceCheck {
  private readonly surface: SurfaceDraft
  private readonly nodes: Map<number, NodeCalls> = new Map()
  private readonly told: Set<string> = new Set()

  constructor(surface: SurfaceDraft) {
    this.surface = surface
  }

  /** Nodes that are no longer on the surface. */
  forget(seqs: readonly number[]): void {
    for (const seq of seqs) this.nodes.delete(seq)
  }

  /** Takes a row that the surface has taken. */
  step({ facts, data }: LogRow, isReplacement: boolean): readonly AcceptanceFinding[] {
    if (facts.kind === surfaceKind.none) return []
    const node = nodeCalls(this.surface.format, facts.seq, facts.kind, data)
    if (node !== null) this.nodes.set(facts.seq, node)
    return isReplacement ? this.fresh(this.around(facts.seq)) : []
  }

  /** What is wrong with the messages at the end of the log. */
  end(): readonly AcceptanceFinding[] {
    const seqs = this.surface.nodes().map(({ seq }) => seq)
    return this.fresh(acceptanceFindings(this.at(seqs), true, null))
  }

  // from the calls before a node to the calls behind it
  private around(seq: number): readonly AcceptanceFinding[] {
    const place = this.surface.placeOf(seq)
    for (let reach = firstReach; ; reach *= 8) {
      const { seqs, isFirst, isLast } = this.surface.around(place, reach)
      const nodes = this.at(seqs)
      const before = nodes.findIndex((node) => node.seq === seq)
      const isAsked = (node: NodeCalls): boolean => node.kind === surfaceKind.assistant
      const hasBefore = isFirst || nodes.slice(0, before).some(isAsked)
      const hasBehind = isLast || nodes.slice(before + 1).some(isAsked)
      if (hasBefore && hasBehind) return acceptanceFindings(nodes, isFirst, seq)
    }
  }

  private at(seqs: readonly number[]): readonly NodeCalls[] {
    const nodes: NodeCalls[] = []
    for (const seq of seqs) {
      const node = this.nodes.get(seq)
      if (node !== undefined) nodes.push(node)
    }
    return nodes
  }

  private fresh(found: readonly AcceptanceFinding[]): readonly AcceptanceFinding[] {
    return found.filter((finding) => {
      const key = `${finding.code} ${finding.seq} ${"callId" in finding ? finding.callId : ""}`
      if (this.told.has(key)) return false
      this.told.add(key)
      return true
    })
  }
}
