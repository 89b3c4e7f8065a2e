import { existsSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { temporaryFolder } from "../shell/folder.ts"
import { mode, sessionLog } from "../shell/session-logs.ts"
import { refold, root } from "./run.ts"

const folder = temporaryFolder()
const log = folder.file("log/session.jsonl", sessionLog("log", mode(0)))

const commands = ["replay", "fold", "messages", "transcript", "prompts", "bench"] as const

describe("help", () => {
  it("C4: --help names every command and the exit statuses, on standard output", async () => {
    const [help, bare] = await Promise.all([refold(["--help"]), refold([])])
    expect(help).toMatchObject({ status: 0, stderr: "" })
    for (const command of commands) expect(help.stdout).toMatch(new RegExp(`^  ${command} `, "m"))
    const usages = help.stdout.split("\n").filter((line) => line.startsWith("  refold "))
    // thirteen commands, and those two
    expect(usages).toHaveLength(15)
    for (const usage of usages)
      expect(usage).toMatch(/ \[--json\] \[--ndjson\] \[--color\] | --help$| --version$/)
    expect(help.stdout).toContain("Exit status: 0 all well · 1 ")
    // without a command there is nothing else to say
    expect(bare).toStrictEqual(help)
  })

  it("C4: each command tells its flags", async () => {
    const helps = await Promise.all(commands.map((command) => refold([command, "--help"])))
    const flags = {
      replay: [
        "--workers",
        "--steps",
        "--digest",
        "--project",
        "--session",
        "--since",
        "--until",
        "--tz",
        "--out",
        "--recoverable",
        "--ndjson",
      ],
      fold: ["--at", "--no-digest", "--recoverable", "--ndjson"],
      messages: ["--at", "--recoverable", "--ndjson"],
      transcript: ["--recoverable", "--ndjson"],
      prompts: ["--at", "--as", "--recoverable", "--ndjson"],
      bench: ["--size", "--json"],
    } as const
    for (const [i, command] of commands.entries()) {
      const help = helps[i]
      expect(help).toMatchObject({ status: 0, stderr: "" })
      for (const flag of [...flags[command], "--json", "--no-color"])
        expect(help?.stdout, command).toContain(flag)
    }
  })

  it("C4: --version is that of the package", async () => {
    const { version } = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as {
      readonly version: string
    }
    expect(await refold(["--version"])).toStrictEqual({
      status: 0,
      signal: null,
      stdout: `${version}\n`,
      stderr: "",
    })
  })
})

interface Wrong {
  readonly args: readonly string[]
  readonly says: string
}

const wrong: Readonly<Record<string, Wrong>> = {
  "a command that is none": { args: ["repaly", log], says: "did you mean `replay`?" },
  "a command of later": { args: ["serve"], says: "`serve`" },
  "a flag that is none": {
    args: ["replay", "--workrs", "2", log],
    says: "--workrs, did you mean --workers?",
  },
  "a flag of another command": { args: ["transcript", "--at", "1", log], says: "--at" },
  "no path": { args: ["replay"], says: "path" },
  "no log": { args: ["fold"], says: "log" },
  "two logs": { args: ["fold", log, log], says: log },
  "no value": { args: ["fold", log, "--at"], says: "at" },
  "no worker": {
    args: ["replay", "--workers", "0", log],
    says: 'refold: --workers: "0" is no number of at least 1\n',
  },
  "a choice that is none": {
    args: ["recover", "--out", "x", "--open-turn", "keap", log],
    says: 'refold: --open-turn: "keap" is none of keep, cut, close\n',
  },
  "a flag where a command should be": {
    args: ["-x"],
    says: "refold: No command registered for `-x`\n",
  },
  "a word that writes on the terminal": { args: ["\u001b[31m"], says: "`\\u001b[31m`" },
  "two forms": {
    args: ["replay", "--json", "--ndjson", log],
    says: "--json and --ndjson exclude each other",
  },
  "two forms of a fold": { args: ["fold", "--json", "--ndjson", log], says: "exclude" },
  "no address": { args: ["fold", "--at", "2.x", log], says: '"2.x" is no address' },
  "no day": { args: ["replay", "--since", "2026-02-30", log], says: '"2026-02-30" is no date' },
}

describe("wrong usage", () => {
  it.concurrent.each(Object.entries(wrong))(
    "C5: %s is told on standard error, with status 3",
    async (_, { args, says }) => {
      const { status, stdout, stderr } = await refold(args)
      expect({ status, stdout }).toStrictEqual({ status: 3, stdout: "" })
      expect(stderr).toContain(says)
      expect(stderr).toMatch(/^refold: /)
      // a line for people, not the place in our code
      expect(stderr).not.toMatch(/^\s+at /m)
    },
  )

  it("C6: --out takes .ndjson alone, and others are refused before anything is read", async () => {
    const names = ["all.parquet", "all"]
    const runs = await Promise.all(
      names.map((name) =>
        refold(["replay", "--ndjson", "--out", folder.at(name), folder.at("missing")]),
      ),
    )
    for (const [i, run] of runs.entries()) {
      expect(run).toMatchObject({ status: 3, stdout: "" })
      expect(run.stderr).toContain(".ndjson")
      expect(existsSync(folder.at(names[i] ?? ""))).toBe(false)
    }
  })
})
