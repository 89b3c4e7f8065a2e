import type { JsonArray, JsonObject, JsonValue } from "../../data/json.ts"
import { isJsonObject } from "../../data/json.ts"
import { arrayField, numberField, objectField, textField } from "../../format/lifecycle/fields.ts"

const isNamed = (call: JsonObject): boolean => (textField(call, "name") ?? "") !== ""

/** Whether a chunk of a stream carries any of the answer. */
export const bearsToken = (chunk: JsonObject): boolean => {
  switch (textField(chunk, "type") ?? "") {
    case "text-delta":
    case "reasoning-delta":
      return (textField(chunk, "text") ?? "") !== ""
    case "tool-call-delta":
      return (textField(chunk, "argumentsDelta") ?? "") !== "" || isNamed(chunk)
    default:
      return false
  }
}

/**
 * When the first delta of a run that carries any of the answer came; null where none does.
 *
 * shape   `run` holds `dt` and `texts` or `args`; a named call carries its name from the start
 */
export const runTokenTime = (time0: number, run: JsonObject): number | null => {
  if (isNamed(run)) return time0
  const members: JsonArray = arrayField(run, "texts") ?? arrayField(run, "args") ?? []
  const gaps = arrayField(run, "dt") ?? []
  let time = time0
  for (const [i, member] of members.entries()) {
    const gap = i > 0 ? gaps[i - 1] : 0
    if (typeof gap === "number") time += gap
    if (typeof member === "string" && member !== "") return time
  }
  return null
}

const recordTokenTime = (record: JsonObject): number | null => {
  const time0 = numberField(record, "time0")
  if (time0 !== null) return runTokenTime(time0, record)
  const chunk = objectField(record, "chunk")
  return chunk !== null && bearsToken(chunk) ? numberField(record, "time") : null
}

/** When the first of an answer came, by the stream that an event embeds; null where none did. */
export const streamTokenTime = (stream: JsonValue | undefined): number | null => {
  if (!Array.isArray(stream)) return null
  for (const record of stream as JsonArray) {
    const time = isJsonObject(record) ? recordTokenTime(record) : null
    if (time !== null) return time
  }
  return null
}
