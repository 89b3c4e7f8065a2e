import type { JsonValue } from "../../core/data/json.ts"
import type { LogReport } from "../../core/fold/log-report.ts"
import type { RequestPart } from "../../core/request/blame-row.ts"
import type { RequestAt } from "../../core/request/request-at.ts"
import type { Difference, RequestDiff } from "../../core/request/request-diff.ts"
import type { RequestPlace } from "./request-record.ts"
import { requestPlace } from "./request-record.ts"

/** A value that differs; a side that has none lacks its key. */
export interface DifferenceFields {
  /** JSON Pointer within its part. */
  readonly pointer: string
  readonly before?: JsonValue
  readonly after?: JsonValue
}

/** How two requests of a log differ: `refold.diff/1`. */
export interface DiffRecord {
  readonly schema: "refold.diff/1"
  readonly session: string | null
  readonly a: RequestPlace
  readonly b: RequestPlace
  readonly isSame: boolean
  readonly part: RequestPart | null
  readonly messageIndex: number | null
  readonly difference: DifferenceFields | null
  readonly sharedMessages: number
  readonly sharedBytes: number
  readonly config: readonly DifferenceFields[]
  readonly tools: {
    readonly added: readonly string[]
    readonly removed: readonly string[]
    readonly changed: readonly string[]
  }
  readonly removedMessages: number
  readonly addedMessages: number
}

const fieldsOf = ({ pointer, before, after }: Difference): DifferenceFields => ({
  pointer,
  ...(before !== undefined && { before }),
  ...(after !== undefined && { after }),
})

export const diffRecord = (
  a: RequestAt,
  b: RequestAt,
  diff: RequestDiff,
  { header }: LogReport,
): DiffRecord => ({
  schema: "refold.diff/1",
  session: header?.id ?? null,
  a: requestPlace(a),
  b: requestPlace(b),
  isSame: diff.part === null,
  part: diff.part,
  messageIndex: diff.messageIndex,
  difference: diff.difference === null ? null : fieldsOf(diff.difference),
  sharedMessages: diff.sharedMessages,
  sharedBytes: diff.sharedBytes,
  config: diff.config.map(fieldsOf),
  tools: { added: diff.addedTools, removed: diff.removedTools, changed: diff.changedTools },
  removedMessages: diff.removedMessages,
  addedMessages: diff.addedMessages,
})
