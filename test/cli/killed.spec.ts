import type { ChildProcess } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { temporaryFolder } from "../shell/folder.ts"
import { sessionLog, stepEnd, stepStart, turnEnd, turnStart, user } from "../shell/session-logs.ts"
import { ended, refold, startRefold } from "./run.ts"

const folder = temporaryFolder()

// long enough that a signal meets every part of the work
const bytes = 30e6
const filler = "m".repeat(3_000)

const bigLog = (): string => {
  const rows = [turnStart(0, 1), stepStart(1, 1, 1)]
  for (let seq = 2; seq < bytes / 3_200; seq++) rows.push(user(seq, filler))
  rows.push(stepEnd(rows.length, 1, 1))
  rows.push(turnEnd(rows.length, 1))
  return sessionLog("big", ...rows)
}

const whole = bigLog()
const source = folder.file("source/session.jsonl", `${whole}{"torn`)

const hashOf = (file: string): string =>
  createHash("sha256").update(readFileSync(file)).digest("hex")

const sourceState = (): readonly unknown[] => {
  const { ino, size, mtimeMs, mode } = statSync(source)
  return [ino, size, mtimeMs, mode, hashOf(source)]
}

const before = sourceState()

const commands = [
  ["migrate", "session.v4.jsonl"],
  ["recover", "session.jsonl"],
] as const

/** Waits until the file that is being written has so many bytes, or its command has ended. */
const grown = async (child: ChildProcess, place: string, size: number): Promise<void> => {
  const isGrown = (): boolean =>
    readdirSync(place).some((name) => {
      try {
        return statSync(`${place}/${name}`).size >= size
      } catch {
        // it has just got its name
        return true
      }
    })
  while (child.exitCode === null && child.signalCode === null && !isGrown())
    await new Promise((resolve) => setTimeout(resolve, 1))
}

const finished = async (command: string, name: string): Promise<{ hash: string; size: number }> => {
  const place = folder.folder(`${command}-whole`)
  const { status } = await refold([command, source, "--out", place])
  expect(status).toBe(0)
  expect(readdirSync(place)).toStrictEqual([name])
  const file = `${place}/${name}`
  return { hash: hashOf(file), size: statSync(file).size }
}

describe.each(commands)("refold %s", (command, name) => {
  it("C58: killed at any moment leaves its file whole or not at all, and the source as it was", async () => {
    const { hash, size } = await finished(command, name)
    if (command === "recover") expect(hash).toBe(createHash("sha256").update(whole).digest("hex"))
    const parts = [0, 1, Math.random(), Math.random(), Math.random()]
    for (const part of parts) {
      const place = folder.folder(`${command}-killed`)
      const child = startRefold([command, source, "--out", place])
      const end = ended(child)
      await grown(child, place, part * size)
      child.kill("SIGKILL")
      await end
      for (const left of readdirSync(place)) {
        if (left === name) expect(hashOf(`${place}/${left}`), `killed at ${part}`).toBe(hash)
        else expect(left, `killed at ${part}`).toMatch(/^session\.[a-z0-9.]*\.tmp$/)
      }
      // what a killed one left behind is in nobody's way
      const again = await refold([command, source, "--out", place])
      expect(again.status, `killed at ${part}`).toBe(existsAlready(again.stdout) ? 1 : 0)
      expect(hashOf(`${place}/${name}`)).toBe(hash)
      rmSync(place, { recursive: true })
    }
    expect(sourceState()).toStrictEqual(before)
  })

  it("C59: interrupted leaves nothing behind, not even a folder that it made", async () => {
    for (const [signal, status] of [
      ["SIGINT", 130],
      ["SIGTERM", 143],
    ] as const) {
      const place = folder.folder(`${command}-${signal}`)
      const child = startRefold([command, source, "--out", `${place}/new`])
      const end = ended(child)
      while (child.exitCode === null && !existsSync(`${place}/new`))
        await new Promise((resolve) => setTimeout(resolve, 1))
      child.kill(signal)
      expect((await end).status).toBe(status)
      expect(readdirSync(place)).toStrictEqual([])
    }
    expect(sourceState()).toStrictEqual(before)
  })
})

// the kill may have come behind the last step
const existsAlready = (stdout: string): boolean =>
  /there is a file|there is such a file/.test(stdout)
