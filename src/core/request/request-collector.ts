import type { NodeColumns, ProjectedMessages } from "../fold/folded-log.ts"
import { nodeColumns, projectedMessages } from "../fold/folded-log.ts"
import type { SurfaceTokens } from "../fold/log-fold-options.ts"
import type { LogFoldView } from "../fold/log-fold-options.ts"
import type { RequestPoint } from "./request-points.ts"
import { openPoint } from "./request-points.ts"
import type { ToolEvent } from "./tool-events.ts"

/** Which requests of a log are asked for. */
export type RequestPick =
  /** The last one of a turn, step and attempt; of the last attempt where that is null. */
  | {
      readonly is: "step"
      readonly turn: number
      readonly step: number
      readonly attempt: number | null
    }
  /** What a request at the end of what is read would hold. */
  | { readonly is: "end" }
  /** All of them, in numbers alone: without their nodes. */
  | { readonly is: "list" }
  /** As many from a number on as have room for their nodes; one at least. */
  | { readonly is: "from"; readonly index: number; readonly nodeRoom: number }

/** All that a request is made of, as plain data: lines stand for their messages. */
export interface RequestSnapshot {
  /** Null for what no step asked for. */
  readonly point: RequestPoint | null
  /** Last event that the request has seen, and the last one that the request before it had seen. */
  readonly throughSeq: number
  readonly afterSeq: number
  readonly nodes: NodeColumns
  readonly projected: ProjectedMessages
  readonly messageCount: number
  readonly tokens: SurfaceTokens
}

/** The requests that were asked for, with what tells of tools in the whole log. */
export interface PickedRequests {
  readonly snapshots: readonly RequestSnapshot[]
  readonly toolEvents: readonly ToolEvent[]
  /** All requests of the log. */
  readonly requestCount: number
  readonly lastRequest: RequestPoint | null
  /** Number of the next request that had no room; null where none is left. */
  readonly nextIndex: number | null
}

const noNodes: NodeColumns = {
  seqs: new Float64Array(),
  kinds: new Uint8Array(),
  byteOffsets: new Float64Array(),
  byteLengths: new Float64Array(),
}

/** Keeps what requests were made of while a log is folded. A draft of one reading. */
export class RequestCollector {
  private readonly pick: RequestPick
  private snapshots: RequestSnapshot[] = []
  private requestCount = 0
  private nodeCount = 0
  private nextIndex: number | null = null
  private lastPoint: RequestPoint | null = null
  private afterSeq = -1

  constructor(pick: RequestPick) {
    this.pick = pick
  }

  /** Forgets all: the log is read once more. */
  restart(): void {
    this.snapshots = []
    this.requestCount = 0
    this.nodeCount = 0
    this.nextIndex = null
    this.lastPoint = null
    this.afterSeq = -1
  }

  /** To be called for each request, before its answer. */
  take(point: RequestPoint, fold: LogFoldView): void {
    this.afterSeq = this.lastPoint?.throughSeq ?? -1
    if (this.isPicked(point)) this.keep(point, point.throughSeq, fold)
    this.requestCount++
    this.lastPoint = point
  }

  /** What was picked, at the end of what was read. */
  finish(fold: LogFoldView): PickedRequests {
    const points = fold.requestPoints()
    const open = openPoint(points)
    if (this.pick.is === "end") this.keepEnd(open, points.lastSeq, fold)
    if (open !== null) this.take(open, fold)
    return {
      snapshots: this.snapshots,
      toolEvents: fold.toolEvents,
      requestCount: this.requestCount,
      lastRequest: this.lastPoint,
      nextIndex: this.nextIndex,
    }
  }

  // before its answer a request is one to come: the prefix that ends there has it open
  private keepEnd(open: RequestPoint | null, lastSeq: number, fold: LogFoldView): void {
    this.afterSeq = this.lastPoint?.throughSeq ?? -1
    this.keep(open, lastSeq, fold)
  }

  private isPicked(point: RequestPoint): boolean {
    const { pick } = this
    switch (pick.is) {
      case "end":
        return false
      case "list":
        return true
      case "step":
        return (
          point.turn === pick.turn &&
          point.step === pick.step &&
          (pick.attempt === null || point.attempt === pick.attempt)
        )
      case "from":
        if (this.requestCount < pick.index || this.nextIndex !== null) return false
        if (this.snapshots.length === 0 || this.nodeCount < pick.nodeRoom) return true
        this.nextIndex = this.requestCount
        return false
    }
  }

  private keep(point: RequestPoint | null, throughSeq: number, fold: LogFoldView): void {
    const { surface } = fold
    const { is } = this.pick
    // of an address the last request counts
    if (is === "step" || is === "end") this.snapshots = []
    this.nodeCount += surface.size
    this.snapshots.push({
      point,
      throughSeq,
      afterSeq: this.afterSeq,
      nodes: is === "list" ? noNodes : nodeColumns(surface),
      projected: is === "list" ? [] : projectedMessages(surface),
      messageCount: surface.messageCount,
      tokens: fold.tokens(),
    })
  }
}
