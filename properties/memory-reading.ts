import type { LogFoldOptions, Replacement } from "#core/fold/log-fold-options"
import type { RequestFigures } from "#core/fold/request-figures"
import { requestFigures } from "#core/fold/request-figures"
import type { LineRange } from "#core/log/line-range"
import type { LogOutcome } from "#core/fold/log-reading"
import { LogReading } from "#core/fold/log-reading"
import { outcomeReport } from "#core/fold/log-report"
import type { FormatVersion } from "#core/format/format"
import { builtInProjections } from "#core/surface/image-offload"
import { bytesOf, lineStarts, scanRanges, textIn } from "../test/core/columns/scanning.ts"
import type { Body } from "./arbitraries/lines.ts"
import { somePrices } from "./model/naive-costs.ts"

/** A reading of a log that stands in memory, and all that it said on its way. */
export class MemoryReading {
  readonly reading: LogReading
  readonly replacements: Replacement[] = []
  readonly transcript: (readonly number[])[] = []
  readonly requests: RequestFigures[] = []
  readonly others: (readonly unknown[])[] = []
  /** How often a line was asked for a second time. */
  readAgain = 0
  private readonly bytes: Buffer

  constructor(bytes: Buffer, throughSeq: number, also: Partial<LogFoldOptions> = {}) {
    this.bytes = bytes
    this.reading = new LogReading({
      projections: builtInProjections,
      prices: somePrices,
      throughSeq,
      tolerance: "default",
      namedVersion: null,
      lineAt: ({ byteOffset, byteLength }: LineRange) => {
        this.readAgain++
        return bytes.toString("utf8", byteOffset, byteOffset + byteLength)
      },
      onReplacement: (replacement) => this.replacements.push(replacement),
      onRequest: (point, fold) => this.requests.push(requestFigures(point, fold)),
      onProjection: ({ seq, type, targets }) => this.others.push([seq, type, targets]),
      onUsage: (seq, usage) => this.others.push([seq, usage]),
      onTranscript: ({ byteOffset, byteLength }, kind) =>
        this.transcript.push([byteOffset, byteLength, kind]),
      ...also,
    })
  }

  line(from: number, to: number): boolean {
    const text = textIn(this.bytes, from, to)
    return this.reading.line(text, { byteOffset: from, byteLength: to - from })
  }

  /** Ends the reading. */
  finish(): LogOutcome {
    const end = lineStarts(this.bytes).at(-1) ?? 0
    return this.reading.finish({ byteOffset: end, byteLength: this.bytes.length - end })
  }

  said(): object {
    const outcome = this.finish()
    const { fold } = outcome
    return {
      report: outcomeReport(outcome, this.bytes.length, null),
      // digests are made by the scanner alone
      nodes: fold?.surface.nodes().map((node) => ({ ...node, digest: 0 })),
      surface: fold === null ? null : { ...fold.surface.seal(), entries: null },
      projected: fold?.surface.nodes().map(({ seq }) => fold.surface.projectedMessage(seq)),
      counts: fold?.counts(),
      replacements: this.replacements,
      transcript: this.transcript,
      requests: this.requests,
      points: fold?.requestPoints(),
      toolEvents: fold?.toolEvents,
      others: this.others,
    }
  }
}

/** The bytes of a log, and what follows its last newline. */
export const logOf = ({ header, lines }: Body, tail: string): Buffer =>
  Buffer.concat([bytesOf([JSON.stringify(header), ...lines]), Buffer.from(tail)])

/** Reads by the parser, line by line. */
export const readByLines = (
  bytes: Buffer,
  throughSeq: number,
  also: Partial<LogFoldOptions> = {},
): MemoryReading => {
  const all = new MemoryReading(bytes, throughSeq, also)
  const starts = lineStarts(bytes)
  for (const [i, to] of starts.slice(1).entries()) if (!all.line(starts[i] ?? 0, to - 1)) break
  return all
}

/** Reads by the ranges of one scanner; null where one was refused. */
export const readByRanges = (
  version: FormatVersion,
  bytes: Buffer,
  throughSeq: number,
  each: readonly number[],
  also: Partial<LogFoldOptions> = {},
): MemoryReading | null => {
  const all = new MemoryReading(bytes, throughSeq, also)
  const [, body = 0] = lineStarts(bytes)
  all.line(0, body - 1)
  let isRefused = false
  scanRanges(version, bytes.subarray(body, lineStarts(bytes).at(-1)), {
    isFast: true,
    withRequests: true,
    throughSeq,
    cuts: each,
    byteOffset: body,
    onRange: (scan) => {
      isRefused = !all.reading.range(scan)
      return !isRefused
    },
  })
  return isRefused ? null : all
}
