import type { LogHeader } from "../../core/log/header.ts"
import type { ReplayedLog } from "../../workers/task-protocol.ts"
import type { WatermarkText } from "../../workers/watermark.ts"
import type { FoundLog } from "../archive/discover.ts"
import type { Known, ReplayCache } from "../store/replay-cache.ts"
import { identityNow } from "../store/replay-cache.ts"

/** Replays some logs, each from its watermark where it has one. */
export type ReplayFrom = (
  logs: readonly FoundLog[],
  watermarks: readonly (WatermarkText | null)[],
) => Promise<readonly (ReplayedLog | null)[]>

interface Asked {
  readonly log: FoundLog
  readonly identity: ReturnType<typeof identityNow>
  readonly known: Known | null
}

/**
 * Replays logs with what is known of them from before: what is unchanged is not read at all.
 *
 * @param wants  which logs are wanted, by what their header says
 */
export const replayCached = async (
  cache: ReplayCache,
  isVerified: boolean,
  logs: readonly FoundLog[],
  wants: (header: Pick<LogHeader, "id" | "createdAtMs">) => boolean,
  replay: ReplayFrom,
): Promise<readonly (ReplayedLog | null)[]> => {
  const asked = logs.map((log): Asked => {
    const identity = identityNow(log)
    const known = identity === null || isVerified ? null : cache.known(log, identity)
    return { log, identity, known }
  })
  const open = asked.filter(({ known }) => known?.is !== "same")
  const replies =
    open.length === 0
      ? []
      : await replay(
          open.map(({ log }) => log),
          open.map(({ known }) => (known?.is === "changed" ? known.watermark : null)),
        )
  const byLog = new Map(open.map(({ log }, i) => [log, replies[i] ?? null] as const))
  cache.transaction(() => {
    for (const { log, identity } of open) {
      const reply = byLog.get(log) ?? null
      const now = identityNow(log)
      const isOne =
        identity !== null && now !== null && JSON.stringify(identity) === JSON.stringify(now)
      // what failed is tried again, and what changed meanwhile is not known
      if (reply !== null && isOne && reply.report.fault === null)
        cache.keep(log, identity, reply.report, reply.watermark ?? null)
    }
  })
  return asked.map(({ log, known }) => {
    if (known?.is !== "same") return byLog.get(log) ?? null
    const { report } = known
    const isUnwanted = report.header !== null && !wants(report.header)
    return isUnwanted ? null : { report, requests: [], readBytes: 0 }
  })
}
