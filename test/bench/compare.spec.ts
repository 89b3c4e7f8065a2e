import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { LoadWatch } from "#shell/bench/foreign-load"
import { alternate } from "../../bench/compare/alternate.ts"
import { commitOf } from "../../bench/compare/worktree.ts"
import { BenchUsageError } from "../../bench/flags.ts"
import { foldNoDigest } from "../../bench/lib/commands.ts"
import { temporaryFolder } from "../shell/folder.ts"

const folder = temporaryFolder()
const diary = folder.file("diary", "")

/** A stand-in for the command line of a commit, which notes that it was run and with what. */
const commit = (name: string, nodes: readonly number[]) => {
  const fold = { eventCount: 5, nodes, tokens: { messages: 7 } }
  const main = folder.file(
    `${name}.mjs`,
    `import { appendFileSync } from "node:fs"
     appendFileSync(${JSON.stringify(diary)}, "${name} " + process.argv.slice(2).join(" ") + "\\n")
     console.log(${JSON.stringify(JSON.stringify(fold))})`,
  )
  return { name, main }
}

const quiet = new LoadWatch(() => null)

describe("two commits", () => {
  it("BE12: run a command over the same log in turns, the first one last in every other round", async () => {
    const commits = [commit("a", [0, 1]), commit("b", [0, 1])] as const
    const compared = await alternate(commits, foldNoDigest, "some.jsonl", 2, quiet)
    const calls = readFileSync(diary, "utf8").split("\n").slice(0, -1)
    expect(calls.map((call) => call[0]).join("")).toBe("ab" + "ba" + "ab")
    for (const call of calls) expect(call.slice(2)).toBe("fold --json --no-digest some.jsonl")
    expect(compared.command).toBe("fold --no-digest")
    expect(compared.wall.map(({ name }) => name)).toStrictEqual(["a", "b"])
    expect(Math.min(...compared.peakBytes)).toBeGreaterThan(1e6)
  })

  it("BE12: must find the same", async () => {
    const commits = [commit("a", [0, 1]), commit("b", [0])] as const
    await expect(alternate(commits, foldNoDigest, "some.jsonl", 1, quiet)).rejects.toThrow(
      "nodeCount",
    )
  })

  it("BE12: must be commits", () => {
    expect(() => commitOf("no-such-name")).toThrow(BenchUsageError)
  })
})
