import type { Layer, FindingCode } from "../../core/fold/code-layer.ts"
import { layerOf } from "../../core/fold/code-layer.ts"
import type { VerdictRecord } from "./check-record.ts"
import type { Status } from "./session-record.ts"

/** A cause over an archive: how often it was found, and in how many logs. */
export interface CauseSum {
  readonly code: string
  readonly layer: Layer
  readonly findings: number
  readonly logs: number
}

/** What the logs of a check add up to. */
export interface CauseSums {
  readonly logCount: number
  readonly statuses: Readonly<Record<Status, number>>
  /** The most frequent first, by logs and then by findings. */
  readonly causes: readonly CauseSum[]
}

export const noCauses: CauseSums = {
  logCount: 0,
  statuses: { ok: 0, torn: 0, refused: 0, unreadable: 0 },
  causes: [],
}

/** The sums with one more log. */
export const addVerdict = (sums: CauseSums, verdict: VerdictRecord): CauseSums => {
  const causes = new Map(sums.causes.map((cause) => [cause.code, cause] as const))
  for (const [code, count] of Object.entries(verdict.findingCounts)) {
    const known = causes.get(code)
    causes.set(code, {
      code,
      layer: layerOf(code as FindingCode),
      findings: (known?.findings ?? 0) + count,
      logs: (known?.logs ?? 0) + 1,
    })
  }
  return {
    logCount: sums.logCount + 1,
    statuses: { ...sums.statuses, [verdict.status]: sums.statuses[verdict.status] + 1 },
    causes: [...causes.values()].sort(
      (a, b) => b.logs - a.logs || b.findings - a.findings || (a.code < b.code ? -1 : 1),
    ),
  }
}
