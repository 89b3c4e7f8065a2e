import { isCount } from "../../data/count.ts"
import type { JsonObject, JsonValue } from "../../data/json.ts"
import { isJsonObject, ownValue } from "../../data/json.ts"
import { isRunType } from "../../log/packed-run.ts"
import { Deliveries, deliveryType } from "./deliveries.ts"
import type { Edge, EdgeRun } from "./edge.ts"
import { headerWith } from "./edge-header.ts"
import { EdgeLog } from "./edge-log.ts"
import { LegacyRows } from "./legacy-rows.ts"
import type { SeqMap } from "./seq-map.ts"
import { oldSeqOf } from "./seq-map.ts"
import { knownFormat } from "./target-writer.ts"

const retired: ReadonlySet<string> = new Set(["request/header-delta", "mode/set"])

/** A row with a type and a payload that can be looked at. */
const partsOf = (row: JsonObject): { readonly type: string; readonly data: JsonObject } => {
  const type = ownValue(row, "type")
  const data = ownValue(row, "data")
  return {
    type: typeof type === "string" ? type : "",
    data: data !== undefined && isJsonObject(data) ? data : {},
  }
}

const replacedBy = (row: JsonObject): number | null => {
  const op = ownValue(row, "surfaceOp")
  const start = op !== undefined && isJsonObject(op) ? ownValue(op, "start") : undefined
  return isCount(start) ? start : null
}

class V0ToV1 implements EdgeRun {
  private readonly log: EdgeLog
  private readonly legacy: LegacyRows
  private readonly deliveries: Deliveries

  constructor(log: EdgeLog) {
    this.log = log
    this.legacy = new LegacyRows(log.header.id)
    this.deliveries = new Deliveries(
      { own: 0, foreign: "malformed", future: null },
      log.header,
      (...cause) => log.refuse(...cause),
    )
  }

  step(row: JsonValue, isSound = true): void {
    const { log } = this
    if (!isJsonObject(row)) return log.out.copy(log.take(row, isSound))
    const { type, data } = partsOf(row)
    if (isRunType(type)) return log.out.copy(log.take(row, isSound))
    const seq = ownValue(row, "seq")
    const at = isCount(seq) ? seq : log.count
    const normal = this.legacy.normal(type, data, at, replacedBy(row))
    const isNormal = isSound && this.isMigratable(type, data, at)
    if (isNormal && normal.fault !== null)
      log.refuse("malformed", at, { code: "payload-shape", type, fault: normal.fault })
    const named = normal.data === data ? row : { ...row, data: normal.data }
    const event = log.take(
      normal.type === type ? named : { ...named, type: normal.type },
      isNormal && normal.fault === null,
    )
    if (!event.isSound) return log.out.copy(event)
    log.out.keep(event, normal.type, event.data)
  }

  end(): SeqMap {
    return this.log.out.map.seal()
  }

  sourceSeq(newSeq: number): number | null {
    return oldSeqOf(this.log.out.map, newSeq)
  }

  private isMigratable(type: string, data: JsonObject, seq: number): boolean {
    const { log } = this
    const { version, reason } = data
    if (retired.has(type)) log.refuse("unsupported", seq, { code: "event-type-retired", type })
    else if (type === "request/header" && reason === "fallback")
      log.refuse("unsupported", seq, { code: "request-fallback" })
    else if (
      type === "subagent/descriptor" &&
      typeof version === "number" &&
      version !== 2 &&
      version !== 3
    )
      log.refuse("unsupported", seq, { code: "descriptor-version", version })
    else if (type === deliveryType && Object.hasOwn(data, "sessionFormatVersion")) {
      const fault = { path: ["sessionFormatVersion"], expected: "nothing" }
      log.refuse("malformed", seq, { code: "payload-shape", type, fault })
    } else return type !== deliveryType || this.deliveries.take(seq, data)
    return false
  }
}

/** Names and shapes from before the freeze become those of the frozen format. Seqs stay. */
export const v0ToV1: Edge = {
  from: 0,
  to: 1,
  header: (header) => headerWith(header, { version: 1 }),
  begin: (header, _evidence, outlet) => {
    const log = new EdgeLog(header, 0, 1, outlet, knownFormat(1))
    // the first reader kept fields that it did not know, the frozen header has none
    const fault = knownFormat(1).header.fault({ ...header, version: 1 })
    const isRead = knownFormat(0).header.fault(header) === null
    if (isRead && fault !== null) log.refuse("malformed", null, { code: "header-field", fault })
    return new V0ToV1(log)
  },
}
