import { mkdirSync, readFileSync, readdirSync, statSync, symlinkSync } from "node:fs"
import { dirname } from "node:path"
import { isRight } from "fp-ts/lib/Either.js"
import { describe, expect, it } from "vitest"
import { createLog, openLog } from "#shell/store/log-files"
import { leftOf, rightOf } from "../../core/surface/events.ts"
import { temporaryFolder } from "../folder.ts"

const folder = temporaryFolder()
const textAt = (path: string): string => readFileSync(path, "utf8")

describe("a new log", () => {
  it("LS1: is there whole, alone, for its owner, in folders that are made", async () => {
    const path = folder.at("new/project/session.v4.jsonl")
    const writer = rightOf(await createLog(path, "h\na\n"))
    expect(textAt(path)).toBe("h\na\n")
    expect(statSync(path).mode & 0o777).toBe(0o600)
    rightOf(await writer.append("b\n"))
    rightOf(await writer.close())
    expect(textAt(path)).toBe("h\na\nb\n")
    expect(readdirSync(dirname(path))).toEqual(["session.v4.jsonl"])
  })

  it("LS1: never takes the place of a file", async () => {
    const path = folder.file("taken/log.jsonl", "what is here")
    expect(leftOf(await createLog(path, "h\n"))).toEqual({ code: "log-exists", path })
    expect(textAt(path)).toBe("what is here")
    expect(readdirSync(dirname(path))).toEqual(["log.jsonl"])
  })

  it("LS1: is not there at all where the system refuses it", async () => {
    const file = folder.file("plain/file", "")
    const inFile = await createLog(`${file}/log.jsonl`, "h\n")
    expect(leftOf(inFile)).toMatchObject({ code: "log-unwritten" })
    const long = `${folder.folder("long")}/${"x".repeat(250)}`
    expect(leftOf(await createLog(long, "h\n"))).toEqual({
      code: "log-unwritten",
      path: long,
      errno: "ENAMETOOLONG",
    })
    expect(readdirSync(dirname(long))).toEqual([])
  })

  it("LS1: is one of several that are made at once", async () => {
    const path = folder.at("race/log.jsonl")
    const made = await Promise.all(Array.from({ length: 4 }, (_, i) => createLog(path, `${i}\n`)))
    const [winner, ...others] = made.filter(isRight)
    expect(others).toEqual([])
    if (winner === undefined) throw new RangeError("nobody made it")
    expect(textAt(path)).toBe(`${made.indexOf(winner)}\n`)
    rightOf(await winner.right.close())
    expect(readdirSync(dirname(path))).toEqual(["log.jsonl"])
  })
})

describe("a log that is opened", () => {
  it("LS4: has its torn line set aside before it is written on", async () => {
    const path = folder.file("torn/log.jsonl", 'h\n{"a":1}\n{"torn":')
    const opened = rightOf(await openLog(path))
    expect(opened.wholeBytes).toBe(10)
    expect(textAt(path)).toBe('h\n{"a":1}\n{"torn":')
    const writer = rightOf(await opened.writer())
    expect(textAt(path)).toBe('h\n{"a":1}\n')
    const aside = readdirSync(dirname(path)).filter((name) => name.includes(".torn-"))
    expect(aside).toEqual([expect.stringMatching(/^log\.jsonl\.torn-10-[0-9a-f]{12}$/)])
    expect(textAt(`${dirname(path)}/${aside[0]}`)).toBe('{"torn":')
    rightOf(await writer.append("b\n"))
    rightOf(await writer.close())
    expect(textAt(path)).toBe('h\n{"a":1}\nb\n')
  })

  it("LS4: is as it was where it is given up", async () => {
    const path = folder.file("kept/log.jsonl", "h\ntorn")
    const opened = rightOf(await openLog(path))
    await opened.release()
    expect(textAt(path)).toBe("h\ntorn")
    expect(readdirSync(dirname(path))).toEqual(["log.jsonl"])
  })

  it("LS4: has nothing set aside where no line is torn", async () => {
    const path = folder.file("whole/log.jsonl", "h\n")
    const writer = rightOf(await rightOf(await openLog(path)).writer())
    rightOf(await writer.close())
    expect(readdirSync(dirname(path))).toEqual(["log.jsonl"])
  })

  it("LS5: is one log by whatever link it is opened", async () => {
    const path = folder.file("linked/log.jsonl", "h\n")
    const link = folder.at("linked/other.jsonl")
    symlinkSync(path, link)
    const opened = rightOf(await openLog(link))
    expect(leftOf(await openLog(path))).toMatchObject({ code: "log-locked", pid: process.pid })
    await opened.release()
    await rightOf(await openLog(path)).release()
  })

  it("LS10: is refused where it cannot be read", async () => {
    const none = folder.at("none.jsonl")
    expect(leftOf(await openLog(none))).toEqual({
      code: "log-unreadable",
      path: none,
      errno: "ENOENT",
    })
    const inside = folder.at("a-folder/log.jsonl")
    mkdirSync(inside, { recursive: true })
    expect(leftOf(await openLog(inside))).toMatchObject({ code: "log-unreadable", errno: "EISDIR" })
    expect(readdirSync(dirname(inside))).toEqual(["log.jsonl"])
  })
})
