import { describe, expect, it } from "vitest"
import { discoverFile } from "#shell/archive/discover"
import type { MigrationRecord } from "#shell/report/migration-record"
import { migrationText } from "#shell/report/migration-text"
import { recoveryRecord } from "#shell/report/recovery-record"
import { recoveryText } from "#shell/report/recovery-text"
import { migrate } from "#shell/migrate"
import { headerIn, logUnder } from "../../fixtures/log-in-memory.ts"
import { temporaryFolder } from "../folder.ts"

const folder = temporaryFolder()

const recordOf = async (path: string): Promise<MigrationRecord> => {
  for await (const record of migrate(path, {})) return record
  throw new Error("no record")
}

describe("places in the text of migrations and recoveries", () => {
  it("C9: a log that is refused for a row names the seq or the row beside the code", async () => {
    const header = { ...headerIn(0), delegationDepth: "x" }
    const refused = await recordOf(folder.file("header.jsonl", logUnder(header)))
    expect(migrationText(refused)).toMatch(
      /header\.jsonl: refused: header-field at row 0 \(byte 0\)\n/,
    )
    const byCheck: MigrationRecord = { ...refused, refusalCode: "source-missing", refusalSeq: 7 }
    expect(migrationText(byCheck)).toMatch(/: refused: source-missing at seq 7\n/)
    const none = await recordOf(folder.file("none.jsonl", "hello\n"))
    expect(migrationText(none)).toMatch(/none\.jsonl: unreadable: not-a-log at row 0 \(byte 0\)\n/)
    const missing = await recordOf(folder.at("missing.jsonl"))
    expect(migrationText(missing)).toMatch(/missing\.jsonl: unreadable: not-found\n/)
  })

  it("C9: a recovery names the row of what is no log", () => {
    const refused = recoveryRecord(discoverFile("x"), {
      refusalCode: "not-a-log",
      refusalDetail: { row: 0, byteOffset: 0 },
    })
    expect(recoveryText(refused, (line) => line)).toBe(
      "x: unreadable: not-a-log at row 0 (byte 0)\n",
    )
  })
})
