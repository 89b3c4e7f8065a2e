import { isCount } from "../../data/count.ts"
import type { JsonArray, JsonObject, JsonValue } from "../../data/json.ts"
import { isJsonArray, isJsonObject } from "../../data/json.ts"
import type { SourceRuns } from "../../log/source-runs.ts"
import { mapObjects, withKey } from "./message-slots.ts"
import type { SeqMapDraft } from "./seq-map.ts"
import { newRunsOf } from "./seq-map.ts"

/** The new seq of an event that another one names. */
export type Renumber = (seq: number) => number

const seqTo =
  (to: Renumber) =>
  (value: JsonValue): JsonValue =>
    isCount(value) ? to(value) : value

const seqsTo =
  (to: Renumber) =>
  (value: JsonValue): JsonValue =>
    isJsonArray(value) ? value.map(seqTo(to)) : value

const shadowTo = (data: JsonObject, to: Renumber): JsonObject => {
  const range = (value: JsonValue): JsonValue =>
    isJsonObject(value) ? withKey(withKey(value, "start", seqTo(to)), "end", seqTo(to)) : value
  return withKey(withKey(data, "shadowedRange", range), "shadowedSeqs", seqsTo(to))
}

/** A payload with the seqs that it names counted anew; every other number is left alone. */
export const renumberedPayload = (type: string, data: JsonObject, to: Renumber): JsonObject => {
  switch (type) {
    case "command/done":
      return withKey(data, "sourceEventSeq", seqTo(to))
    case "compaction/summary":
    case "compaction/prune":
      return shadowTo(data, to)
    case "session/title":
    case "session/title-llm-request":
      return withKey(data, "messageSeqs", seqsTo(to))
    case "image/offload":
      return withKey(data, "targets", (targets) =>
        mapObjects(targets, (target) => withKey(target, "seq", seqTo(to))),
      )
    default:
      return data
  }
}

/**
 * Citations counted anew, in storage form: runs of three or more as pairs where the list grows.
 *
 * shape   `gone` is the first cited event that the new log does not have
 * cost    the runs of the list and the breaks of the map inside them; pairs are never expanded
 */
export const renumberedSources = (
  sources: SourceRuns,
  map: SeqMapDraft,
): { readonly list: JsonArray; readonly gone: number | null } => {
  const images: (readonly [number, number])[] = []
  let gone: number | null = null
  for (let i = 0; i < sources.runs.length; i += 2) {
    const found = newRunsOf(map, sources.runs[i] as number, sources.runs[i + 1] as number)
    gone ??= found.gone
    for (const pair of found.pairs) {
      const last = images.at(-1)
      if (last?.[1] === pair[0] - 1) images[images.length - 1] = [last[0], pair[1]]
      else images.push(pair)
    }
  }
  const list: JsonValue[] = []
  for (const [first, last] of images)
    if (sources.isAscending && last - first >= 2) list.push([first, last])
    else for (let seq = first; seq <= last; seq++) list.push(seq)
  return { list, gone }
}
