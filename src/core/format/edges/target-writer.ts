import type { JsonObject, JsonValue } from "../../data/json.ts"
import { surfaceOp } from "../../log/event-facts.ts"
import { payloadRefusal } from "../../log/payload.ts"
import { isRunType } from "../../log/packed-run.ts"
import { formats } from "../catalog.ts"
import { defect } from "../../data/defect.ts"
import type { Format, FormatVersion } from "../format.ts"
import type { CauseClass, CauseDetail } from "./cause.ts"
import type { Outlet } from "./edge.ts"
import { renumberedPayload, renumberedSources } from "./references.ts"
import { newSeqOf, SeqMapDraft } from "./seq-map.ts"
import type { SourceEvent } from "./source-event.ts"

/** The format of a version that there is. */
export const knownFormat = (version: FormatVersion): Format =>
  formats[version] ?? defect(`no format ${version}`)

/** An event that only the new log has. */
export interface MadeEvent {
  readonly type: string
  readonly timeMs: number
  readonly data: JsonObject
  readonly sources?: JsonValue
  readonly surfaceOp?: JsonValue
}

const rowWith = (
  type: string,
  seq: number,
  time: number,
  data: JsonValue,
  extra: { readonly sources?: JsonValue; readonly op?: JsonValue; readonly isIgnorable?: boolean },
): JsonObject => ({
  type,
  seq,
  time,
  data,
  ...(extra.sources === undefined ? {} : { sourceEventSeqs: extra.sources }),
  ...(extra.op === undefined ? {} : { surfaceOp: extra.op }),
  ...(extra.isIgnorable === true ? { ignorable: true } : {}),
})

/** Writes the new log: seqs and references counted anew, each row held to its format. */
export class TargetWriter {
  readonly map: SeqMapDraft = new SeqMapDraft()
  private readonly from: FormatVersion
  private readonly to: Format
  private readonly outlet: Outlet

  constructor(from: FormatVersion, to: FormatVersion, outlet: Outlet) {
    this.from = from
    this.to = knownFormat(to)
    this.outlet = outlet
  }

  refuse(of: CauseClass, seq: number | null, detail: CauseDetail): void {
    const { from, to } = this
    this.outlet.cause({ ...detail, class: of, seq, from, to: to.version })
  }

  /** A row as it stands: only its seq is counted anew. */
  copy({ row, facts, isSound }: SourceEvent): void {
    const seq = this.map.keep(facts.seq, facts.count)
    this.outlet.row({ ...row, ...(isRunType(facts.type) ? { seq0: seq } : { seq }) }, isSound)
  }

  /** An event of the old log with its type and payload as they are now; its new seq. */
  keep(event: SourceEvent, type: string, data: JsonObject): number {
    const { facts, row } = event
    // causes of references belong to this row, so its own place comes last
    let { isSound } = event
    const to = (cited: number): number => {
      const image = cited < facts.seq ? newSeqOf(this.map, cited) : null
      if (image !== null) return image
      if (isSound) this.refuseReference(facts.seq, cited)
      isSound = false
      return cited
    }
    const next = renumberedPayload(type, data, to)
    const cited = facts.sources === null ? null : renumberedSources(facts.sources, this.map)
    if (cited?.gone !== undefined && cited.gone !== null) to(cited.gone)
    const [startKey, endKey] = this.to.rules.endpoints
    const op =
      facts.op === surfaceOp.replace
        ? { op: "replace", [startKey]: to(facts.start), [endKey]: to(facts.end) }
        : row["surfaceOp"]
    const seq = this.map.keep(facts.seq, facts.count)
    const isIgnorable = row["ignorable"] === true
    const extra = {
      isIgnorable,
      // format 1 has the very rows of format 0
      ...(cited === null ? {} : { sources: this.from === 0 ? row["sourceEventSeqs"] : cited.list }),
      ...(op === undefined ? {} : { op }),
    }
    this.write(rowWith(type, seq, facts.timeMs, next, extra), facts.seq, isSound)
    return seq
  }

  /** An event of the old log of an unknown type: what it carries means nothing and is kept. */
  keepOpaque({ row, facts, isSound }: SourceEvent, type: string): void {
    const seq = this.map.keep(facts.seq, facts.count)
    const { sourceEventSeqs: sources, surfaceOp: op } = row
    const extra = {
      isIgnorable: true,
      ...(sources === undefined ? {} : { sources }),
      ...(op === undefined ? {} : { op }),
    }
    this.outlet.row(rowWith(type, seq, facts.timeMs, row["data"] ?? null, extra), isSound)
  }

  /** An event of the new log alone, made for an old one; its seq. */
  insert(anchor: number | null, event: MadeEvent, isSound = true): number {
    const seq = this.map.insert(anchor)
    const { sources, surfaceOp: op } = event
    const extra = {
      ...(sources === undefined ? {} : { sources }),
      ...(op === undefined ? {} : { op }),
    }
    this.write(rowWith(event.type, seq, event.timeMs, event.data, extra), anchor, isSound)
    return seq
  }

  private write(row: JsonObject, anchor: number | null, isSound: boolean): void {
    const { type, data } = row as { readonly type: string; readonly data: JsonValue }
    const misfit = isSound ? payloadRefusal(this.to, { type, seq: 0 }, data) : null
    if (misfit !== null)
      this.refuse("unsupported", anchor, { code: "target-shape", type, fault: misfit.fault })
    this.outlet.row(row, isSound && misfit === null)
  }

  private refuseReference(seq: number, cited: number): void {
    if (cited < seq) this.refuse("unsupported", seq, { code: "reference-consumed", cited })
    else this.refuse("malformed", seq, { code: "reference-unresolved", cited })
  }
}
