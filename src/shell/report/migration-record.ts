import type { JsonObject, JsonValue } from "../../core/data/json.ts"
import type { LineRange } from "../../core/log/line-range.ts"
import type { MigrationCause } from "../../core/format/edges/cause.ts"
import type { MigrateReply, MigrationReport } from "../../workers/task-protocol.ts"
import type { FoundLog } from "../archive/discover.ts"
import { causeText } from "./cause-text.ts"
import { faultDetail } from "./session-record.ts"

/** One reason why a log cannot be written in a later format. */
export interface CauseRecord {
  readonly code: string
  readonly class: "malformed" | "unsupported"
  readonly seq: number | null
  readonly from: number
  readonly to: number
  readonly detail: string
  readonly witness: JsonObject
}

/** How one log went to a later format: `refold.migration/1`. */
export interface MigrationRecord {
  readonly schema: "refold.migration/1"
  readonly path: string
  readonly root: string
  readonly session: string | null
  readonly project: string | null
  readonly container: string | null
  readonly from: number | null
  readonly to: number
  /** `migrated` was published, or would be; `current` has the format already, `newer` a later one. */
  readonly status:
    "migrated" | "refused" | "exists" | "current" | "newer" | "unreadable" | "unwritten"
  /** Where the new log is; null where it was only tried, or is not right. */
  readonly file: string | null
  readonly byteCount: number | null
  readonly oldEventCount: number
  readonly newEventCount: number
  readonly causes: readonly CauseRecord[]
  readonly causeCount: number
  /** Findings in the new log, by code; null where none was made. */
  readonly findingCounts: Readonly<Record<string, number>> | null
  /** Whether the messages are the same but for what the formats say. */
  readonly proof: "equal" | "different" | "not-possible" | null
  readonly messageCount: number | null
  readonly refusalCode: string | null
  readonly refusalSeq: number | null
  readonly refusalDetail: JsonObject | null
  /** Bytes after the last newline, which the new log does not have. */
  readonly tail: LineRange | null
  /** Old seqs and the new ones from there on, and events that only the new log has. */
  readonly seqMap: {
    readonly runs: readonly (readonly [oldSeq: number, newSeq: number | null])[]
    readonly inserted: readonly (readonly [newSeq: number, anchor: number | null])[]
  } | null
}

/** The numbers and names of a cause. */
export const causeWitness = (cause: MigrationCause): JsonObject => {
  const skipped = new Set(["code", "class", "seq", "from", "to"])
  const witness: Record<string, JsonValue> = {}
  for (const [key, value] of Object.entries(cause) as readonly (readonly [string, JsonValue])[])
    if (!skipped.has(key)) witness[key] = value
  return witness
}

const causeRecord = (cause: MigrationCause): CauseRecord => ({
  code: cause.code,
  class: cause.class,
  seq: cause.seq,
  from: cause.from,
  to: cause.to,
  detail: causeText(cause),
  witness: causeWitness(cause),
})

/** The code of a migration whose messages are others, which would be a fault of refold. */
export const messagesDiffer = "messages-differ"

type Refusal3 = Pick<MigrationRecord, "refusalCode" | "refusalSeq" | "refusalDetail">
const noRefusal: Refusal3 = { refusalCode: null, refusalSeq: null, refusalDetail: null }

const refusalOf = ({ causes, check, proof }: MigrationReport): Refusal3 => {
  const [cause] = causes
  if (cause !== undefined)
    return { refusalCode: cause.code, refusalSeq: cause.seq, refusalDetail: causeWitness(cause) }
  const found = check?.refusal ?? null
  if (found !== null)
    return {
      refusalCode: found.finding.code,
      refusalSeq: "seq" in found.finding ? found.finding.seq : null,
      refusalDetail: { row: found.row, byteOffset: found.byteOffset },
    }
  return proof?.is === "different"
    ? { refusalCode: messagesDiffer, refusalSeq: null, refusalDetail: { message: proof.message } }
    : noRefusal
}

/** How the migration of a log ended, and what became of the file that it went to. */
export type Migrated =
  | {
      /** Null where it was only tried. */
      readonly file: string | null
      /** `exists` where there was a file of that name already, `not-made` where it is not right. */
      readonly end: "published" | "exists" | "not-made"
      readonly reply: MigrateReply
    }
  | { readonly file: string; readonly end: "not-written"; readonly errno: string }

/** A migration that went to no file. */
export const triedOnly = (reply: MigrateReply): Migrated => ({ file: null, end: "not-made", reply })

// what has no header is refused for its first line
const firstLine: JsonObject = { row: 0, byteOffset: 0 }

/** The record of one migration. */
export const migrationRecord = (log: FoundLog, to: number, migrated: Migrated): MigrationRecord => {
  const base: MigrationRecord = {
    schema: "refold.migration/1",
    path: log.path,
    root: log.root,
    session: null,
    project: log.project,
    container: log.container,
    from: null,
    to,
    status: "unreadable",
    file: null,
    byteCount: null,
    oldEventCount: 0,
    newEventCount: 0,
    causes: [],
    causeCount: 0,
    findingCounts: null,
    proof: null,
    messageCount: null,
    ...noRefusal,
    tail: null,
    seqMap: null,
  }
  if (migrated.end === "not-written") {
    const { file, errno } = migrated
    const refusalDetail = { file, errno }
    return { ...base, status: "unwritten", refusalCode: "write-failed", refusalDetail }
  }
  const { file, end, reply } = migrated
  if (reply.is === "fault")
    return { ...base, refusalCode: reply.fault.code, refusalDetail: faultDetail(reply.fault) }
  if (reply.is === "no-log")
    return {
      ...base,
      status: reply.isLog ? "refused" : "unreadable",
      refusalCode: reply.refusal.code,
      refusalDetail: firstLine,
    }
  if (reply.is === "no-way")
    return { ...base, from: reply.from, status: reply.from === to ? "current" : "newer" }
  const { report } = reply
  const { map, check, proof } = report
  return {
    ...base,
    session: report.header.id,
    container: report.container,
    from: report.header.formatVersion,
    status: end === "exists" ? "exists" : report.isSound ? "migrated" : "refused",
    file: end === "published" ? file : null,
    byteCount: report.byteCount,
    oldEventCount: map.oldCount,
    newEventCount: map.newCount,
    causes: report.causes.map(causeRecord),
    causeCount: report.causeCount,
    findingCounts: check === null ? null : Object.fromEntries(check.counts),
    proof: proof?.is ?? null,
    messageCount: proof?.is === "equal" ? proof.messageCount : null,
    ...refusalOf(report),
    tail: report.tail,
    seqMap: {
      runs: map.runs.map(({ oldSeq, newSeq }) => [oldSeq, newSeq]),
      inserted: map.inserted.map(({ newSeq, anchor }) => [newSeq, anchor]),
    },
  }
}
