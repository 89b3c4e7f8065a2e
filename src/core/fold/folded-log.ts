import type { SurfaceKind } from "../format/surface-kind.ts"
import type { Message } from "../messages/event-message.ts"
import type { Format } from "../format/format.ts"
import type { PromptEntry } from "../presentation/prompt-history.ts"
import { PromptHistory } from "../presentation/prompt-history.ts"
import type { SurfaceDraft } from "../surface/draft.ts"
import type { AcceptedRow } from "./accepted-row.ts"
import type { LogFoldOptions, Replacement } from "./log-fold-options.ts"
import type { LineRange } from "../log/line-range.ts"
import type { LogReport } from "./log-report.ts"

/** Lines of surface events, as columns. */
export interface LineColumns {
  readonly kinds: Uint8Array
  readonly byteOffsets: Float64Array
  readonly byteLengths: Float64Array
}

/** Live nodes in surface order, as columns. */
export interface NodeColumns extends LineColumns {
  readonly seqs: Float64Array
}

/** Messages that a projection rewrote, by seq. */
export type ProjectedMessages = readonly (readonly [seq: number, message: Message])[]

/** A folded log as plain data, which crosses threads as it is. */
export interface FoldedLog {
  readonly is: "folded"
  readonly report: LogReport
  readonly nodes: NodeColumns
  /** For each replacement: seq, start, end, number of shadowed seqs, and these. */
  readonly replacements: Float64Array
  readonly projected: ProjectedMessages
  /** Events that a person saw, in log order. */
  readonly transcript: LineColumns
  /** The system prompts, in log order; empty where nobody asked. */
  readonly prompts: readonly PromptEntry[]
}

interface KindedLine extends LineRange {
  readonly kind: SurfaceKind
}

const lineColumns = (lines: readonly KindedLine[]): LineColumns => ({
  kinds: Uint8Array.from(lines, (line) => line.kind),
  byteOffsets: Float64Array.from(lines, (line) => line.byteOffset),
  byteLengths: Float64Array.from(lines, (line) => line.byteLength),
})

/** The live nodes of a surface, and where their lines stand. */
export const nodeColumns = (surface: SurfaceDraft): NodeColumns => {
  const { size } = surface
  const columns = {
    seqs: new Float64Array(size),
    kinds: new Uint8Array(size),
    byteOffsets: new Float64Array(size),
    byteLengths: new Float64Array(size),
  }
  let at = 0
  surface.eachNode(({ seq, kind, byteOffset, byteLength }) => {
    columns.seqs[at] = seq
    columns.kinds[at] = kind
    columns.byteOffsets[at] = byteOffset
    columns.byteLengths[at] = byteLength
    at++
  })
  return columns
}

/** The messages of live nodes that a projection rewrote. */
export const projectedMessages = (surface: SurfaceDraft): ProjectedMessages => {
  const projected: [number, Message][] = []
  if (!surface.isProjected) return projected
  surface.eachNode(({ seq }) => {
    const message = surface.projectedMessage(seq)
    if (message !== undefined) projected.push([seq, message])
  })
  return projected
}

/** What nothing was folded from, with the report that says why. */
export const emptyFold = (report: LogReport): FoldedLog => ({
  is: "folded",
  report,
  nodes: { ...lineColumns([]), seqs: new Float64Array() },
  replacements: new Float64Array(),
  projected: [],
  transcript: lineColumns([]),
  prompts: [],
})

/** What is asked of a fold beside the surface. */
interface Asked {
  readonly withTranscript: boolean
  /** Only a log that is taken row by row tells its prompts. */
  readonly withPrompts?: boolean
}

/** Notes what a fold tells on its way, and makes a FoldedLog of it in the end. */
export class FoldCollector {
  private replacements: number[] = []
  private transcript: KindedLine[] = []
  private prompts: PromptHistory | null = null
  private readonly asked: Asked

  constructor(asked: Asked) {
    this.asked = asked
  }

  /** What the fold is told to call. */
  callbacks(): Pick<LogFoldOptions, "onReplacement" | "onTranscript" | "onRow"> {
    return {
      onReplacement: ({ seq, start, end, shadowedSeqs }: Replacement) => {
        this.replacements.push(seq, start, end, shadowedSeqs.length)
        for (const shadowed of shadowedSeqs) this.replacements.push(shadowed)
      },
      ...(this.asked.withPrompts === true && {
        onRow: (format: Format, row: AcceptedRow) => {
          this.prompts ??= new PromptHistory(format)
          this.prompts.take(row)
        },
      }),
      ...(this.asked.withTranscript && {
        onTranscript: ({ byteOffset, byteLength }: LineRange, kind: SurfaceKind) => {
          this.transcript.push({ byteOffset, byteLength, kind })
        },
      }),
    }
  }

  /** Forgets all: the log is read once more. */
  restart(): void {
    this.replacements = []
    this.transcript = []
    this.prompts = null
  }

  folded(report: LogReport, surface: SurfaceDraft | null): FoldedLog {
    if (surface === null) return emptyFold(report)
    return {
      is: "folded",
      report,
      nodes: nodeColumns(surface),
      replacements: Float64Array.from(this.replacements),
      projected: projectedMessages(surface),
      transcript: lineColumns(this.transcript),
      prompts: this.prompts?.entries() ?? [],
    }
  }
}
