import type { FoldedLog } from "../../core/fold/folded-log.ts"
import type { LogReport } from "../../core/fold/log-report.ts"
import type { Replacement, SurfaceTokens } from "../../core/fold/log-fold-options.ts"
import type { RefusalFields, Status, TailFields } from "./session-record.ts"
import { refusalFields, tailFields } from "./session-record.ts"

/** The fold of one log, or of a prefix: `refold.fold/1`. */
export interface FoldRecord extends RefusalFields {
  readonly schema: "refold.fold/1"
  readonly session: string | null
  readonly formatVersion: number | null
  readonly eventCount: number
  readonly nodes: readonly number[]
  readonly replacements: readonly Replacement[]
  readonly replaceGeneration: number
  readonly contentGeneration: number
  readonly messageCount: number
  readonly messagesSha256: string | null
  readonly tokens: SurfaceTokens
  readonly status: Status
  readonly tail: TailFields | null
  /** How the log ends by its own format, where it is read as one of a later format. */
  readonly native?: NativeFields
}

/** How a log ends by its own format. */
interface NativeFields extends RefusalFields {
  readonly status: Status
  readonly formatVersion: number | null
}

// flat columns, as they came from the worker: seq, start, end, count, then the shadowed seqs
const replacementsOf = (columns: Float64Array): readonly Replacement[] => {
  const replacements: Replacement[] = []
  for (let at = 0; at < columns.length;) {
    const [seq = 0, start = 0, end = 0, count = 0] = columns.subarray(at, at + 4)
    const shadowedSeqs = [...columns.subarray(at + 4, at + 4 + count)]
    replacements.push({ seq, start, end, shadowedSeqs })
    at += 4 + count
  }
  return replacements
}

export const foldRecord = (
  { report, nodes, replacements }: FoldedLog,
  native: LogReport | null = null,
): FoldRecord => ({
  schema: "refold.fold/1",
  session: report.header?.id ?? null,
  formatVersion: report.header?.formatVersion ?? null,
  eventCount: report.activity?.eventCount ?? 0,
  nodes: [...nodes.seqs],
  replacements: replacementsOf(replacements),
  replaceGeneration: report.replaceGeneration,
  contentGeneration: report.contentGeneration,
  messageCount: report.messageCount,
  messagesSha256: report.messagesSha256,
  tokens: report.tokens,
  status: report.status,
  ...refusalFields(report),
  tail: tailFields(report.tail),
  ...(native !== null && {
    native: {
      status: native.status,
      formatVersion: native.header?.formatVersion ?? null,
      ...refusalFields(native),
    },
  }),
})
