import { isCount } from "../../data/count.ts"
import type { JsonObject } from "../../data/json.ts"
import { ownValue } from "../../data/json.ts"
import type { CauseClass, CauseDetail } from "./cause.ts"
import type { EdgeHeader } from "./edge-header.ts"

export const deliveryType = "session-log-deepseek/delivery-accepted"

/** What an edge refuses of delivery markers; those of all other generations are inert. */
export interface DeliveryRules {
  /** The generation whose markers are held to their session. */
  readonly own: number
  /** How a marker of another session is refused. */
  readonly foreign: CauseClass
  /** The generation that nothing can have reached yet, and how it is refused; null for none. */
  readonly future: { readonly generation: number; readonly as: CauseClass } | null
}

type Refuse = (of: CauseClass, seq: number, detail: CauseDetail) => void

/** Holds delivery markers to their session: those of a parent belong into the inherited prefix. */
export class Deliveries {
  private readonly rules: DeliveryRules
  private readonly header: EdgeHeader
  private readonly refuse: Refuse
  // markers of a parent that are well placed only if the inherited prefix ends behind them
  private foreign: { readonly seq: number; readonly sessionId: string }[] = []

  constructor(rules: DeliveryRules, header: EdgeHeader, refuse: Refuse) {
    this.rules = rules
    this.header = header
    this.refuse = refuse
  }

  /** Takes a marker; false where a cause was told of it. */
  take(seq: number, data: JsonObject): boolean {
    const { own, future } = this.rules
    const generation = ownValue(data, "sessionFormatVersion") ?? 0
    const fault = { path: ["sessionFormatVersion"], expected: "count" }
    if (!isCount(generation))
      return this.tell("malformed", seq, { code: "payload-shape", type: deliveryType, fault })
    if (future?.generation === generation)
      return this.tell(future.as, seq, { code: "delivery-generation", generation })
    if (generation !== own) return true
    const { sessionId, throughSeq } = data
    if (typeof sessionId !== "string" || sessionId === "" || !isCount(throughSeq))
      return this.tell("malformed", seq, { code: "delivery-coordinates" })
    if (throughSeq >= seq) return this.tell("malformed", seq, { code: "delivery-coordinates" })
    if (sessionId === this.header.id) return true
    const { hasParent, isSeeded, seedLength } = this.header
    if (hasParent && isSeeded && (seedLength === null || seq < seedLength)) {
      if (seedLength === null) this.foreign.push({ seq, sessionId })
      return true
    }
    return this.tell(this.rules.foreign, seq, { code: "delivery-foreign", sessionId })
  }

  /** The inherited prefix reaches up to here at least. */
  inherited(): void {
    this.foreign = []
  }

  end(): void {
    for (const { seq, sessionId } of this.foreign)
      this.tell(this.rules.foreign, seq, { code: "delivery-foreign", sessionId })
  }

  private tell(of: CauseClass, seq: number, detail: CauseDetail): false {
    this.refuse(of, seq, detail)
    return false
  }
}
