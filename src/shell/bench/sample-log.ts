import type { Random } from "./sample-text.ts"
import { lengthNear, randomOf, textFrom } from "./sample-text.ts"

type Fields = Readonly<Record<string, unknown>>

interface ToolResult {
  readonly seq: number
  readonly turn: number
  readonly step: number
  readonly callId: string
}

const stepsPerTurn = 8
const deltasPerStep = 6
const compactEvery = 500
const keptNodes = 60
// one tool result in so many is cut down later
const rewriteEvery = 10

const header: Fields = {
  type: "session",
  version: 0,
  id: "bench",
  createdAt: 1_770_000_000_000,
  cwd: "/work",
  delegationDepth: 0,
}

/** The writer of a log; what it has written so far is taken from time to time. */
class Writer {
  private readonly random: Random
  private readonly text: string
  private seq = 0
  private time = 1_770_000_000_000
  private pending: string = `${JSON.stringify(header)}\n`
  private nodes: number[] = []

  constructor(random: Random) {
    this.random = random
    this.text = textFrom(random)
  }

  take(): Buffer {
    const bytes = Buffer.from(this.pending)
    this.pending = ""
    return bytes
  }

  turn(turn: number): void {
    this.event("turn/start", { turn })
    this.message("user/message", this.said("user", "u", this.piece(260), { kind: "user" }))
    for (let step = 1; step <= stepsPerTurn; step++) {
      this.event("step/start", { turn, step })
      const call = step < stepsPerTurn ? `call_${this.seq}` : null
      this.answer(turn, step, call)
      if (call !== null) this.tool(turn, step, call)
      this.event("step/end", { turn, step })
    }
    if (this.nodes.length > compactEvery) this.compact(turn)
    this.event("turn/end", { turn, reason: { kind: "completed" } })
  }

  private answer(turn: number, step: number, call: string | null): void {
    const chunks: number[] = []
    for (let i = 0; i < deltasPerStep; i++) {
      const chunk = { type: "text-delta", index: 0, text: this.piece(20) }
      chunks.push(this.event("assistant/chunk", { turn, step, chunk }))
    }
    const text = { type: "text", text: this.piece(160) }
    const toolCall = { type: "tool-call", id: call, name: "bash", arguments: this.piece(60) }
    const message = {
      id: `a${this.seq}`,
      role: "assistant",
      content: call === null ? [text] : [text, toolCall],
      source: { kind: "model", provider: "p", model: "m" },
    }
    this.message("assistant/message", { turn, step, message }, chunks)
  }

  private tool(turn: number, step: number, callId: string): void {
    const fields = { turn, step, callId, name: "bash", arguments: "{}" }
    const call = this.event("tool/call", fields)
    const seq = this.message("tool/result", this.result(turn, step, callId, 1500), [call])
    if (this.random(rewriteEvery) === 0) this.rewrite({ seq, turn, step, callId })
  }

  private result(turn: number, step: number, callId: string, median: number): Fields {
    const text = { type: "text", text: this.piece(median) }
    const block = { type: "tool-result", toolCallId: callId, content: [text] }
    const source = { kind: "tool", callId }
    return { turn, step, message: { id: callId, role: "user", source, content: [block] } }
  }

  // only the content of a result may be another
  private rewrite({ seq, turn, step, callId }: ToolResult): void {
    this.replace("tool/result", this.result(turn, step, callId, 60), this.nodes.indexOf(seq), 1)
  }

  private compact(turn: number): void {
    const compactionId = `k${this.seq}`
    this.event("compaction/start", { compactionId, turn })
    const summary = this.said("user", "s", this.piece(2000), { kind: "plugin", plugin: "compact" })
    this.replace("user/message", summary, 0, this.nodes.length - keptNodes)
    this.event("compaction/end", { compactionId, turn })
  }

  private replace(type: string, data: Fields, place: number, count: number): void {
    const shadowed = this.nodes.slice(place, place + count)
    const surfaceOp = { op: "replace", start: shadowed[0], end: shadowed.at(-1) }
    const seq = this.event(type, data, { sourceEventSeqs: shadowed, surfaceOp })
    this.nodes.splice(place, count, seq)
  }

  private message(type: string, data: Fields, sources?: readonly number[]): number {
    const marker = { surfaceOp: "append" }
    const seq = this.event(type, data, sources ? { sourceEventSeqs: sources, ...marker } : marker)
    this.nodes.push(seq)
    return seq
  }

  private event(type: string, data: Fields, more: Fields = {}): number {
    const seq = this.seq++
    this.time += this.random(40)
    this.pending += `${JSON.stringify({ type, seq, time: this.time, data, ...more })}\n`
    return seq
  }

  private said(role: string, id: string, text: string, source: Fields): Fields {
    return { id: `${id}${this.seq}`, role, content: [{ type: "text", text }], source }
  }

  private piece(median: number): string {
    const length = lengthNear(this.random, median, this.text.length)
    const from = this.random(this.text.length - length + 1)
    return this.text.slice(from, from + length)
  }
}

/**
 * Makes up a log of format 0 as a busy agent leaves one: streamed answers, tool results of all
 * lengths, rewrites and compactions.
 *
 * shape   the same bytes everywhere; ends with the turn in which the size was reached
 * cost    memory follows the surface, not the log
 */
export function* sampleLog(byteCount: number): Generator<Buffer> {
  const writer = new Writer(randomOf(1))
  for (let turn = 1, bytes = 0; bytes < byteCount; turn++) {
    writer.turn(turn)
    const chunk = writer.take()
    bytes += chunk.length
    yield chunk
  }
}
