import type { JsonArray, JsonObject, JsonValue } from "#core/data/json"
import type { SurfaceKind } from "#core/format/surface-kind"
import { surfaceKind } from "#core/format/surface-kind"
import type { CompactionNode } from "#core/compaction/compaction-node"
import { toolResultData } from "../../../properties/arbitraries/dialect.ts"

export const text = (words: string): JsonObject => ({ type: "text", text: words })

const call = (id: string): JsonObject => ({ type: "tool-call", id, name: "ls", arguments: "{}" })

/** A node by its kind and its route price; the heuristic one is another. */
const nodeOf = (
  kind: SurfaceKind,
  tokens: number,
  content: JsonArray,
  seq: number,
): CompactionNode => ({
  seq,
  kind,
  tokens,
  heuristicTokens: tokens + 1,
  data: null,
  message: { id: `m${seq}`, content },
})

/** Nodes from a word each: S7 is a system node of 7 tokens, A60c2 an answer with two calls. */
export const nodesOf = (words: string): readonly CompactionNode[] =>
  words.split(" ").map((word, i) => {
    const [, letter = "", tokens = "", calls = "0"] = /^([SUARD])(\d+)(?:c(\d+))?$/.exec(word) ?? []
    const kinds: Readonly<Record<string, SurfaceKind>> = {
      S: surfaceKind.system,
      U: surfaceKind.user,
      A: surfaceKind.assistant,
      R: surfaceKind.toolResult,
      D: surfaceKind.developer,
    }
    const kind = kinds[letter]
    if (kind === undefined) throw new RangeError(`no node: ${word}`)
    const content: JsonValue[] = [text(`${letter}${i}`)]
    for (let n = 0; n < Number(calls); n++) content.push(call(`c${i}-${n}`))
    return nodeOf(kind, Number(tokens), content, i)
  })

/** A tool result of format 4 as it stands on a surface. */
export const resultNode = (
  content: JsonArray,
  heuristicTokens: number,
  seq = 3,
): CompactionNode => {
  const data = toolResultData(4, { turn: 1, step: 1 }, "c", content)
  const message = data["message"] as JsonObject
  return { seq, kind: surfaceKind.toolResult, tokens: 1, heuristicTokens, data, message }
}
