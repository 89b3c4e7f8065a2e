import { isLeft } from "fp-ts/lib/Either.js"
import type { JsonObject, JsonValue } from "../../data/json.ts"
import type { Refusal, ShapeFault } from "../../data/refusal.ts"
import { headerOf } from "../../log/header.ts"
import { isRunType } from "../../log/packed-run.ts"
import { payloadRefusal } from "../../log/payload.ts"
import type { ShapeCheck } from "../../log/shape-check.ts"
import { checkOf } from "../../log/shape-check.ts"
import type { Format, FormatVersion } from "../format.ts"
import type { CauseClass, CauseDetail } from "./cause.ts"
import type { Outlet } from "./edge.ts"
import type { EdgeHeader } from "./edge-header.ts"
import { edgeHeaderOf } from "./edge-header.ts"
import { frozenPayloads } from "./frozen-payloads.ts"
import { isLaterDescriptor } from "./frozen-plugin-payloads.ts"
import { frozenTie } from "./frozen-ties.ts"
import type { SourceEvent } from "./source-event.ts"
import { SourceReader } from "./source-event.ts"
import { knownFormat, TargetWriter } from "./target-writer.ts"
import { OpenTurns } from "./turns.ts"

const frozenChecks: readonly ReadonlyMap<string, ShapeCheck>[] = frozenPayloads.map(
  (payloads) =>
    new Map(Object.entries(payloads).map(([type, shape]) => [type, checkOf(shape)] as const)),
)

const classOf = (refusal: Refusal): CauseClass =>
  refusal.code === "event-type-unknown" || refusal.code === "version-unsupported"
    ? "unsupported"
    : "malformed"

/** The log that an edge reads and the one that it writes. */
export class EdgeLog {
  readonly header: EdgeHeader
  readonly out: TargetWriter
  readonly turns: OpenTurns = new OpenTurns()
  private readonly from: FormatVersion
  private readonly format: Format
  private readonly reader: SourceReader

  /** `format` is the one that rows are read by: that of `from`, or what they have become already. */
  constructor(
    header: JsonObject,
    from: FormatVersion,
    to: FormatVersion,
    outlet: Outlet,
    format: Format = knownFormat(from),
  ) {
    this.header = edgeHeaderOf(header)
    this.out = new TargetWriter(from, to, outlet)
    this.from = from
    this.format = format
    this.reader = new SourceReader(format, (seq, refusal) => this.refuseAs(seq, refusal))
    const read = headerOf(header)
    if (isLeft(read)) this.refuseAs(null, read.left)
    else if (read.right.format.version !== from)
      this.refuseAs(null, {
        code: "version-mismatch",
        named: from,
        version: read.right.format.version,
      })
  }

  /** Number of events that were read. */
  get count(): number {
    return this.reader.count
  }

  refuse(of: CauseClass, seq: number | null, detail: CauseDetail): void {
    this.out.refuse(of, seq, detail)
  }

  /** Refuses an event; the same event, which nothing more is asked of. */
  refuseEvent(of: CauseClass, event: SourceEvent, detail: CauseDetail): SourceEvent {
    if (event.isSound) this.refuse(of, event.facts.seq, detail)
    return { ...event, isSound: false }
  }

  misshapen(event: SourceEvent, fault: ShapeFault): SourceEvent {
    const { type } = event.facts
    return this.refuseEvent("malformed", event, { code: "payload-shape", type, fault })
  }

  /** The next row with its envelope and place checked, by another format where one is given. */
  place(row: JsonValue, isSound: boolean, format?: Format): SourceEvent {
    return this.reader.take(row, isSound, format)
  }

  /** The next row with all checked that the rules of its own format say of it alone. */
  take(row: JsonValue, isSound: boolean): SourceEvent {
    const event = this.place(row, isSound)
    const { type } = event.facts
    if (!event.isSound || isRunType(type)) return event
    if (!this.format.kinds.has(type))
      return this.refuseEvent("unsupported", event, { code: "event-type-unknown", type })
    const fault = this.payloadFault(type, event)
    return fault === null ? event : this.misshapen(event, fault)
  }

  private payloadFault(type: string, { data, facts, row }: SourceEvent): ShapeFault | null {
    const frozen = frozenChecks[this.from]
    if (frozen === undefined)
      return payloadRefusal(this.format, facts, row["data"] ?? null)?.fault ?? null
    const isLater = type === "subagent/descriptor" && isLaterDescriptor(data["version"])
    if (isLater && this.from > 0) return null
    const check = frozen.get(type)
    return check === undefined ? null : (check.fault(row["data"] ?? null) ?? frozenTie(type, data))
  }

  private refuseAs(seq: number | null, refusal: Refusal): void {
    this.refuse(classOf(refusal), seq, refusal)
  }
}
