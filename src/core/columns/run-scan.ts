import type { Token } from "./ascii.ts"
import { standsAt, tokenOf } from "./ascii.ts"
import type { Lexer } from "./lexer.ts"
import { leave } from "./lexer.ts"

const texts = ["text-chunks", "reasoning-chunks"].map((tag) => tokenOf(`{"type":"${tag}","seq0":`))
const calls = tokenOf('{"type":"tool-call-chunks","seq0":')
const time0 = tokenOf(',"time0":')
const turn = tokenOf(',"data":{"turn":')
const step = tokenOf(',"step":')
const index = tokenOf(',"index":')
const gaps = tokenOf(',"dt":[')
const id = tokenOf(',"id":"')
const name = tokenOf(',"name":"')
const textList = tokenOf(',"texts":[')
const argList = tokenOf(',"args":[')
const places: readonly Token[] = [turn, step, index]

const comma = 44
const bracket = 93

/** Reads packed runs in the layout that writers use; `leave` sends a line to the parser. */
export class RunScan {
  private readonly lexer: Lexer
  seq = 0
  count = 0
  timeMs = 0
  lastTimeMs = 0

  constructor(lexer: Lexer) {
    this.lexer = lexer
  }

  /** Reads the run in the line at `from`; answers the place of its newline. */
  row(from: number): number {
    const { lexer } = this
    const { bytes, view } = lexer
    const isCall = standsAt(view, from, calls)
    const opening = isCall ? calls : texts.find((each) => standsAt(view, from, each))
    if (opening === undefined) return leave
    let at = this.int(from + opening.length)
    this.seq = lexer.int
    if (at < 0 || !standsAt(view, at, time0)) return leave
    at = lexer.integer(at + time0.length)
    this.timeMs = lexer.int
    for (const place of places) {
      if (at < 0 || !standsAt(view, at, place)) return leave
      at = this.int(at + place.length)
    }
    // of a call the gaps stand before its names or behind them
    const areFirst = at >= 0 && standsAt(view, at, gaps)
    if (isCall && !areFirst) at = this.names(at)
    if (at < 0 || !standsAt(view, at, gaps)) return leave
    at = this.gaps(at + gaps.length)
    if (isCall && areFirst) at = this.names(at)
    const list = isCall ? argList : textList
    if (at < 0 || !standsAt(view, at, list)) return leave
    const expected = this.count
    at = this.strings(at + list.length)
    if (at < 0 || this.count !== expected) return leave
    // count − 1 first: seq + count may already be rounded
    if (this.seq + (this.count - 1) > Number.MAX_SAFE_INTEGER) return leave
    return bytes[at] === 125 && bytes[at + 1] === 125 && bytes[at + 2] === 10 ? at + 2 : leave
  }

  // a count
  private int(from: number): number {
    const at = this.lexer.integer(from)
    return this.lexer.int < 0 ? leave : at
  }

  // the gaps between members; `count` becomes the members that so many gaps ask for
  private gaps(from: number): number {
    const { lexer } = this
    const { bytes } = lexer
    this.lastTimeMs = this.timeMs
    this.count = 1
    if (bytes[from] === bracket) return from + 1
    for (let at = from; ;) {
      at = lexer.integer(at)
      if (at < 0) return leave
      this.count++
      this.lastTimeMs += lexer.int
      if (!Number.isSafeInteger(this.lastTimeMs)) return leave
      const next = bytes[at++]
      if (next === bracket) return at
      if (next !== comma) return leave
    }
  }

  private names(from: number): number {
    const { lexer } = this
    const { bytes, view } = lexer
    if (from < 0 || !standsAt(view, from, id) || bytes[from + id.length] === 34) return leave
    const at = lexer.string(from + id.length)
    return at >= 0 && standsAt(view, at, name) ? lexer.string(at + name.length) : at
  }

  private strings(from: number): number {
    const { lexer } = this
    const { bytes } = lexer
    this.count = 0
    for (let at = from; ;) {
      if (bytes[at] !== 34) return leave
      at = lexer.string(at + 1)
      if (at < 0) return leave
      this.count++
      const next = bytes[at++]
      if (next === bracket) return at
      if (next !== comma) return leave
    }
  }
}
