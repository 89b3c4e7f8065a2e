import type { ToolResultFacts } from "./dialect.ts"

/** What later events need to know of a node; `tool` is what a rewrite must repeat unchanged. */
export type NodeFacts = {
  readonly kind: "system" | "user" | "assistant" | "tool" | "developer"
  /** Heuristic price in tokens. */
  readonly tokens: number
  /** An empty system, assistant or developer message keeps its place but derives no message. */
  readonly isEmpty: boolean
  readonly imageCount: number
  /** False for what only its own producer may rewrite: heads, checkpoints, model output. */
  readonly isRewritable: boolean
  readonly tool?: ToolResultFacts
}

export type SurfaceNode = NodeFacts & { readonly seq: number }

/** One replacement; `shadowedSeqs` in surface order. */
export type Replacement = {
  readonly seq: number
  readonly start: number
  readonly end: number
  readonly shadowedSeqs: readonly number[]
}

/**
 * The surface as an array that is pushed to and spliced: slow on purpose where it may be, and
 * plain enough to be believed.
 */
export class SurfaceModel {
  readonly nodes: SurfaceNode[] = []
  readonly replacements: Replacement[] = []
  /** Sum of the prices of the current nodes. */
  tokens = 0

  append(node: SurfaceNode): void {
    this.nodes.push(node)
    this.tokens += node.tokens
  }

  /** Replaces the nodes from position `from` to position `to`, both included. */
  replace(from: number, to: number, node: SurfaceNode): void {
    const shadowed = this.nodes.splice(from, to - from + 1, node)
    const shadowedSeqs = shadowed.map((old) => old.seq)
    for (const old of shadowed) this.tokens -= old.tokens
    this.tokens += node.tokens
    const start = shadowedSeqs[0]
    const end = shadowedSeqs[shadowedSeqs.length - 1]
    if (start === undefined || end === undefined) throw new RangeError("replacement of no node")
    this.replacements.push({ seq: node.seq, start, end, shadowedSeqs })
  }

  /** The node at a position that is known to exist. */
  at(position: number): SurfaceNode {
    const node = this.nodes[position]
    if (node === undefined) throw new RangeError(`no node at position ${position}`)
    return node
  }

  clone(): SurfaceModel {
    const copy = new SurfaceModel()
    for (const node of this.nodes) copy.nodes.push(node)
    for (const replacement of this.replacements) copy.replacements.push(replacement)
    copy.tokens = this.tokens
    return copy
  }
}
