import { readdirSync, readFileSync } from "node:fs"
import { isLeft } from "fp-ts/lib/Either.js"
import { expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import { stepFold } from "#core/fold/fold"
import { headerOf } from "#core/log/header"
import { readRow } from "#core/log/row"
import { builtInUnits } from "#core/projection/builtin/built-in-units"
import { viewCheckpoint } from "#core/projection/checkpoint"
import { foldedRows, registryFold } from "#core/projection/projection-fold"
import { noUnits, registerUnits } from "#core/projection/registry"
import { describeShared } from "../shared.ts"

/** The last payload of a type, as the lines of the log hold it. */
const lastOf = (lines: readonly JsonObject[], type: string): JsonObject | null =>
  (lines.findLast((line) => line["type"] === type)?.["data"] as JsonObject | undefined) ?? null

const countOf = (lines: readonly JsonObject[], type: string): number =>
  lines.filter((line) => line["type"] === type).length

describeShared("built-in units over the real logs", (shared) => {
  const root = `${shared}/archives/dsh-v0`
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".jsonl"),
  )

  it("PR32 PR41 PR45 PR47 PR48: show what the last events say", () => {
    const registry = registerUnits(noUnits, builtInUnits)
    if (isLeft(registry)) throw new Error(registry.left.code)
    let goals = 0
    let todos = 0
    for (const file of files) {
      const text = readFileSync(`${root}/${file}`, "utf8")
      const lines = text.split("\n").filter((line) => line !== "")
      const parsed = lines.map((line) => JSON.parse(line) as JsonObject)
      const header = headerOf(parsed[0] ?? null)
      if (isLeft(header)) throw new Error(`${file}: ${header.left.code}`)
      const fold = registryFold(registry.right)
      const draft = fold.begin(header.right)
      for (const line of lines.slice(1)) {
        const row = readRow(header.right.format, line)
        if (isLeft(row)) throw new Error(`${file}: ${row.left.code}`)
        stepFold(fold, draft, row.right.facts, row.right.data)
      }
      const views = viewCheckpoint(registry.right, foldedRows(registry.right, fold.seal(draft)))
      if (isLeft(views)) throw new Error(`${file}: ${views.left.code}`)
      const { sessionTitle, goal, todo, sessionStats } = views.right as Record<string, JsonObject>
      const title = lastOf(parsed, "session/title")
      expect(sessionTitle?.["title"]).toBe(title?.["title"] ?? null)
      const change = lastOf(parsed, "goal/change")
      if (change !== null) goals++
      const current = goal?.["current"] as JsonObject | null
      expect(current?.["goal"]).toStrictEqual(change === null ? undefined : change["goal"])
      const list = lastOf(parsed, "todo/write")
      if (list !== null) todos++
      expect(todo?.["todos"]).toStrictEqual(list?.["todos"] ?? [])
      expect(sessionStats?.["steps"]).toBe(countOf(parsed, "step/end"))
    }
    expect(files.length).toBe(98)
    expect(goals).toBeGreaterThan(0)
    expect(todos).toBeGreaterThan(0)
  })
})
