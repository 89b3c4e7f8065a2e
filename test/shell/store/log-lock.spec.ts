import { spawn } from "node:child_process"
import { readdirSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { isRight } from "fp-ts/lib/Either.js"
import { describe, expect, it } from "vitest"
import { lockLog } from "#shell/store/log-lock"
import { isGone, ownProcess } from "#shell/store/own-process"
import { leftOf, rightOf } from "../../core/surface/events.ts"
import { temporaryFolder } from "../folder.ts"

const folder = temporaryFolder()
const own = ownProcess()

/** A process that was there, and is not any more. */
const deadPid = async (): Promise<number> => {
  const child = spawn(process.execPath, ["--version"], { stdio: "ignore" })
  await new Promise((resolve) => child.once("exit", resolve))
  return child.pid ?? 0
}

describe("a claim of a log", () => {
  it("LS5: is one at a time, and the next one's after that", async () => {
    const path = folder.file("one/log", "")
    const lock = rightOf(await lockLog(path))
    const [claim = ""] = readdirSync(dirname(path)).filter((name) => name !== "log")
    expect(leftOf(await lockLog(path))).toEqual({
      code: "log-locked",
      path,
      lock: `${dirname(path)}/${claim}`,
      pid: process.pid,
      isHere: true,
    })
    lock.release()
    expect(readdirSync(dirname(path))).toEqual(["log"])
    rightOf(await lockLog(path)).release()
  })

  it("LS5: is of one log, and not of others beside it", async () => {
    const path = folder.file("beside/log", "")
    const other = rightOf(await lockLog(`${path}.lock-`))
    rightOf(await lockLog(path)).release()
    other.release()
  })

  it("LS5: is one of several that are made at once", async () => {
    const path = folder.file("race/log", "")
    for (let round = 0; round < 3; round++) {
      const locks = (await Promise.all([lockLog(path), lockLog(path), lockLog(path)])).filter(
        isRight,
      )
      expect(locks.length).toBeLessThanOrEqual(1)
      for (const lock of locks) lock.right.release()
    }
    rightOf(await lockLog(path)).release()
  })

  it("LS5: of a process that is gone counts for nothing, and is removed", async () => {
    const path = folder.file("gone/log", "")
    const pid = await deadPid()
    writeFileSync(`${path}.lock-${own.machine}-${pid}-1-000000000000`, "")
    // and of one whose number somebody else has now
    if (own.startedAt !== "")
      writeFileSync(`${path}.lock-${own.machine}-${process.pid}-1-000000000001`, "")
    rightOf(await lockLog(path)).release()
    expect(readdirSync(dirname(path))).toEqual(["log"])
  })

  it("LS5: of another machine holds, and its file is named", async () => {
    const path = folder.file("far/log", "")
    const lock = `${path}.lock-0123456789abcdef-7-1-000000000000`
    writeFileSync(lock, "")
    expect(leftOf(await lockLog(path))).toEqual({
      code: "log-locked",
      path,
      lock,
      pid: 7,
      isHere: false,
    })
    expect(readdirSync(dirname(path))).toHaveLength(2)
  })
})

describe("a process", () => {
  it("LS5: is gone once its number is nobody's, or somebody else's", async () => {
    expect(isGone(own)).toBe(false)
    expect(isGone({ ...own, pid: await deadPid() })).toBe(true)
    expect(isGone({ ...own, pid: await deadPid(), machine: "x" })).toBe(false)
    expect(isGone({ ...own, startedAt: "1" })).toBe(own.startedAt !== "")
    // of one that does not say when it began, only the number is known
    expect(isGone({ ...own, startedAt: "" })).toBe(false)
  })
})
