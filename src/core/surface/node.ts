import type { SurfaceKind } from "../format/surface-kind.ts"

/** What is kept with a live node so that its message can be priced and found again. */
export interface NodeDetail {
  /** The fixed heuristic over the logged event. */
  readonly tokens: number
  /** Whether a message comes of it: empty system, developer and assistant messages say nothing. */
  readonly derives: boolean
  /** Keyed digest of a tool result without its content; 0 where none was made. */
  readonly digest: number
  /** Where its line stands in the decompressed log; −1 for an event held in memory. */
  readonly byteOffset: number
  readonly byteLength: number
}

/** One node of the surface: the event that put it there, and what is kept with it. */
export interface SurfaceNode extends NodeDetail {
  readonly seq: number
  readonly kind: SurfaceKind
}
