import { isCount } from "../../data/count.ts"
import type { JsonObject } from "../../data/json.ts"
import type { CompactionRefusal } from "../../data/relation-refusal.ts"
import type { SurfaceView } from "../../surface/view.ts"
import { surfaceKind } from "../surface-kind.ts"
import { arrayField, countField, objectField } from "./fields.ts"

/**
 * What is wrong with the nodes that a compaction says it shadows, or null: they are all those from
 * one live node to another, and the prompt at the head is none of them.
 *
 * cost    the nodes between the two
 */
export const shadowedRefusal = (
  seq: number,
  data: JsonObject,
  surface: SurfaceView,
): CompactionRefusal | null => {
  const range = objectField(data, "shadowedRange") ?? {}
  const start = countField(range, "start")
  const end = countField(range, "end")
  if (start === null || end === null || start >= seq || end >= seq)
    return { code: "compaction-range", seq, start, end }
  const from = surface.placeOf(start)
  const to = surface.placeOf(end)
  if (from < 0 || to < 0 || from > to) return { code: "compaction-range", seq, start, end }
  const listed = arrayField(data, "shadowedSeqs") ?? []
  const nodes = surface.seqsBetween(from, to)
  const isExact =
    listed.length === nodes.length &&
    listed.every((shadowed, i) => isCount(shadowed) && shadowed === nodes[i])
  if (!isExact) return { code: "compaction-span", seq, start, end, nodeCount: nodes.length }
  return from === 0 && surface.kindAt(0) === surfaceKind.system
    ? { code: "compaction-head", seq, head: start }
    : null
}
