import type { JsonArray, JsonObject, JsonValue } from "#core/data/json"
import type { RefusalCode } from "#core/data/refusal"
import type { FormatVersion } from "#core/format/format"
import type { NaiveKind } from "../model/naive-row.ts"
import { NaiveSurface } from "../model/naive-surface.ts"
import type { Place } from "./dialect.ts"
import { replaceMarker, withPairs } from "./dialect.ts"

/** A row that is offered to a log, and what the naive model said of it. */
export interface Offer {
  readonly row: JsonObject
  /** The code of the refusal; null for a row that joined the log. */
  readonly code: RefusalCode | null
}

/** The numbers that one command of a script is made from. */
export interface Choice {
  readonly a: number
  readonly b: number
  readonly c: number
}

export interface BuilderOptions {
  readonly version: FormatVersion
  /** What a writer of the first release could write: no packed runs, no pairs among sources. */
  readonly isPlain: boolean
}

export interface Extra {
  readonly op?: JsonValue
  readonly sources?: JsonValue
  readonly ignorable?: true
}

/**
 * Writes a session, row by row, and keeps the naive model at its side: what the model accepts is
 * the log, what it refuses was only offered.
 */
export class SessionBuilder {
  readonly version: FormatVersion
  readonly isPlain: boolean
  readonly model: NaiveSurface
  readonly offers: Offer[] = []
  turn = 0
  step = 0
  isTurnOpen = false
  isStepOpen = false
  /** Number of inherited events; null in a session of its own. */
  cut: number | null = null
  /** Chunks of the open step, which its answer may cite. */
  chunkSeqs: number[] = []
  readonly headers: { readonly seq: number; readonly tools: readonly string[] }[] = []

  constructor(options: BuilderOptions) {
    this.version = options.version
    this.isPlain = options.isPlain
    this.model = new NaiveSurface(options.version)
  }

  get nextSeq(): number {
    return this.model.nextSeq
  }

  get place(): Place {
    return { turn: Math.max(1, this.turn), step: Math.max(1, this.step) }
  }

  offer(row: JsonObject): boolean {
    const code = this.model.offer(row)
    this.offers.push({ row, code })
    return code === null
  }

  /** An event for the next seq. Times may go backwards, as clocks do. */
  event(type: string, data: JsonValue, extra: Extra = {}): JsonObject {
    const seq = this.nextSeq
    return {
      type,
      seq,
      time: 1_000 + ((seq * 7) % 50),
      data,
      ...(extra.sources === undefined ? {} : { sourceEventSeqs: extra.sources }),
      ...(extra.op === undefined ? {} : { surfaceOp: extra.op }),
      ...(extra.ignorable === undefined ? {} : { ignorable: extra.ignorable }),
    }
  }

  emit(type: string, data: JsonValue, extra: Extra = {}): boolean {
    return this.offer(this.event(type, data, extra))
  }

  append(type: string, data: JsonValue, sources?: JsonValue): boolean {
    return this.emit(type, data, { op: "append", ...(sources === undefined ? {} : { sources }) })
  }

  openStep(): void {
    if (!this.isTurnOpen) {
      this.turn++
      this.step = 0
      this.isTurnOpen = true
      this.emit("turn/start", { turn: this.turn })
    }
    if (this.isStepOpen) return
    this.step++
    this.isStepOpen = true
    this.emit("step/start", { ...this.place })
  }

  closeStep(): void {
    if (!this.isStepOpen) return
    this.isStepOpen = false
    this.chunkSeqs = []
    this.emit("step/end", { ...this.place })
  }

  closeTurn(): void {
    this.closeStep()
    if (!this.isTurnOpen) return
    this.isTurnOpen = false
    this.emit("turn/end", { turn: this.turn, reason: { kind: "completed" } })
  }

  /** Positions of the live nodes of some kinds; those that are replacements where `n` is odd. */
  positions(n: number, kinds: readonly NaiveKind[], floor = 0): number[] {
    const { nodes } = this.model
    const all = nodes.flatMap((seq, position) => {
      const kind = this.model.kindOf(seq)
      return position >= floor && kind !== null && kinds.includes(kind) ? [position] : []
    })
    const replaced = all.filter((position) => this.isReplacement(nodes[position] ?? -1))
    return n % 2 === 1 && replaced.length > 0 ? replaced : all
  }

  isReplacement(seq: number): boolean {
    const row = this.model.events.get(seq)
    return row !== undefined && typeof row["surfaceOp"] === "object"
  }

  /** A protected head stands at position 0. */
  get hasHead(): boolean {
    const [first] = this.model.nodes
    return this.version >= 3 && first !== undefined && this.model.kindOf(first) === "system"
  }

  /** Two positions, the second not before the first, beside a protected head; null without any. */
  span(a: number, b: number): readonly [from: number, to: number] | null {
    const any: readonly NaiveKind[] = ["system", "developer", "user", "assistant", "tool"]
    const floor = this.hasHead ? 1 : 0
    const choices = this.positions(a, any, floor)
    const one = choices[(a >> 1) % choices.length]
    if (one === undefined) return null
    // mostly short, so that surfaces grow; now and then all the way to a replacement elsewhere
    const ends = this.positions(b, any, floor)
    const far = ends[(b >> 3) % ends.length] ?? one
    const near = Math.min(this.model.nodes.length - 1, one + Math.max(0, ((b >> 3) % 4) - 1))
    const other = b % 8 === 7 ? far : near
    return one <= other ? [one, other] : [other, one]
  }

  /** Marker and sources of a replacement of the nodes between two positions. */
  replacing(from: number, to: number, style: number): { op: JsonObject; sources: JsonArray } {
    const shadowed = this.model.nodes.slice(from, to + 1)
    return {
      op: replaceMarker(this.version, shadowed[0] ?? 0, shadowed[shadowed.length - 1] ?? 0),
      sources: this.citing(shadowed, style),
    }
  }

  /** A list that cites some seqs: as they come, sorted, with others, reversed or in pairs. */
  citing(seqs: readonly number[], style: number): JsonArray {
    const sorted = [...seqs].sort((x, y) => x - y)
    switch (style % 6) {
      case 0:
        return [...seqs]
      case 1:
        return sorted
      case 2:
        return [...seqs].reverse()
      case 3: {
        const others = [style % Math.max(1, this.nextSeq), this.nextSeq - 1, 0]
        const more = [...new Set([...sorted, ...others])].filter((seq) => seq < this.nextSeq)
        more.sort((x, y) => x - y)
        return this.isPlain ? more : withPairs(more)
      }
      case 4:
        return this.isPlain ? sorted : withPairs(sorted)
      default:
        // no writer makes pairs of one, and readers take them
        return this.isPlain ? sorted : withPairs(sorted, 1)
    }
  }
}
