import type { SessionRecord, Status } from "../report/session-record.ts"

/** Exit statuses of all commands; of several the largest applies. */
export const exitStatus = {
  ok: 0,
  /** A refused log, a difference. */
  findings: 1,
  /** Some input could not be read. */
  unreadable: 2,
  /** Wrong usage, or a failure of refold itself. */
  failure: 3,
} as const

export type ExitStatus = (typeof exitStatus)[keyof typeof exitStatus]

const byStatus: Readonly<Record<Status, ExitStatus>> = {
  ok: exitStatus.ok,
  torn: exitStatus.ok,
  refused: exitStatus.findings,
  unreadable: exitStatus.unreadable,
}

/** The exit status that a record asks for, by a table of its statuses. */
export const statusIn = <Name extends string>(
  statuses: Readonly<Record<Name, ExitStatus>>,
  record: { readonly status: Name; readonly refusalCode: string | null },
): ExitStatus =>
  record.refusalCode === "internal-failure" ? exitStatus.failure : statuses[record.status]

/** The exit status that one log asks for. */
export const statusOf = (record: {
  readonly status: Status
  readonly refusalCode: SessionRecord["refusalCode"]
}): ExitStatus => statusIn(byStatus, record)

export const larger = (a: ExitStatus, b: ExitStatus): ExitStatus => (a > b ? a : b)
