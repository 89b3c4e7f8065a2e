import { readFileSync, readdirSync } from "node:fs"
import { expect, it } from "vitest"
import { findingsOf } from "../fixtures/checked-log.ts"
import { describeShared } from "../shared.ts"

describeShared("the rules between events, on real logs of format 0", (shared) => {
  const root = `${shared}/archives/dsh-v0`
  const paths = readdirSync(root, { recursive: true })
    .map((path) => String(path).replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".jsonl"))

  it.each(paths)("RU1: %s", (path) => {
    const found = findingsOf(readFileSync(`${root}/${path}`, "utf8"))
    expect(found.map((f) => f.finding)).toStrictEqual([])
  })
})
