import type { Recovery } from "../core/check/recovery.ts"
import type { CloserTexts } from "../core/format/closers.ts"
import type { FormatVersion } from "../core/format/format.ts"
import type { ContainerFault } from "../core/fold/container-fault.ts"
import type { HeaderFigures } from "../core/fold/log-report.ts"
import type { ByteRange, OpenTurnPolicy } from "../workers/task-protocol.ts"
import type { FoundLog } from "./archive/discover.ts"
import { sourceOf } from "./archive/discover.ts"
import type { OpenFile, OutFiles } from "./archive/out-files.ts"
import { outPath } from "./archive/out-path.ts"
import type { Packed } from "./archive/with-text.ts"
import type { Pool } from "./dispatch/pool.ts"
import type { OutputRecord, RecoveryRecord } from "./report/recovery-record.ts"
import { checkedFields, faultRecovery, recoveryRecord } from "./report/recovery-record.ts"
import { faultDetail } from "./report/session-record.ts"

export interface RecoverOptions {
  /** The folder that recovered logs go to. */
  readonly out: string
  /** What becomes of a turn that the log ends in; it is kept unless told otherwise. */
  readonly openTurn?: "keep" | "cut" | "close" | undefined
  /** Texts of the results that are made for calls without one. */
  readonly texts?: CloserTexts | undefined
  readonly signal?: AbortSignal | undefined
}

/** What readers take as the result of a call whose outcome nobody knows. */
export const outcomeUnknown =
  "The session was interrupted while this tool was running. Whether it took effect is not known."

/** What a log is made of, and what was wrong with the container that it came in. */
export interface DamagedLog extends Recovery {
  readonly damage: ContainerFault | null
}

/** What the survey of a text, and the decoding that led to it, come to. */
export const damagedLog = (
  recovery: Recovery,
  packed: Packed | null,
  byteCount: number,
): DamagedLog => {
  const isTorn = packed !== null && packed.end.torn !== null
  // a frame that the file ends in is of no length in the text
  const tail = recovery.tail ?? (isTorn ? { byteOffset: byteCount, byteLength: 0 } : null)
  return { ...recovery, tail, damage: packed?.end.fault ?? null }
}

/** A file to be made, and of what. */
interface Wanted {
  readonly kind: OutputRecord["kind"]
  readonly mark: string
  readonly ranges: readonly ByteRange[]
  readonly forkedAt: number | null
}

const wantedOf = ({ header, branches, parts }: Recovery): readonly Wanted[] => {
  const first: ByteRange = {
    from: header.byteOffset,
    to: header.byteOffset + header.byteLength + 1,
  }
  const isForked = branches.length > 1
  return [
    ...branches.map(({ ranges, forkedAt }, i): Wanted => ({
      kind: isForked ? "branch" : "log",
      mark: isForked ? `.branch-${i + 1}` : "",
      ranges: [first, ...ranges],
      forkedAt: isForked && i > 0 ? forkedAt : null,
    })),
    ...parts.map(({ from, to }, i): Wanted => ({
      kind: "part",
      mark: `.part-${i + 1}`,
      ranges: [first, { from, to }],
      forkedAt: null,
    })),
  ]
}

const isWhole = ({ branches, parts, dropped, tail }: DamagedLog): boolean =>
  branches.length === 1 && parts.length === 0 && dropped.length === 0 && tail === null

/** Makes the files of one log, and publishes them once all of them are made. */
export class Recoverer {
  private readonly pool: Pool
  private readonly files: OutFiles
  private readonly log: FoundLog
  private readonly options: RecoverOptions
  private readonly signal: AbortSignal
  private readonly made: { readonly record: OutputRecord; readonly file: OpenFile }[] = []

  constructor(
    pool: Pool,
    files: OutFiles,
    log: FoundLog,
    options: RecoverOptions,
    signal: AbortSignal,
  ) {
    this.pool = pool
    this.files = files
    this.log = log
    this.options = options
    this.signal = signal
  }

  async run(text: FoundLog, header: HeaderFigures, recovery: DamagedLog): Promise<RecoveryRecord> {
    const version = header.formatVersion as FormatVersion
    const { damage } = recovery
    const base = {
      session: header.id,
      formatVersion: version,
      dropped: recovery.dropped,
      tail: recovery.tail,
      containerDamage: damage === null ? null : { code: damage.code, detail: faultDetail(damage) },
    }
    let hasOpenTurn = false
    for (const wanted of wantedOf(recovery)) {
      const done = await this.make(text, version, wanted)
      if ("code" in done) return faultRecovery(this.log, done)
      const { openTurn } = done
      hasOpenTurn ||= openTurn !== null && openTurn.done !== "kept"
      if (openTurn?.done === "text-missing")
        return recoveryRecord(this.log, {
          ...base,
          status: "refused",
          refusalCode: "not-started-text-missing",
          refusalDetail: { turn: openTurn.turn },
        })
    }
    if (isWhole(recovery) && damage === null && !hasOpenTurn)
      return recoveryRecord(this.log, { ...base, status: "whole" })
    return this.publish(base)
  }

  private publish(base: Partial<RecoveryRecord>): RecoveryRecord {
    const ends = this.made.map(({ file }) => file.publish())
    const outputs = this.made.map(({ record }, i) =>
      ends[i] === "published" ? record : { ...record, file: null },
    )
    const status = ends.includes("exists") ? "exists" : "recovered"
    return recoveryRecord(this.log, { ...base, status, outputs })
  }

  private async make(
    text: FoundLog,
    version: FormatVersion,
    { kind, mark, ranges, forkedAt }: Wanted,
  ): Promise<OutputRecord | ContainerFault> {
    const name = outPath(this.options.out, this.log, version, mark)
    const file = this.files.open(name)
    const isCut = kind !== "part" && this.options.openTurn === "cut"
    const removed = isCut ? outPath(this.options.out, this.log, version, `${mark}.removed`) : null
    const beside = removed === null ? null : this.files.open(removed)
    const reply = await this.pool.run(
      "compose-task",
      {
        source: sourceOf(text),
        formatVersion: version,
        ranges,
        descriptor: file.descriptor,
        openTurn: kind === "part" ? { is: "keep" } : this.policy(beside),
      },
      this.signal,
    )
    if (reply.is === "fault") return reply.fault
    const { check, byteCount, openTurn } = reply
    const common = { byteCount, openTurn, forkedAt, file: name }
    const record: OutputRecord =
      kind === "part"
        ? { kind, ...common, eventCount: check.eventCount, status: null, findingCounts: null }
        : { kind, ...common, ...checkedFields(check) }
    this.made.push({ record, file })
    if (beside !== null && removed !== null && openTurn?.done === "cut")
      this.made.push({
        file: beside,
        record: {
          kind: "removed",
          file: removed,
          eventCount: openTurn.events,
          byteCount: openTurn.byteCount,
          forkedAt: null,
          status: null,
          findingCounts: null,
          openTurn: null,
        },
      })
    return record
  }

  private policy(beside: OpenFile | null): OpenTurnPolicy {
    if (beside !== null) return { is: "cut", removed: beside.descriptor }
    const texts = this.options.texts ?? { notStarted: null, outcomeUnknown }
    return this.options.openTurn === "close" ? { is: "close", texts } : { is: "keep" }
  }
}
