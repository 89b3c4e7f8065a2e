import type { JsonValue } from "../data/json.ts"
import type { PayloadRefusal } from "../data/refusal.ts"
import type { Format } from "../format/format.ts"
import type { EventFacts } from "./event-facts.ts"
import { tieFault } from "./payload-ties.ts"

/**
 * The refusal of a payload that does not have the shape of its type, or null.
 *
 * Unknown ignorable events and packed runs, whose rows are checked whole, have no payload shape.
 */
export const payloadRefusal = (
  format: Format,
  facts: Pick<EventFacts, "type" | "seq">,
  data: JsonValue,
): PayloadRefusal | null => {
  if (!format.kinds.has(facts.type)) return null
  const check = format.payloads.get(facts.type) ?? format.anyPayload
  const fault = check.fault(data) ?? tieFault(format, facts.type, data)
  return fault === null ? null : { code: "payload-shape", seq: facts.seq, type: facts.type, fault }
}
