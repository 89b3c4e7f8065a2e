import type { Format } from "../format/format.ts"
import type { SurfaceKind } from "../format/surface-kind.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import type { EventFacts, SurfaceOp } from "../log/event-facts.ts"
import { surfaceOp } from "../log/event-facts.ts"
import type { SourceRuns } from "../log/source-runs.ts"
import { blockOverhead, roleOverhead } from "../tokens/estimate.ts"
import type { Token } from "./ascii.ts"
import { standsAt, tokenOf } from "./ascii.ts"
import type { DigestKey } from "./digest.ts"
import { digestWithout } from "./digest.ts"
import { leave, Lexer } from "./lexer.ts"
import type { Found } from "./shape-scan.ts"
import { forget, nothingFound } from "./shape-scan.ts"
import type { TypeEntry } from "./type-table.ts"
import { typeTable } from "./type-table.ts"

const opening = tokenOf('{"type":"')
const timeKey = tokenOf(',"time":')
const dataKey = tokenOf(',"data":')
const sourcesKey = tokenOf(',"sourceEventSeqs":[')
const opKey = tokenOf(',"surfaceOp":')
const appendEnd = tokenOf('"append"}')
const replaceKey = tokenOf('{"op":"replace",')

const newline = 10
const comma = 44
const closing = 125

/**
 * Reads rows in the layout that writers use: keys in order, no blanks.
 *
 * shape   after `row` the fields tell of the row that was read; a draft of its own, overwritten by
 *         the next one
 * errors  `leave` for every line that is not plainly right: the parser decides on it
 */
export class RowScan {
  readonly lexer: Lexer = new Lexer()
  readonly found: Found = nothingFound()
  entry: TypeEntry
  seq = 0
  timeMs = 0
  op: SurfaceOp = surfaceOp.none
  start = -1
  end = -1
  sources: SourceRuns | null = null
  tokens = 0
  derives = false
  digest = 0
  private readonly table: ReadonlyMap<number, readonly TypeEntry[]>
  private readonly startKey: Token
  private readonly endKey: Token
  private readonly format: Format
  /** Of the run; digests are compared within one. */
  key: DigestKey

  /** `isWanted` leaves out types; rows of the others are left to the parser at once. */
  constructor(
    format: Format,
    key: DigestKey,
    isWanted: (entry: TypeEntry) => boolean = () => true,
  ) {
    const all = typeTable(format)
    const entries = all.filter(isWanted)
    this.format = format
    this.key = key
    this.table = byFirstBytes(entries)
    this.entry = all[0] as TypeEntry
    const [startName, endName] = format.rules.endpoints
    this.startKey = tokenOf(`"${startName}":`)
    this.endKey = tokenOf(`,"${endName}":`)
  }

  /** Facts of the row that was read, for the planner. */
  facts(): EventFacts {
    return {
      type: this.entry.type,
      seq: this.seq,
      count: 1,
      timeMs: this.timeMs,
      lastTimeMs: this.timeMs,
      kind: this.entry.kind,
      op: this.op,
      start: this.start,
      end: this.end,
      sources: this.sources,
    }
  }

  /** Reads the event in the line at `from`; answers the place of its newline. */
  row(from: number): number {
    const { bytes, view } = this.lexer
    if (!standsAt(view, from, opening)) return leave
    const type = from + opening.length
    const entry = this.entryAt(view, type)
    if (entry === null || entry.scan === null) return leave
    this.entry = entry
    let at = this.lexer.integer(type + entry.text.length)
    if (at < 0 || this.lexer.int < 0) return leave
    this.seq = this.lexer.int
    if (!standsAt(view, at, timeKey)) return leave
    at = this.lexer.integer(at + timeKey.length)
    if (at < 0 || !standsAt(view, at, dataKey)) return leave
    this.timeMs = this.lexer.int
    const data = at + dataKey.length
    forget(this.found)
    at = entry.scan(this.lexer, data, this.found)
    if (at < 0) return leave
    this.op = surfaceOp.none
    this.start = -1
    this.end = -1
    this.sources = null
    this.tokens = 0
    this.derives = false
    this.digest = 0
    if (entry.kind !== surfaceKind.none) {
      if (!this.price(entry.kind, data, at)) return leave
      at = this.surface(at)
      if (at < 0) return leave
    } else if (bytes[at++] !== closing) return leave
    return bytes[at] === newline ? at : leave
  }

  private entryAt(view: DataView, at: number): TypeEntry | null {
    const candidates = this.table.get(firstBytes(view, at))
    if (candidates !== undefined)
      for (const entry of candidates) if (standsAt(view, at, entry.text)) return entry
    return null
  }

  // what the node of a surface event costs, and whether all ties of its fields hold
  private price(kind: SurfaceKind, data: number, end: number): boolean {
    const { found } = this
    const { bytes } = this.lexer
    this.derives = found.blocks > 0 || kind === surfaceKind.user || kind === surfaceKind.toolResult
    if (this.derives) this.tokens = found.tokens + found.blocks * blockOverhead + roleOverhead
    if (kind !== surfaceKind.toolResult) return true
    const isMessage = this.format.rules.toolResultContent === "message"
    if (found.callCount !== 2 || (isMessage && (found.captured[0] as number) >= 0)) return false
    const [aFrom = 0, aTo = 0, bFrom = 0, bTo = 0] = found.calls
    if (aTo - aFrom !== bTo - bFrom) return false
    for (let i = 0; i < aTo - aFrom; i++) if (bytes[aFrom + i] !== bytes[bFrom + i]) return false
    const { contentStart, contentEnd } = found
    this.digest = digestWithout(this.key, this.lexer.view, data, contentStart, contentEnd, end)
    return true
  }

  // from behind the payload to behind the row
  private surface(from: number): number {
    const { bytes, view } = this.lexer
    let at = from
    if (standsAt(view, at, sourcesKey)) {
      at = this.cite(at + sourcesKey.length)
      if (at < 0) return leave
    }
    if (!standsAt(view, at, opKey)) return leave
    at += opKey.length
    if (standsAt(view, at, appendEnd)) {
      this.op = surfaceOp.append
      return at + appendEnd.length
    }
    if (!standsAt(view, at, replaceKey)) return leave
    at += replaceKey.length
    if (!standsAt(view, at, this.startKey)) return leave
    at = this.lexer.integer(at + this.startKey.length)
    if (at < 0 || this.lexer.int < 0 || !standsAt(view, at, this.endKey)) return leave
    this.start = this.lexer.int
    at = this.lexer.integer(at + this.endKey.length)
    if (at < 0 || this.lexer.int < 0) return leave
    this.end = this.lexer.int
    this.op = surfaceOp.replace
    return bytes[at] === closing && bytes[at + 1] === closing ? at + 2 : leave
  }

  // citations that grow; others are for the parser, whose rules for them are more than these
  private cite(from: number): number {
    const { bytes } = this.lexer
    const runs: number[] = []
    let length = 0
    let last = -1
    let at = from
    if (bytes[at] === 93) {
      this.sources = { runs, length, isAscending: true }
      return at + 1
    }
    for (;;) {
      const isPair = bytes[at] === 91
      at = this.lexer.integer(isPair ? at + 1 : at)
      const start = this.lexer.int
      if (at < 0 || start <= last) return leave
      let end = start
      if (isPair) {
        if (bytes[at] !== comma) return leave
        at = this.lexer.integer(at + 1)
        end = this.lexer.int
        if (at < 0 || end < start || bytes[at++] !== 93) return leave
      }
      if (runs.length > 0 && start === last + 1) runs[runs.length - 1] = end
      else runs.push(start, end)
      length += end - start + 1
      last = end
      const next = bytes[at++]
      if (next === 93) break
      if (next !== comma) return leave
    }
    this.sources = { runs, length, isAscending: true }
    return at
  }
}

// types and the key behind them are longer than eight bytes, and differ early
const firstBytes = (view: DataView, at: number): number =>
  view.getInt32(at, true) ^ Math.imul(view.getInt32(at + 4, true), 31)

const byFirstBytes = (entries: readonly TypeEntry[]): ReadonlyMap<number, readonly TypeEntry[]> => {
  const table = new Map<number, TypeEntry[]>()
  for (const entry of entries) {
    const [first = 0, second = 0] = entry.text.words
    const key = first ^ Math.imul(second, 31)
    const known = table.get(key)
    if (known === undefined) table.set(key, [entry])
    else known.push(entry)
  }
  return table
}
