import { standsAt, tokenOf } from "./ascii.ts"
import type { RowScan } from "./row-scan.ts"
import { captured } from "./type-table.ts"
import { usageAt } from "./usage-scan.ts"

const usageTag = tokenOf('{"type":"usage"')
const usageChunk = tokenOf('{"type":"usage","usage":')
const finishTag = tokenOf('{"type":"finish"')
const emptyList = tokenOf("[]")

/** Reads what a row in plain layout says of usage, and of which step. */
export class ReportScan {
  turn = 0
  step = 0
  readonly buckets: number[] = [0, 0, 0, 0, 0, 0]
  private readonly rows: RowScan

  constructor(rows: RowScan) {
    this.rows = rows
  }

  /** Whether the row that was read reports usage; turn, step and buckets are noted then. */
  read(): "nothing" | "usage" | "unclear" {
    const { lexer, entry } = this.rows
    const { type } = entry
    const { view } = lexer
    const isChunk = type === "assistant/chunk"
    if (!isChunk && type !== "assistant/message") return "nothing"
    const chunk = this.placeOf(captured.chunk)
    const stream = this.placeOf(captured.stream)
    const own = this.placeOf(captured.usage)
    // in either type the parser looks at all three
    if (isChunk ? own >= 0 || stream >= 0 : chunk >= 0) return "unclear"
    if (isChunk && (chunk < 0 || !standsAt(view, chunk, usageTag))) return "nothing"
    if (isChunk && !standsAt(view, chunk, usageChunk)) return "unclear"
    const usage = isChunk ? chunk + usageChunk.length : own
    if (usage < 0) return stream < 0 || standsAt(view, stream, emptyList) ? "nothing" : "unclear"
    return usageAt(lexer, usage, this.buckets) && this.isPlaced() ? "usage" : "unclear"
  }

  /** Whether the row is the last chunk of an answer. */
  isFinish(): boolean {
    const { lexer, entry } = this.rows
    const chunk = this.placeOf(captured.chunk)
    return entry.mark === "chunk" && chunk >= 0 && standsAt(lexer.view, chunk, finishTag)
  }

  /** Whether the row names its turn and step plainly; they are noted then. */
  isPlaced(): boolean {
    const turn = this.intAt(captured.turn)
    const step = this.intAt(captured.step)
    if (turn === null || step === null) return false
    this.turn = turn
    this.step = step
    return true
  }

  private placeOf(capture: number): number {
    return this.rows.found.captured[capture * 2] as number
  }

  private intAt(capture: number): number | null {
    const { lexer, found } = this.rows
    const from = this.placeOf(capture)
    return from >= 0 && lexer.integer(from) === found.captured[capture * 2 + 1] ? lexer.int : null
  }
}
