import type { Layer } from "../../core/fold/code-layer.ts"
import type { FindingRecord, VerdictRecord } from "./check-record.ts"
import type { Status } from "./session-record.ts"

/** A cause over an archive: how often it was found, and in how many logs. */
interface CauseSum {
  readonly code: string
  readonly layer: Layer
  /** The later format that it stands against; null for what the own formats of logs find. */
  readonly as: number | null
  readonly findings: number
  readonly logs: number
}

/** What the logs of a check add up to. */
export interface CauseSums {
  readonly logCount: number
  readonly statuses: Readonly<Record<Status, number>>
  /** How many logs would come to the later format that was asked for, and how. */
  readonly upgrades: ReadonlyMap<string, number>
  /** The most frequent first, by logs and then by findings. */
  readonly causes: readonly CauseSum[]
}

export const noCauses: CauseSums = {
  logCount: 0,
  statuses: { ok: 0, torn: 0, refused: 0, unreadable: 0 },
  upgrades: new Map(),
  causes: [],
}

const keyOf = ({ code, layer, as }: Pick<CauseSum, "code" | "layer" | "as">): string =>
  `${code} ${layer} ${as ?? ""}`

/** The sums with one more log and what was found in it. */
export const addVerdict = (
  sums: CauseSums,
  verdict: VerdictRecord,
  findings: readonly FindingRecord[],
): CauseSums => {
  const here = new Map<string, CauseSum>()
  for (const { code, layer, as: read } of findings) {
    // what stands against an upgrade is no finding in the log itself, though it may have its code
    const cause = { code, layer, as: read === verdict.formatVersion ? null : read }
    const known = here.get(keyOf(cause))
    here.set(keyOf(cause), { ...cause, findings: (known?.findings ?? 0) + 1, logs: 1 })
  }
  const causes = new Map(sums.causes.map((cause) => [keyOf(cause), cause]))
  for (const [key, cause] of here) {
    // findings beyond those that are kept count as well
    const all = cause.as === null ? (verdict.findingCounts[cause.code] ?? 0) : 0
    const known = causes.get(key)
    causes.set(key, {
      ...cause,
      findings: (known?.findings ?? 0) + Math.max(cause.findings, all),
      logs: (known?.logs ?? 0) + 1,
    })
  }
  const upgrades = new Map(sums.upgrades)
  if (verdict.upgrade !== null) {
    const { status } = verdict.upgrade
    upgrades.set(status, (upgrades.get(status) ?? 0) + 1)
  }
  return {
    logCount: sums.logCount + 1,
    statuses: { ...sums.statuses, [verdict.status]: sums.statuses[verdict.status] + 1 },
    upgrades,
    causes: [...causes.values()].sort(
      (a, b) => b.logs - a.logs || b.findings - a.findings || (keyOf(a) < keyOf(b) ? -1 : 1),
    ),
  }
}
