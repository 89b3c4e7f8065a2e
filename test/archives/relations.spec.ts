import { readFileSync, readdirSync } from "node:fs"
import { expect, it } from "vitest"
import { findingsOf } from "../fixtures/checked-log.ts"
import { readLog } from "../fixtures/log-in-memory.ts"
import { describeShared } from "../shared.ts"

describeShared("the rules between events, on the real logs of format 0", (shared) => {
  const root = `${shared}/archives/dsh-v0`
  const paths = readdirSync(root, { recursive: true })
    .map((path) => String(path).replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".jsonl"))

  it("RU1: there are 98 of them, and nine are refused", () => {
    const refused = paths.filter(
      (path) => readLog(readFileSync(`${root}/${path}`)).status === "refused",
    )
    expect([paths.length, refused.length]).toStrictEqual([98, 9])
  })

  it.each(paths)("RU1: %s breaks none, up to where it is refused", (path) => {
    const text = readFileSync(`${root}/${path}`, "utf8")
    const { refusal } = readLog(text)
    const found = findingsOf(text).map(({ finding }) => finding)
    expect(found).toStrictEqual(refusal === null ? [] : [refusal.refusal])
  })
})
