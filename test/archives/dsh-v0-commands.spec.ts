import { readdirSync } from "node:fs"
import { expect, it } from "vitest"
import type { FindingRecord, VerdictRecord } from "#shell/report/check-record"
import type { MigrationRecord } from "#shell/report/migration-record"
import { recordsIn, refold } from "../cli/run.ts"
import { temporaryFolder } from "../shell/folder.ts"
import { describeShared } from "../shared.ts"

const folder = temporaryFolder()

type Row = FindingRecord | VerdictRecord

const isFinding = (row: Row): row is FindingRecord => row.schema === "refold.finding/1"

// what stands against the real logs: they speak before any step has begun (which the second edge
// cannot carry on), name their tools, cite what is to come, or have a message outside of any step
const standing = {
  "advanced-session-1-beda6f86": ["payload-shape 8"],
  "advanced-session-2-3929ec9e": ["payload-shape 8"],
  "approval-composer-session-652699df": ["surface-before-step 6"],
  "code-mode-round-session-6df96492": ["surface-before-step 1"],
  "cordis-tool-round-session-3f98ff9b": [
    "surface-before-step 1",
    ...[11, 13, 22, 24, 33, 35, 44].map((seq) => `source-not-earlier ${seq}`),
  ],
  "descriptorless-child-parent-expected-f0c26c6f": ["surface-before-step 1"],
  "feedback-command-session-8e3547bf": ["surface-before-step 1"],
  "fresh-round-trip-session-1694d4a0": ["surface-before-step 1"],
  "lifecycle-chrome-session-a7555611": ["surface-before-step 1"],
  "live-interactions-session-6ee8f0a6": ["surface-before-step 1"],
  "message-feedback-protocol-session-14007b42": ["surface-before-step 1"],
  "offline-edit-session-expected-51f34d58": ["surface-before-step 1", "surface-before-step 2"],
  "parent-override-child-replay-a0cba14b": ["surface-before-step 1"],
  "parent-override-parent-expected-83b77df6": ["surface-before-step 1"],
  "permission-policy-context-session-7bc02108": [
    "surface-before-step 6",
    "surface-before-step 8",
    "surface-before-step 9",
  ],
  "plan-review-session-cbda6f1a": ["surface-before-step 4"],
  "precedence-change-session-expected-7006e0f5": ["surface-before-step 1", "surface-before-step 2"],
  "question-composer-session-3d8d6605": ["surface-before-step 1"],
  "ralph-loop-session-2-c0641811": ["step-mismatch 0"],
  "seeded-history-seed-d77c33b3": ["surface-before-step 1"],
  "steering-session-ef340e95": ["surface-before-step 1"],
  "subagent-settlement-child-replay-d0849b7c": ["step-mismatch 0"],
  "tool-outcome-unknown-session-expected-181ae00f": ["surface-before-step 1"],
  "turn-tail-actions-session-788e62b2": ["surface-before-step 4", "surface-before-step 6"],
  "web-search-round-session-6e9ff09c": ["surface-before-step 0"],
}

describeShared("the check of the archive of real logs", (shared) => {
  /** The logs that are refused after the upgrade, with what stands against each of them. */
  const causesOf = (rows: readonly Row[]): ReadonlyMap<string, readonly string[]> => {
    const causes = new Map<string, string[]>()
    let found: string[] = []
    for (const row of rows) {
      if (isFinding(row)) {
        if (row.as === 4) found.push(`${row.code} ${row.seq ?? "-"}`)
        continue
      }
      if (row.upgrade?.status === "refused") causes.set(row.path.split("/").at(-2) ?? "", found)
      found = []
    }
    return causes
  }

  it("C44: 89 are well and 9 refused; after the upgrade 73 accepted and 25 refused", async () => {
    const run = await refold(["check", "--ndjson", "--as", "4", `${shared}/archives/dsh-v0`])
    expect(run.status).toBe(1)
    const rows = recordsIn<Row>(run.stdout)
    const verdicts = rows.filter((row) => !isFinding(row))
    const count = (of: (verdict: VerdictRecord) => string | undefined): object => {
      const counts: Record<string, number> = {}
      for (const verdict of verdicts) {
        const name = of(verdict) ?? "none"
        counts[name] = (counts[name] ?? 0) + 1
      }
      return counts
    }
    expect(count(({ status }) => status)).toStrictEqual({ ok: 89, refused: 9 })
    expect(count(({ upgrade }) => upgrade?.status)).toStrictEqual({ accepted: 73, refused: 25 })
    expect(count(({ upgrade }) => upgrade?.proof ?? undefined)).toStrictEqual({
      equal: 73,
      none: 25,
    })
    expect(Object.fromEntries(causesOf(rows))).toStrictEqual(standing)
  })
})

describeShared("the real logs as ones of format 4", (shared) => {
  it("C57: 75 are carried on, 73 of them soundly: the same messages, and nothing is found", async () => {
    const out = folder.folder("out")
    const archive = `${shared}/archives/dsh-v0`
    const run = await refold(["migrate", "--ndjson", archive, "--out", out])
    expect(run.status).toBe(1)
    const records = recordsIn<MigrationRecord>(run.stdout)
    const done = records.filter(({ status }) => status === "migrated")
    expect([records.length, done.length]).toStrictEqual([98, 73])
    for (const record of done)
      expect(record, record.path).toMatchObject({ proof: "equal", findingCounts: {} })
    expect(records.filter(({ causeCount }) => causeCount > 0)).toHaveLength(23)
    const files = readdirSync(out, { recursive: true }).map((name) => String(name))
    expect(files.filter((name) => name.endsWith(".jsonl")).toSorted()).toStrictEqual(
      done.map(({ path }) => path.replace("session.jsonl", "session.v4.jsonl")),
    )
    const checked = await refold(["check", "--ndjson", out])
    const rows = recordsIn<Row>(checked.stdout)
    expect([checked.status, rows.length]).toStrictEqual([0, 73])
    for (const row of rows) expect(row).toMatchObject({ status: "ok", formatVersion: 4 })
  })
})
