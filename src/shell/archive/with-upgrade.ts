import type { FormatVersion } from "../../core/format/format.ts"
import type { LogReport } from "../../core/fold/log-report.ts"
import { faultReport } from "../../core/fold/log-report.ts"
import type { UpgradeReply } from "../../workers/task-protocol.ts"
import { childrenOf } from "../dispatch/children.ts"
import type { Pool } from "../dispatch/pool.ts"
import type { FoundLog } from "./discover.ts"
import { sourceOf } from "./discover.ts"

const refusedReport = (
  reply: UpgradeReply & { readonly is: "refused" },
  to: FormatVersion,
): LogReport => {
  const { cause, causeCount, from } = reply
  const refusal = {
    code: "upgrade-refused",
    seq: cause.seq,
    cause: cause.code,
    from,
    to,
    causeCount,
  } as const
  return {
    ...faultReport({ code: "internal-failure", errno: null }),
    fault: null,
    status: "refused",
    refusal: { refusal, row: 0, byteOffset: 0 },
  }
}

/**
 * Hands a log to `use` as it is after the upgrade to a format, where one was asked for.
 *
 * shape   with a report instead for a log that cannot be upgraded; a log of the format, or of a later
 *         one, stays as it is
 */
export const withUpgrade = async <A>(
  pool: Pool,
  log: FoundLog,
  to: FormatVersion | undefined,
  signal: AbortSignal,
  use: (log: FoundLog, refused: LogReport | null) => Promise<A>,
): Promise<A> => {
  if (to === undefined || log.fault !== null) return await use(log, null)
  const children = await childrenOf(pool, [log], to, signal)
  return await pool.withScratch(async ({ descriptor }) => {
    const request = { source: sourceOf(log), to, children: children(log), descriptor }
    const reply = await pool.run("upgrade-task", request, signal)
    if (reply.is === "fault") return await use({ ...log, fault: reply.fault }, null)
    if (reply.is === "no-way") return await use(log, null)
    if (reply.is === "refused") return await use(log, refusedReport(reply, to))
    const { byteCount } = reply
    const name = log.name === null ? null : { ...log.name, version: to }
    return await use({ ...log, descriptor, byteCount, name, isDecoded: true }, null)
  })
}
