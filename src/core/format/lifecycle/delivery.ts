import { isCount } from "../../data/count.ts"
import { ownValue } from "../../data/json.ts"
import { endSeedType, isInheritedMarker } from "../../log/inherited-marker.ts"
import type { LogHeader } from "../../log/header.ts"
import { countField, textField } from "./fields.ts"
import type { LifecycleRule } from "./rule.ts"

interface DeliveryDraft {
  readonly header: LogHeader
}

const acceptedType = "session-log-deepseek/delivery-accepted"

/**
 * A log that was delivered elsewhere says so of itself; a marker of another session may only come
 * from a parent, with the inherited events. Which events those are shows when the log ends.
 *
 * shape   markers of other format generations mean nothing
 * source  rules R32 and R33 of the format
 */
export const deliveryRule: LifecycleRule<DeliveryDraft> = {
  since: 4,
  reads: new Set([acceptedType, endSeedType]),
  begin: (header) => ({ header }),
  step: ({ header }, { facts, data }, _before, findings) => {
    if (facts.type === endSeedType) {
      if (isInheritedMarker(data)) findings.drop()
      return
    }
    const { seq } = facts
    const generation = ownValue(data, "sessionFormatVersion") ?? 0
    if (!isCount(generation)) return findings.report({ code: "delivery-version", seq })
    if (generation !== header.format.version) return
    const throughSeq = countField(data, "throughSeq")
    if (throughSeq === null || throughSeq >= seq)
      return findings.report({ code: "delivery-through-seq", seq, throughSeq })
    const sessionId = textField(data, "sessionId")
    if (sessionId === header.id && sessionId !== "") return
    const refusal = { code: "delivery-session", seq, sessionId } as const
    if (sessionId === null || sessionId === "" || header.parentSession === null)
      findings.report(refusal)
    else findings.hold(refusal)
  },
}
