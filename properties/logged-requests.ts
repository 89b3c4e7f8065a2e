import type { JsonObject, JsonValue } from "#core/data/json"
import type { LogFold } from "#core/fold/log-fold"
import type { LogFoldOptions } from "#core/fold/log-fold-options"
import type { FormatVersion } from "#core/format/format"
import type { SurfaceKind } from "#core/format/surface-kind"
import type { LineRange } from "#core/log/line-range"
import { deriveEventMessage } from "#core/messages/derive"
import type { Message } from "#core/messages/event-message"
import { Blame } from "#core/request/blame"
import type { BlameRow } from "#core/request/blame-row"
import { HeaderWalk } from "#core/request/logged-request"
import type { RequestAt } from "#core/request/request-at"
import { requestAt } from "#core/request/request-at"
import type { RequestPick, RequestSnapshot } from "#core/request/request-collector"
import { RequestCollector } from "#core/request/request-collector"
import { openPoint } from "#core/request/request-points"
import type { ToolUpdateOption } from "#core/request/tool-update"
import { readByLines, readByRanges } from "./memory-reading.ts"

/** How a log in memory is read: line by line, or by ranges that begin at some lines. */
export interface Carried {
  readonly version: FormatVersion
  readonly bytes: Buffer
  /** Null for line by line. */
  readonly cuts: readonly number[] | null
  readonly throughSeq?: number
}

const foldOf = (
  { version, bytes, cuts, throughSeq = Infinity }: Carried,
  also: Partial<LogFoldOptions>,
): LogFold => {
  const reading =
    cuts === null
      ? readByLines(bytes, throughSeq, also)
      : readByRanges(version, bytes, throughSeq, cuts, also)
  const fold = reading?.finish().fold
  if (fold === undefined || fold === null) throw new RangeError("the log was refused")
  return fold
}

/** Every request that is picked, put together of the log alone. */
export const requestsIn = (
  log: Carried,
  pick: RequestPick = { is: "from", index: 0, nodeRoom: Infinity },
  toolUpdateOf: (snapshot: RequestSnapshot) => ToolUpdateOption | null = () => null,
): readonly RequestAt[] => {
  const collector = new RequestCollector(pick)
  const fold = foldOf(log, { onRequest: (point, now) => collector.take(point, now) })
  const picked = collector.finish(fold)
  const payloadAt = ({ byteOffset, byteLength }: LineRange): JsonValue => {
    const text = log.bytes.toString("utf8", byteOffset, byteOffset + byteLength)
    return (JSON.parse(text) as JsonObject)["data"] ?? null
  }
  const walk = new HeaderWalk(picked.toolEvents, payloadAt)
  return picked.snapshots.map((snapshot) => {
    const { nodes, projected, throughSeq, afterSeq } = snapshot
    const rewritten = new Map(projected)
    const messages = [...nodes.seqs].flatMap((seq, i): Message[] => {
      const byteOffset = nodes.byteOffsets[i] ?? 0
      const data = payloadAt({ byteOffset, byteLength: nodes.byteLengths[i] ?? 0 })
      const kind = nodes.kinds[i] as SurfaceKind
      const message = deriveEventMessage(kind, data, rewritten.get(seq))
      return message === null ? [] : [message]
    })
    const logged = walk.through(throughSeq, afterSeq)
    return requestAt(snapshot, logged, messages, toolUpdateOf(snapshot))
  })
}

/** What broke the beginnings of the requests of a log. */
export const blamedIn = (
  log: Carried,
  option: ToolUpdateOption | null = null,
): readonly BlameRow[] => {
  const blame = new Blame(option)
  const fold = foldOf(log, {
    onRequest: (point, now) => blame.request(point, now),
    onReplacement: (replacement, kind, line) => blame.replaced(replacement, kind, line),
    onProjection: (projection) => blame.projected(projection),
    onUsage: (_seq, usage) => blame.reported(usage),
  })
  const open = openPoint(fold.requestPoints())
  if (open !== null) blame.request(open, fold)
  return blame.rows
}
