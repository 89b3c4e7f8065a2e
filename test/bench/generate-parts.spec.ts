import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { parseTask, UsageError } from "../../bench/generate/flags.ts"
import { logPath, projectDirectory, sessionDirectory } from "../../bench/generate/log-path.ts"
import { drawLength } from "../../bench/generate/log-normal.ts"
import { Prng } from "../../bench/generate/prng.ts"
import { sourceRuns } from "../../bench/generate/source-runs.ts"
import { textOf } from "../../bench/generate/text-source.ts"

describe("Prng", () => {
  it("is xoshiro128**", () => {
    const prng = new Prng("", [1, 2, 3, 4])
    const drawn = Array.from({ length: 6 }, () => prng.uint32())
    // By a second implementation of the published algorithm.
    expect(drawn).toEqual([11520, 0, 5927040, 70819200, 2031721883, 1637235492])
  })

  it("splits by name, whatever was drawn before", () => {
    const [fresh, used] = [new Prng("7"), new Prng("7")]
    used.uint32()
    expect(used.split("a").uint32()).toBe(fresh.split("a").uint32())
    expect(fresh.split("a").uint32()).not.toBe(fresh.split("b").uint32())
  })

  it("draws lengths around the median, up to the cap", () => {
    const prng = new Prng("lengths")
    const law = { median: 1500, spread: 1.2, cap: 20_000 }
    const lengths = Array.from({ length: 4001 }, () => drawLength(prng, law))
    lengths.sort((a, b) => a - b)
    expect(lengths[2000]).toBeGreaterThan(1350)
    expect(lengths[2000]).toBeLessThan(1650)
    expect(lengths[4000]).toBe(20_000)
    expect(lengths[0]).toBeGreaterThanOrEqual(1)
  })
})

describe("textOf", () => {
  it("gives whole characters and about the length asked for", () => {
    const prng = new Prng("texts")
    for (const kind of ["prose", "code", "shell", "unicode"] as const) {
      for (const units of [1, 80, 5_000, 100_000]) {
        const text = textOf(prng, kind, units)
        expect(text.length).toBeLessThan(units + 400)
        expect(Buffer.from(text).toString()).toBe(text)
      }
    }
  })
})

describe("sourceRuns", () => {
  it.each([
    [[], []],
    [[4], [4]],
    [
      [4, 5],
      [4, 5],
    ],
    [[4, 5, 6], [[4, 6]]],
    [
      [0, 2, 3, 4, 9, 11, 12, 13],
      [0, [2, 4], 9, [11, 13]],
    ],
    [
      [7, 8, 1, 2, 3],
      [7, 8, 1, 2, 3],
    ],
    [
      [1, 2, 3, 3],
      [1, 2, 3, 3],
    ],
  ])("%j is stored as %j", (seqs, stored) => {
    expect(sourceRuns(seqs)).toEqual(stored)
  })
})

describe("log paths", () => {
  it("follow the layout of the store", () => {
    expect(projectDirectory("/home/user/my project")).toBe("--home-user-my~0020project--")
    expect(projectDirectory("C:\\work\\a~b")).toBe("--C-work-a~007Eb--")
    expect(projectDirectory("/")).toBe("--root--")
    expect(projectDirectory(undefined)).toBe("_no-cwd")
    expect(sessionDirectory("..")).toBe("~002E~002E")
    expect(sessionDirectory("a/\ud800")).toBe("a~002F~D800")
    expect(logPath(0, "s", undefined)).toBe("_no-cwd/s/session.jsonl")
    expect(logPath(4, "s", "/w")).toBe("--w--/s/session.v4.jsonl")
  })
})

describe("flags", () => {
  it("have defaults", () => {
    expect(parseTask(["--out", "f", "--bytes", "2e6"])).toMatchObject({
      kind: "log",
      shape: "mixed",
      format: 0,
      seed: 1,
      bytes: 2_000_000,
    })
    expect(parseTask(["--archive", "d"])).toMatchObject({ kind: "archive", bytes: 200e3 })
  })

  it.each([
    [[], "exactly one of"],
    [["--out", "f", "--samples"], "exactly one of"],
    [["--out", "f", "--shape", "round"], "mixed, chunky, fat, uncompacted"],
    [["--out", "f", "--format", "5"], "0, 1, 2, 3, 4"],
    [["--out", "f", "--bytes", "0"], "--bytes"],
    [["--out", "f", "--bytes", "1.5"], "--bytes"],
    [["--out", "f", "--seed", "x"], "--seed"],
    [["--out", "f", "--count", "3"], "--archive"],
    [["--samples", "--seed", "3"], "no other flag"],
    [["--sample"], "--sample"],
    [["f"], "f"],
  ])("%j is wrong usage", (args, part) => {
    expect(() => parseTask(args)).toThrow(UsageError)
    expect(() => parseTask(args)).toThrow(part)
  })

  it("end the process with status 3 when wrong", () => {
    const main = fileURLToPath(new URL("../../bench/generate/main.ts", import.meta.url))
    const args = ["--import", "tsx", main, "--out", "f", "--shape", "round"]
    const run = spawnSync(process.execPath, args, { encoding: "utf8" })
    expect(run.stderr).toContain("--shape must be one of")
    expect(run.stdout).toBe("")
    expect(run.status).toBe(3)
  })
})
