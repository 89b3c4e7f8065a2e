import type { JsonValue } from "../data/json.ts"
import { isJsonArray, ownValue } from "../data/json.ts"
import type { NodeColumns } from "./folded-log.ts"
import { nodeColumns } from "./folded-log.ts"
import type { LogFold } from "./log-fold.ts"

/** The texts of a surface: where those of its nodes stand, and those that are no nodes. Plain data. */
export interface SurfaceTexts {
  readonly nodes: NodeColumns
  /** The node of the system prompt in effect; null where there is none. */
  readonly promptSeq: number | null
  /** The prompt of the request header, up to format 2; empty otherwise. */
  readonly prompt: string
  /** The JSON of the tool schemas in the latest request header; empty without any. */
  readonly tools: string
}

const textOf = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "")

/** The texts of the surface of a fold as it is now. */
export const surfaceTexts = (fold: LogFold): SurfaceTexts => {
  const { header } = fold.counts().request
  const hasPromptNode = fold.header.format.kinds.has("system/message")
  const tools = header === null ? undefined : ownValue(header, "tools")
  return {
    nodes: nodeColumns(fold.surface),
    promptSeq: hasPromptNode ? fold.surface.promptSeq : null,
    prompt: hasPromptNode || header === null ? "" : textOf(ownValue(header, "system")),
    tools: isJsonArray(tools) && tools.length > 0 ? JSON.stringify(tools) : "",
  }
}

const part = (
  { seqs, kinds, byteOffsets, byteLengths }: NodeColumns,
  from: number,
  to: number,
) => ({
  seqs: seqs.slice(from, to),
  kinds: kinds.slice(from, to),
  byteOffsets: byteOffsets.slice(from, to),
  byteLengths: byteLengths.slice(from, to),
})

/**
 * Cuts the texts of a surface into parts that add up to them; the texts that are no nodes are in
 * the first one.
 *
 * @param wanted  bytes of the lines of a part, more or less
 */
export function* surfaceParts(texts: SurfaceTexts, wanted: number): Generator<SurfaceTexts> {
  const { nodes } = texts
  let rest: SurfaceTexts = texts
  let from = 0
  let bytes = 0
  for (const [i, byteLength] of nodes.byteLengths.entries()) {
    bytes += byteLength
    if (bytes < wanted && i + 1 < nodes.seqs.length) continue
    yield { ...rest, nodes: part(nodes, from, i + 1) }
    rest = { ...rest, prompt: "", tools: "" }
    from = i + 1
    bytes = 0
  }
  if (nodes.seqs.length === 0) yield texts
}
