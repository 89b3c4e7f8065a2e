import { hasSystemNodes, replaceOp, type FormatVersion } from "./dialect.ts"
import type { LineSink } from "./line-sink.ts"
import type { Prng } from "./prng.ts"
import type { SessionSummary } from "./session-summary.ts"
import { sourceRuns } from "./source-runs.ts"
import { SurfaceModel, type NodeFacts } from "./surface-model.ts"

/** The header of a log, without the fields that the format and the seed decide. */
export type SessionHeader = {
  readonly id: string
  readonly createdAt: number
  readonly cwd?: string
  readonly parentSession?: string
  readonly origin?: "subagent"
  readonly delegationDepth: number
  readonly agentPreset?: string
}

/** What a row may carry behind its payload. */
export type Envelope = {
  readonly sources?: readonly number[] | undefined
  readonly op?: "append" | object | undefined
  readonly ignorable?: true | undefined
  /** Milliseconds; the clock of the log moves on when absent. */
  readonly time?: number | undefined
}

const headerLine = (format: FormatVersion, header: SessionHeader, seed: number | null): string => {
  const { id, createdAt, cwd, parentSession, origin, delegationDepth, agentPreset } = header
  const seeded =
    format >= 2 ? { isSeeded: seed !== null } : seed === null ? {} : { seedLength: seed }
  // JSON.stringify drops the undefined ones; the order is the writer's.
  return JSON.stringify({
    type: "session",
    version: format,
    id,
    createdAt,
    cwd,
    parentSession,
    ...seeded,
    origin,
    delegationDepth,
    agentPreset,
  })
}

/** Writes the rows of one log in writer form and folds them in the naive model beside it. */
export class SessionLog {
  readonly format: FormatVersion
  readonly header: SessionHeader
  nextSeq = 0
  /** Time of the last row, Unix milliseconds. */
  clock: number
  surface: SurfaceModel = new SurfaceModel()
  private inheritedEvents = 0
  private turnCount = 0
  private stepCount = 0
  private projectionCount = 0
  private refusalSeq: number | null = null
  private readonly sink: LineSink
  private readonly pace: Prng

  constructor(
    format: FormatVersion,
    header: SessionHeader,
    sink: LineSink,
    pace: Prng,
    parent?: SessionLog,
  ) {
    this.format = format
    this.header = header
    this.sink = sink
    this.pace = pace
    this.clock = parent?.clock ?? header.createdAt
    sink.write(headerLine(format, header, parent === undefined ? null : parent.nextSeq))
    if (parent !== undefined) this.inherit(parent)
  }

  get byteCount(): number {
    return this.sink.byteCount
  }

  /** Moves the clock by up to `longest` milliseconds and tells the new time. */
  tick(longest = 40): number {
    this.clock += this.pace.integer(0, longest)
    return this.clock
  }

  /** Writes one raw row that stands for `count` events; its first seq comes back. */
  row(line: string, count: number): number {
    const seq = this.nextSeq
    this.sink.write(line)
    this.nextSeq += count
    return seq
  }

  /** Writes one event that leaves the surface alone; its seq comes back. */
  event(type: string, data: object, envelope: Envelope = {}): number {
    if (this.refusalSeq === null) {
      if (type === "turn/start") this.turnCount++
      else if (type === "step/start") this.stepCount++
      else if (type === "image/offload") this.projectionCount++
    }
    const { sources, op, ignorable } = envelope
    const time = envelope.time ?? this.tick()
    this.clock = time
    let line = `{"type":"${type}","seq":${this.nextSeq},"time":${time},"data":${JSON.stringify(data)}`
    if (sources !== undefined) line += `,"sourceEventSeqs":${JSON.stringify(sourceRuns(sources))}`
    if (op !== undefined) line += `,"surfaceOp":${JSON.stringify(op)}`
    return this.row(ignorable === undefined ? line + "}" : line + ',"ignorable":true}', 1)
  }

  /** Appends a surface node. */
  append(type: string, data: object, node: NodeFacts, envelope: Envelope = {}): number {
    const { sources, time } = envelope
    const seq = this.event(type, data, { sources, op: "append", time })
    if (this.refusalSeq === null) this.surface.append({ ...node, seq })
    return seq
  }

  /** Replaces the nodes at the positions `from` to `to`; `extraSources` are cited before them. */
  replace(
    type: string,
    data: object,
    node: NodeFacts,
    [from, to]: readonly [number, number],
    order: (shadowed: readonly number[]) => readonly number[] = (shadowed) => shadowed,
  ): number {
    const shadowed = this.surface.nodes.slice(from, to + 1).map((old) => old.seq)
    const op = replaceOp(this.format, shadowed[0] ?? -1, shadowed[shadowed.length - 1] ?? -1)
    const seq = this.event(type, data, { sources: order(shadowed), op })
    if (this.refusalSeq === null) this.surface.replace(from, to, { ...node, seq })
    return seq
  }

  /** Declares that the next row will be refused: the model stops, writing goes on. */
  refuseFromHere(): void {
    this.refusalSeq ??= this.nextSeq
  }

  /** What a reader must find, computed by the model alone. */
  summary(torn = false): SessionSummary {
    const { nodes, replacements, tokens } = this.surface
    return {
      formatVersion: this.format,
      eventCount: this.refusalSeq ?? this.nextSeq,
      inheritedEvents: this.inheritedEvents,
      turnCount: this.turnCount,
      stepCount: this.stepCount,
      nodes: nodes.map((node) => node.seq),
      replacements: replacements.slice(),
      messageCount: nodes.filter((node) => !node.isEmpty).length,
      contentGeneration: replacements.length + this.projectionCount,
      surfaceTokens: tokens,
      torn,
      refusalSeq: this.refusalSeq,
    }
  }

  /** Whether a system message already heads the surface. */
  get hasHead(): boolean {
    return hasSystemNodes(this.format) && this.surface.nodes[0]?.kind === "system"
  }

  private inherit(parent: SessionLog): void {
    this.nextSeq = parent.nextSeq
    this.inheritedEvents = parent.nextSeq
    this.turnCount = parent.turnCount
    this.stepCount = parent.stepCount
    this.projectionCount = parent.projectionCount
    this.surface = parent.surface.clone()
  }
}
