import { readFileSync, readdirSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { findingCodes, layerOf } from "#core/fold/code-layer"

const page = readFileSync(new URL("../docs/CODES.md", import.meta.url), "utf8")

/** Code and layer of each row of the table. */
const documented = [...page.matchAll(/^\| `([a-z0-9-]+)` +\| ([a-z]+) +\|/gm)].map(
  ([, code, layer]) => [code, layer],
)

describe("docs/CODES.md", () => {
  it("RU28: has a row for each code, with its layer, and no other", () => {
    expect(documented).toStrictEqual(findingCodes.map((code) => [code, layerOf(code)]))
  })

  it("RU28: explains each layer", () => {
    for (const [, layer] of documented) expect(page).toContain(`- **${layer}** `)
  })

  it("RU28: has a meaning in one sentence in each row", () => {
    const rows = page.split("\n").filter((line) => line.startsWith("| `"))
    expect(rows.length).toBe(findingCodes.length)
    for (const row of rows) expect(row.split(" | ")[3]?.trim()).toMatch(/^[A-Z`][^.]*\.$/)
  })
})

describe("docs/CODES.md, of migrations", () => {
  it("RU28: explains each cause that reading and checks do not have", () => {
    const folder = new URL("../src/core/format/edges/", import.meta.url)
    const sources = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), "utf8"))
    const cause = sources.find((text) => text.includes("export type MigrationCause")) ?? ""
    const own = [...cause.matchAll(/code: "([a-z-]+)"/g)].map(([, code]) => code)
    const explained = [...page.matchAll(/^- `([a-z-]+)`: /gm)].map(([, code]) => code)
    expect(new Set(explained)).toStrictEqual(new Set(own))
  })
})

describe("test/fixtures/rules", () => {
  it("RU28: has a broken log for each rule of the format", () => {
    const numbers = new Set(
      readdirSync(new URL("fixtures/rules", import.meta.url)).flatMap((name) => {
        const number = /^R(\d\d)[a-z]\.jsonl$/.exec(name)?.[1]
        return number === undefined ? [] : [Number(number)]
      }),
    )
    // the sheet leaves numbers out between its sections
    const range = (from: number, to: number): number[] =>
      Array.from({ length: to - from + 1 }, (_, i) => from + i)
    const ruled = [...range(1, 35), ...range(40, 68), ...range(70, 78)]
    expect([...numbers].toSorted((a, b) => a - b)).toStrictEqual(ruled)
  })
})
