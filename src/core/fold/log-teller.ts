import type { JsonValue } from "../data/json.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import type { EventFacts } from "../log/event-facts.ts"
import type { LogHeader } from "../log/header.ts"
import type { LineRange } from "../log/line-range.ts"
import { isTranscriptEvent } from "../messages/transcript.ts"
import type { RequestPoints } from "../request/request-points.ts"
import { requestPointsFold } from "../request/request-points.ts"
import type { ToolEvent } from "../request/tool-events.ts"
import type { SurfacePlan } from "../surface/plan.ts"
import type { UsageSample } from "../tokens/usage.ts"
import { usageSample } from "../tokens/usage.ts"
import { stepFold } from "./fold.ts"
import type { LogFoldOptions, LogFoldView } from "./log-fold-options.ts"

/** Tells who asked what happens while a log is folded. A draft: private to one fold. */
export class LogTeller {
  readonly toolEvents: ToolEvent[] = []
  private readonly options: LogFoldOptions
  private readonly points: ReturnType<typeof requestPointsFold.begin>

  constructor(header: LogHeader, options: LogFoldOptions) {
    this.options = options
    this.points = requestPointsFold.begin(header)
  }

  requestPoints(): RequestPoints {
    return requestPointsFold.seal(this.points)
  }

  /** To be told before the row is on the surface. */
  request(facts: EventFacts, data: JsonValue, fold: LogFoldView): void {
    const known = this.points.points.length
    stepFold(requestPointsFold, this.points, facts, data)
    const point = this.points.points[known]
    if (point !== undefined) this.options.onRequest?.(point, fold)
  }

  /** As `request`, of a scanned row; of the start of a step `place` says which one it is. */
  scannedRequest(
    facts: EventFacts,
    place: UsageSample | null,
    line: LineRange,
    fold: LogFoldView,
  ): void {
    if (this.options.onRequest === undefined) return
    const data = place === null ? null : { turn: place.turn, step: place.step }
    // of a chunk the payload is read: few are kept, and those are short
    this.request(facts, facts.type === "assistant/chunk" ? fold.read(line) : data, fold)
  }

  /** The last event of a range that was scanned. */
  scannedTo(lastSeq: number): void {
    this.points.lastSeq = lastSeq
  }

  /** What an accepted row did to the surface. */
  change(plan: SurfacePlan, facts: EventFacts, line: LineRange): void {
    const { onReplacement, onProjection, onTranscript } = this.options
    if (plan.op === "replace") {
      const { seq, start, end, shadowedSeqs } = plan
      onReplacement?.({ seq, start, end, shadowedSeqs }, plan.kind, line)
    } else if (plan.op === "project") {
      const targets = plan.updates.map(({ seq }) => seq)
      onProjection?.({ seq: facts.seq, type: facts.type, targets })
    }
    if (onTranscript !== undefined && isTranscriptEvent(facts)) onTranscript(line, facts.kind)
    const isHeader = facts.type === "request/header"
    if (!isHeader && facts.kind !== surfaceKind.developer) return
    const { byteOffset, byteLength } = line
    this.toolEvents.push({ seq: facts.seq, isHeader, byteOffset, byteLength })
  }

  /** What a row says of usage. */
  usage(seq: number, sample: UsageSample): void {
    if (sample.usage !== null) this.options.onUsage?.(seq, sample.usage)
  }

  /** As `usage`, of a row that was parsed. */
  usageIn({ type, seq }: EventFacts, data: JsonValue): void {
    const sample = this.options.onUsage === undefined ? null : usageSample(type, data)
    if (sample !== null) this.usage(seq, sample)
  }
}
