import type { JsonArray, JsonObject } from "#core/data/json"
import type { FormatVersion } from "#core/format/format"
import { isRun } from "../model/naive-row.ts"

/** The events of a row: itself, or the deltas of a packed run, one by one. */
export const unpacked = (version: FormatVersion, row: JsonObject): readonly JsonObject[] => {
  if (!isRun(version, row)) return [row]
  const { turn, step, index, dt, texts, args, id } = row["data"] as JsonObject
  const gaps = dt as readonly number[]
  const members = (texts ?? args) as JsonArray
  const type = row["type"] === "text-chunks" ? "text-delta" : "tool-call-delta"
  let time = row["time0"] as number
  return members.map((member, k) => {
    if (k > 0) time += gaps[k - 1] ?? 0
    const delta = texts === undefined ? { id: id ?? "", argumentsDelta: member } : { text: member }
    return {
      type: "assistant/chunk",
      seq: (row["seq0"] as number) + k,
      time,
      data: {
        turn: turn ?? null,
        step: step ?? null,
        chunk: { type, index: index ?? null, ...delta },
      },
    }
  })
}
