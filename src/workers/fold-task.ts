import type { LineRange, Replacement } from "../core/fold/log-fold.ts"
import type { LogReport } from "../core/fold/log-report.ts"
import { faultReport } from "../core/fold/log-report.ts"
import type { SurfaceKind } from "../core/format/surface-kind.ts"
import type { Message } from "../core/messages/event-message.ts"
import type { RequestPoint } from "../core/request/request-points.ts"
import { allPoints } from "../core/request/request-points.ts"
import { pointAt } from "../core/request/address.ts"
import type { SurfaceDraft } from "../core/surface/draft.ts"
import type { ReadLog } from "./read-log.ts"
import { reportOf, withLog } from "./read-log.ts"
import type {
  FoldedLog,
  FoldReply,
  FoldRequest,
  LineColumns,
  NodeColumns,
} from "./task-protocol.ts"

interface KindedLine extends LineRange {
  readonly kind: SurfaceKind
}

const lineColumns = (lines: readonly KindedLine[]): LineColumns => ({
  kinds: Uint8Array.from(lines, (line) => line.kind),
  byteOffsets: Float64Array.from(lines, (line) => line.byteOffset),
  byteLengths: Float64Array.from(lines, (line) => line.byteLength),
})

const nodeColumns = (surface: SurfaceDraft | null): NodeColumns => {
  const nodes = surface?.nodes() ?? []
  return { ...lineColumns(nodes), seqs: Float64Array.from(nodes, (node) => node.seq) }
}

const projectedMessages = (surface: SurfaceDraft | null): [number, Message][] => {
  const projected: [number, Message][] = []
  for (const { seq } of surface?.nodes() ?? []) {
    const message = surface?.projectedMessage(seq)
    if (message !== undefined) projected.push([seq, message])
  }
  return projected
}

const folded = (report: LogReport, surface: SurfaceDraft | null): FoldedLog => ({
  is: "folded",
  report,
  nodes: nodeColumns(surface),
  replacements: new Float64Array(),
  projected: projectedMessages(surface),
  transcript: lineColumns([]),
})

const foldThrough = (request: FoldRequest, throughSeq: number): FoldReply => {
  const replacements: number[] = []
  const transcript: KindedLine[] = []
  const read = withLog(
    request.source,
    {
      tolerance: request.tolerance,
      throughSeq,
      onRestart: () => {
        replacements.length = 0
        transcript.length = 0
      },
      onReplacement: ({ seq, start, end, shadowedSeqs }: Replacement) => {
        replacements.push(seq, start, end, shadowedSeqs.length)
        for (const shadowed of shadowedSeqs) replacements.push(shadowed)
      },
      ...(request.withTranscript && {
        onTranscript: ({ byteOffset, byteLength }: LineRange, kind: SurfaceKind) => {
          transcript.push({ byteOffset, byteLength, kind })
        },
      }),
    },
    (log: ReadLog): FoldReply => {
      const report = reportOf(log, request.withDigest)
      const { fold } = log.outcome
      // a prefix that was not reached: the log ended, or was refused, before it
      if (throughSeq !== Infinity && fold?.isDone !== true) return beyond(log, report)
      return {
        ...folded(report, fold?.surface ?? null),
        replacements: Float64Array.from(replacements),
        transcript: lineColumns(transcript),
      }
    },
  )
  return "code" in read ? folded(faultReport(read), null) : read
}

const beyond = (log: ReadLog, report: LogReport): FoldReply => {
  const points = log.outcome.fold === null ? [] : allPoints(log.outcome.fold.requestPoints())
  return {
    is: "beyond",
    report,
    lastSeq: (report.activity?.eventCount ?? 0) - 1,
    lastRequest: points.at(-1) ?? null,
  }
}

// which request an address means shows only in the whole log: it is read twice
const requestAt = (request: FoldRequest): RequestPoint | FoldReply => {
  const { at } = request
  const read = withLog(
    request.source,
    { tolerance: request.tolerance, throughSeq: Infinity },
    (log: ReadLog): RequestPoint | FoldReply => {
      const { fold } = log.outcome
      const point =
        fold === null || at?.is !== "step" ? null : pointAt(allPoints(fold.requestPoints()), at)
      return point ?? beyond(log, reportOf(log, false))
    },
  )
  return "code" in read ? folded(faultReport(read), null) : read
}

/** Folds one log, or a prefix of it, and says where its live messages stand. */
export default (request: FoldRequest): FoldReply => {
  const { at } = request
  if (at === null) return foldThrough(request, Infinity)
  if (at.is === "seq") return foldThrough(request, at.seq)
  const point = requestAt(request)
  return "is" in point ? point : foldThrough(request, point.throughSeq)
}
