import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { root } from "./cli/run.ts"
import { temporaryFolder } from "./shell/folder.ts"

const folder = temporaryFolder()
const readme = readFileSync(`${root}README.md`, "utf8")
const example = fileURLToPath(new URL("examples/projections.ts", import.meta.url))

const log = `${root}samples/--home-mira-tide~0020pool~0020~0028~03B2~0029--/tidepool-forecast/session.v4.jsonl`

/** What a loop over the lines finds. */
const countedIn = (text: string): { readonly last: number; readonly calls: object } => {
  const calls: Record<string, number> = {}
  const rows = text.split("\n").slice(1, -1)
  for (const row of rows) {
    const { type, data } = JSON.parse(row) as { type: string; data: { name: string } }
    if (type === "tool/call") calls[data.name] = (calls[data.name] ?? 0) + 1
  }
  return { last: rows.length - 1, calls }
}

describe("the README", () => {
  it("PC16: has the example as it is kept here", () => {
    const blocks = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code)
    expect(blocks).toContain(readFileSync(example, "utf8"))
  })

  it("PC16: its example runs, again from what it stored, and again over a log that grew", () => {
    const cache = folder.at("cache")
    const run = (path: string): readonly string[] =>
      execFileSync(process.execPath, ["--import", "tsx", example, path, cache], {
        cwd: root,
        encoding: "utf8",
      })
        .replaceAll(/\s+/g, " ")
        .split(/(?=as of)/)
    const text = readFileSync(log, "utf8")
    const half = text.split("\n").slice(0, 90).join("\n")
    const path = folder.file("session.v4.jsonl", `${half}\n`)
    const at = countedIn(`${half}\n`)
    const end = countedIn(text)
    expect(at.calls).not.toStrictEqual(end.calls)
    const shown = (calls: object): string =>
      JSON.stringify(calls).replaceAll('"', "").replaceAll(/[:,{]/g, "$& ").replace("}", " }")
    const [nothing, first] = run(path)
    expect(nothing).toBe("without the log: null ")
    expect(first).toContain(`as of ${at.last} ${shown(at.calls)} {`)
    folder.file("session.v4.jsonl", text)
    const [known, second] = run(path)
    expect(known).toContain(`{ asOfSeq: ${at.last}, values: { toolCalls: ${shown(at.calls)} } }`)
    expect(second).toContain(`as of ${end.last} ${shown(end.calls)} {`)
  })
})
