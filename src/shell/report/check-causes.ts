import type { Layer } from "../../core/fold/code-layer.ts"
import type { FindingRecord, VerdictRecord } from "./check-record.ts"
import type { Status } from "./session-record.ts"

/** A cause over an archive: how often it was found, and in how many logs. */
interface CauseSum {
  readonly code: string
  readonly layer: Layer
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

const keyOf = (code: string, layer: Layer): string => `${code} ${layer}`

/** The sums with one more log and what was found in it. */
export const addVerdict = (
  sums: CauseSums,
  verdict: VerdictRecord,
  findings: readonly FindingRecord[],
): CauseSums => {
  // what stands against an upgrade is no finding in the log itself, though it may have its code
  const here = new Map<string, { code: string; layer: Layer; count: number }>()
  for (const { code, layer } of findings) {
    const known = here.get(keyOf(code, layer))
    if (known === undefined) here.set(keyOf(code, layer), { code, layer, count: 1 })
    else known.count++
  }
  const causes = new Map(sums.causes.map((cause) => [keyOf(cause.code, cause.layer), cause]))
  for (const [key, { code, layer, count }] of here) {
    // findings beyond those that are kept count as well
    const all = layer === "migration" ? 0 : (verdict.findingCounts[code] ?? 0)
    const known = causes.get(key)
    const findingsOf = (known?.findings ?? 0) + Math.max(count, all)
    causes.set(key, { code, layer, findings: findingsOf, logs: (known?.logs ?? 0) + 1 })
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
      (a, b) =>
        b.logs - a.logs ||
        b.findings - a.findings ||
        (keyOf(a.code, a.layer) < keyOf(b.code, b.layer) ? -1 : 1),
    ),
  }
}
