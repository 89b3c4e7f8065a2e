import type { JsonObject } from "#core/data/json"
import type { RefusalCode } from "#core/data/refusal"
import type { FormatVersion } from "#core/format/format"
import type { NaiveKind } from "./naive-row.ts"
import {
  at,
  citedSeqs,
  isCountLike,
  isKnownType,
  isObject,
  isRun,
  kindOfType,
  messageOf,
  runLength,
  says,
} from "./naive-row.ts"
import { bindingFault, hasShape, isRewriteOf, offloadVerdict } from "./naive-rules.ts"

export interface NaiveReplacement {
  readonly seq: number
  readonly start: number
  readonly end: number
  readonly shadowedSeqs: readonly number[]
}

/**
 * The surface as an array that is searched with `indexOf` and cut with `splice`, over a map of all
 * events: slow, and plain enough to be believed. It is written from docs/SPEC.md and shares no
 * rule with src/core.
 */
export class NaiveSurface {
  readonly version: FormatVersion
  readonly nodes: number[] = []
  readonly replacements: NaiveReplacement[] = []
  /** Accepted events by seq; the members of packed runs are not in it. */
  readonly events: Map<number, JsonObject> = new Map()
  readonly projected: Map<number, JsonObject> = new Map()
  nextSeq = 0
  replaceGeneration = 0
  contentGeneration = 0

  constructor(version: FormatVersion) {
    this.version = version
  }

  /** Takes a row, or says the code of its refusal and stays as it was. */
  offer(row: JsonObject): RefusalCode | null {
    const code = this.refusal(row)
    if (code === null) this.accept(row)
    return code
  }

  kindOf(seq: number): NaiveKind | null {
    const type = this.events.get(seq)?.["type"]
    return typeof type === "string" ? kindOfType(this.version, type) : null
  }

  /** The messages that the model would get, in order. */
  messages(): JsonObject[] {
    return this.nodes.flatMap((seq) => {
      const live = this.live(seq)
      return live !== null && says(live.kind, live.message) ? [live.message] : []
    })
  }

  /** The current message of a live node; null for any other seq. */
  live(seq: number): { readonly kind: NaiveKind; readonly message: JsonObject } | null {
    const row = this.nodes.includes(seq) ? this.events.get(seq) : undefined
    const kind = this.kindOf(seq)
    if (row === undefined || kind === null) return null
    const message = this.projected.get(seq) ?? messageOf(kind, row)
    return message === null ? null : { kind, message }
  }

  private refusal(row: JsonObject): RefusalCode | null {
    const { version } = this
    if (isRun(version, row)) return row["seq0"] === this.nextSeq ? null : "seq-not-contiguous"
    const { type, seq, surfaceOp, sourceEventSeqs } = row
    if (typeof type !== "string" || !isCountLike(seq)) return "envelope-shape"
    const isKnown = isKnownType(version, type)
    if (!isKnown && row["ignorable"] !== true) return "event-type-unknown"
    const cited = sourceEventSeqs === undefined ? [] : citedSeqs(sourceEventSeqs)
    if (cited === null) return "sources-shape"
    if (!isKnown && version === 4)
      return this.citesBadly(cited, seq) !== null
        ? "sources-shape"
        : seq === this.nextSeq
          ? null
          : "seq-not-contiguous"
    if (surfaceOp !== undefined && surfaceOp !== "append" && this.endsOf(row) === null)
      return "surface-op-shape"
    if (seq !== this.nextSeq) return "seq-not-contiguous"
    const kind = kindOfType(version, type)
    return kind === null ? this.logOnlyRefusal(row, isKnown) : this.surfaceRefusal(row, kind, cited)
  }

  private logOnlyRefusal(row: JsonObject, isKnown: boolean): RefusalCode | null {
    if (row["surfaceOp"] !== undefined) return "surface-op-forbidden"
    if (row["sourceEventSeqs"] !== undefined) return "sources-forbidden"
    if (row["type"] === "image/offload" && isKnown) {
      const verdict = this.offload(row)
      if (typeof verdict === "string") return verdict
    }
    return isKnown && !isObject(row["data"]) ? "payload-shape" : null
  }

  private surfaceRefusal(
    row: JsonObject,
    kind: NaiveKind,
    cited: readonly number[],
  ): RefusalCode | null {
    const { version } = this
    const seq = row["seq"] as number
    if (row["surfaceOp"] === undefined) return "surface-op-missing"
    if (row["sourceEventSeqs"] !== undefined) {
      if (kind === "assistant" && version >= 2) return "sources-forbidden"
      if (cited.length === 0 && kind !== "assistant") return "sources-empty"
      const fault = this.citesBadly(cited, seq)
      if (fault !== null) return fault
    }
    if (kind === "developer") {
      const fault = bindingFault(row["data"] ?? null, seq, (at) => this.headerAt(at))
      if (fault !== null) return fault
    }
    const ends = this.endsOf(row)
    const fault = ends === null ? null : this.replaceRefusal(row, kind, cited, ends)
    return fault ?? (hasShape(version, kind, row) ? null : "payload-shape")
  }

  private replaceRefusal(
    row: JsonObject,
    kind: NaiveKind,
    cited: readonly number[],
    [start, end]: readonly [number, number],
  ): RefusalCode | null {
    const seq = row["seq"] as number
    if (start >= seq || end >= seq) return "endpoint-not-earlier"
    const from = this.nodes.indexOf(start)
    const to = this.nodes.indexOf(end)
    if (from < 0 || to < 0) return "endpoint-not-on-surface"
    if (from > to) return "range-reversed"
    const shadowed = this.nodes.slice(from, to + 1)
    if (!shadowed.every((each) => cited.includes(each))) return "source-missing"
    const isHeadGone = from === 0 && this.version >= 3 && this.kindOf(start) === "system"
    if (isHeadGone && (kind !== "system" || shadowed.length > 1)) return "head-protected"
    if (kind !== "tool") return null
    if (shadowed.length > 1 || this.kindOf(start) !== "tool") return "tool-result-range"
    const before = this.events.get(start)?.["data"] ?? null
    return isRewriteOf(this.version, before, row["data"] ?? null) ? null : "tool-result-changed"
  }

  private accept(row: JsonObject): void {
    if (isRun(this.version, row)) {
      this.nextSeq += runLength(row)
      return
    }
    const seq = row["seq"] as number
    const kind = kindOfType(this.version, row["type"] as string)
    const ends = kind === null ? null : this.endsOf(row)
    if (row["type"] === "image/offload" && this.version >= 3) {
      for (const [target, message] of this.offload(row))
        this.projected.set(Number(target), message as JsonObject)
      this.contentGeneration++
    }
    this.events.set(seq, row)
    this.nextSeq = seq + 1
    if (ends !== null) {
      const [start, end] = ends
      const from = this.nodes.indexOf(start)
      const shadowedSeqs = this.nodes.splice(from, this.nodes.indexOf(end) - from + 1, seq)
      for (const each of shadowedSeqs) this.projected.delete(each)
      this.replacements.push({ seq, start, end, shadowedSeqs })
      this.replaceGeneration++
      this.contentGeneration++
    } else if (kind !== null) this.nodes.push(seq)
  }

  private endsOf(row: JsonObject): readonly [number, number] | null {
    const op = row["surfaceOp"]
    const [startKey, endKey] = this.version < 3 ? ["start", "end"] : ["startSeq", "endSeq"]
    const start = at(op, startKey ?? "")
    const end = at(op, endKey ?? "")
    const isReplace = isObject(op) && op["op"] === "replace" && Object.keys(op).length === 3
    return isReplace && isCountLike(start) && isCountLike(end) ? [start, end] : null
  }

  private citesBadly(cited: readonly number[], seq: number): RefusalCode | null {
    if (cited.some((each) => each >= seq)) return "source-not-earlier"
    return new Set(cited).size < cited.length ? "sources-repeated" : null
  }

  private headerAt(seq: number): JsonObject | undefined {
    const row = this.events.get(seq)
    return row?.["type"] === "request/header" ? row : undefined
  }

  private offload(row: JsonObject): ReturnType<typeof offloadVerdict> {
    return offloadVerdict(row["data"] ?? null, (seq) => this.live(seq))
  }
}
