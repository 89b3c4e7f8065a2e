import type { JsonArray, JsonObject, JsonValue } from "#core/data/json"
import type { FormatVersion } from "#core/format/format"
import {
  assistantData,
  replaceMarker,
  sessionHeader,
  systemData,
  toolResultData,
  userData,
  withContent,
} from "./dialect.ts"

/** A log that breaks no rule at all: its rows, and how many events each of them holds. */
export interface SoundLog {
  readonly version: FormatVersion
  readonly header: JsonObject
  readonly rows: readonly JsonObject[]
  readonly counts: readonly number[]
}

type Draw = (below: number) => number

interface Node {
  readonly seq: number
  /** Whether a group of calls and their results, or a message by itself, begins here. */
  readonly isStart: boolean
  readonly result: JsonObject | null
}

const text = (n: number): JsonArray => [{ type: "text", text: "x".repeat(1 + n) }]

class SoundBuilder {
  readonly rows: JsonObject[] = []
  readonly counts: number[] = []
  private readonly nodes: Node[] = []
  private nextSeq = 0
  private turn = 0
  private step = 0
  private readonly version: FormatVersion
  private readonly draw: Draw
  private readonly migrates: boolean

  constructor(version: FormatVersion, draw: Draw, migrates: boolean) {
    this.version = version
    this.draw = draw
    this.migrates = migrates
  }

  private emit(type: string, data: JsonObject, extra: JsonObject = {}): number {
    const seq = this.nextSeq++
    this.rows.push({ type, seq, time: 1_000 + seq, data, ...extra })
    this.counts.push(1)
    return seq
  }

  private append(type: string, data: JsonObject, isStart: boolean, result?: JsonObject): void {
    const seq = this.emit(type, data, { surfaceOp: "append" })
    this.nodes.push({ seq, isStart, result: result ?? null })
  }

  private get place(): { readonly turn: number; readonly step: number } {
    return { turn: this.turn, step: this.step }
  }

  private user(): void {
    this.append("user/message", userData(`u${this.nextSeq}`, text(this.draw(3))), true)
  }

  private prompt(): JsonObject {
    const data = systemData(this.version, this.place, "y", text(2))
    if (!this.migrates || this.version > 3) return data
    // of all plugins one alone may set the prompt of format 4
    const source = { kind: "plugin", plugin: "@deepseek-ai/dsh-system-prompt" }
    return { ...data, message: { ...(data["message"] as JsonObject), source } }
  }

  private answer(): void {
    const { version, draw, place } = this
    const ids = Array.from({ length: draw(3) }, (_, i) => `c${this.nextSeq}-${i}`)
    const asked = { name: "ls", arguments: "{}" }
    const calls = ids.map((id): JsonValue => ({ type: "tool-call", id, ...asked }))
    // chunks that no message cites have no place in later formats
    if (version < 2 && !this.migrates && draw(2) === 0) this.run()
    const content = [...text(1), ...calls]
    this.append(
      "assistant/message",
      assistantData(version, place, `a${this.nextSeq}`, content),
      true,
    )
    for (const callId of ids) this.emit("tool/call", { ...place, callId, ...asked })
    for (const callId of draw(2) === 0 ? ids : ids.toReversed()) {
      const data = toolResultData(version, place, callId, text(draw(3)))
      this.append("tool/result", data, false, data)
    }
  }

  private run(): void {
    const texts = Array.from({ length: 1 + this.draw(4) }, () => "t")
    const dt = texts.slice(1).map(() => 1)
    const data = { ...this.place, index: 0, dt, texts }
    this.rows.push({ type: "text-chunks", seq0: this.nextSeq, time0: 1_000, data })
    this.counts.push(texts.length)
    this.nextSeq += texts.length
  }

  // from the start of a group to the end of one, beside a prompt at the head
  private compact(): void {
    const { nodes, draw, version } = this
    const floor = version >= 3 ? 1 : 0
    const starts = nodes.flatMap(({ isStart }, i) => (isStart && i >= floor ? [i] : []))
    const first = draw(starts.length)
    const from = starts[first]
    if (from === undefined) return
    const to = starts[first + 1 + draw(starts.length - first)] ?? nodes.length
    const shadowed = nodes.slice(from, to).map(({ seq }) => seq)
    const [start = 0] = shadowed
    const end = shadowed[shadowed.length - 1] ?? start
    const op = { sourceEventSeqs: shadowed, surfaceOp: replaceMarker(version, start, end) }
    const seq = this.emit("user/message", userData(`k${this.nextSeq}`, text(1)), op)
    nodes.splice(from, to - from, { seq, isStart: true, result: null })
  }

  private rewrite(): void {
    const { nodes, draw, version } = this
    const results = nodes.flatMap(({ result }, i) => (result === null ? [] : [i]))
    const at = results[draw(results.length)]
    const node = at === undefined ? undefined : nodes[at]
    if (at === undefined || node === undefined || node.result === null) return
    const data = withContent(version, node.result, text(draw(3)))
    const op = {
      sourceEventSeqs: [node.seq],
      surfaceOp: replaceMarker(version, node.seq, node.seq),
    }
    const seq = this.emit("tool/result", data, op)
    nodes[at] = { seq, isStart: false, result: data }
  }

  build(turns: number): void {
    const { draw, version } = this
    for (let i = 0; i < turns; i++) {
      this.emit("turn/start", { turn: ++this.turn })
      this.step = 0
      const steps = 1 + draw(2)
      for (let j = 0; j < steps; j++) {
        this.step++
        this.emit("step/start", { ...this.place })
        if (version >= 3 && this.nodes.length === 0)
          this.append("system/message", this.prompt(), true)
        if (draw(3) > 0) this.user()
        this.answer()
        if (draw(3) === 0) this.rewrite()
        if (draw(3) === 0) this.compact()
        this.emit("step/end", { ...this.place })
      }
      this.emit("turn/end", { turn: this.turn, reason: { kind: "completed" } })
      if (draw(4) === 0) this.compact()
    }
  }
}

/**
 * A log that breaks no rule: turns of steps, calls in groups, and replacements of whole groups.
 *
 * @param migrates  whether nothing may stand against its migration either
 */
export const soundLog = (version: FormatVersion, draw: Draw, migrates = false): SoundLog => {
  const builder = new SoundBuilder(version, draw, migrates)
  builder.build(1 + draw(3))
  const { rows, counts } = builder
  return { version, header: sessionHeader(version, null), rows, counts }
}

/** The lines of a log with its header, each without its newline. */
export const soundLines = ({ header, rows }: SoundLog): readonly Buffer[] =>
  [header, ...rows].map((row) => Buffer.from(JSON.stringify(row)))
