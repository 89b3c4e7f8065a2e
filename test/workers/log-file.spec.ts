import {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { describe, expect, it } from "vitest"
import { LogChangedError } from "#shell/border"
import { discoverFile } from "#shell/archive/discover"
import { lineSource } from "#shell/archive/line-source"
import { withFold } from "#shell/one-log"
import { closeLog, openLog } from "#workers/log-file"
import type { ReadLog } from "#workers/read-log"
import { reportOf, withLog } from "#workers/read-log"
import type { LogSource } from "#workers/task-protocol"
import { temporaryFolder } from "../shell/folder.ts"
import { ended, startRefold } from "../cli/run.ts"
import { longLog, mode, sessionLog, user } from "../shell/session-logs.ts"

const folder = temporaryFolder()

const sourceOf = (path: string): LogSource => ({ path, descriptor: null, namedVersion: null })

/** How opening ends: ok, or the code of the fault. */
const opening = (source: LogSource): string => {
  const log = openLog(source)
  if ("code" in log) return log.code
  closeLog(log)
  return "ok"
}

describe("opening a log", () => {
  it("A8: what is no regular file is refused without waiting for it", () => {
    const fifo = folder.fifo("session.jsonl")
    expect(opening(sourceOf(fifo))).toBe("not-a-file")
    expect(opening(sourceOf(folder.path))).toBe("not-a-file")
    expect(opening(sourceOf("/dev/null"))).toBe("not-a-file")
  })

  it("A9: what went away since the walk is not found", () => {
    expect(openLog(sourceOf(folder.at("gone")))).toStrictEqual({
      code: "not-found",
      errno: "ENOENT",
    })
    symlinkSync("loop", folder.at("loop"))
    expect(openLog(sourceOf(folder.at("loop")))).toStrictEqual({
      code: "read-failed",
      errno: "ELOOP",
    })
  })

  it("A11: a container is known by its first bytes, whatever the name", () => {
    const starts = {
      zstd: Buffer.from("28b52ffd0001", "hex"),
      gzip: Buffer.from("1f8b0800", "hex"),
      zip: Buffer.from("504b0304", "hex"),
      sqlite: Buffer.from("SQLite format 3\0"),
    }
    for (const [name, start] of Object.entries(starts)) {
      expect(opening(sourceOf(folder.file(name, start))), name).toBe("container-unsupported")
      // one byte short, it is no such container yet
      expect(opening(sourceOf(folder.file("part", start.subarray(0, 1)))), name).toBe("ok")
    }
    for (const text of ["", "P", '{"type":"session"'])
      expect(opening(sourceOf(folder.file("text", text)))).toBe("ok")
  })

  it("A17: a descriptor that is handed in stays open", () => {
    const path = folder.file("handed", sessionLog("s", mode(0)))
    const descriptor = openSync(path, "r")
    for (let round = 0; round < 2; round++) {
      const read = withLog(
        { path: "-", descriptor, namedVersion: null },
        { tolerance: "default", carrier: "columns", throughSeq: Infinity },
        (log) => reportOf(log, true),
      )
      expect(read).toMatchObject({ status: "ok", activity: { eventCount: 1 } })
    }
    closeSync(descriptor)
  })
})

const changes: Readonly<Record<string, (path: string) => void>> = {
  "grows by a row": (path) => appendFileSync(path, `${JSON.stringify(mode(2))}\n`),
  "is cut": (path) => truncateSync(path, 10),
  "is emptied": (path) => truncateSync(path, 0),
  "is written anew": (path) => writeFileSync(path, sessionLog("s", mode(0), user(1, "HELLO"))),
  "is renamed": (path) => renameSync(path, `${path}.renamed`),
  "is removed": (path) => rmSync(path),
  "is replaced": (path) => {
    writeFileSync(`${path}.new`, sessionLog("s", mode(0), user(1, "hello")))
    renameSync(`${path}.new`, path)
  },
  "is replaced by its twin": (path) => {
    writeFileSync(`${path}.new`, readFileSync(path))
    utimesSync(`${path}.new`, 1, 1)
    renameSync(`${path}.new`, path)
  },
}

/** A log whose last change lies back, so that any new one shows. */
const settledLog = (name: string): string => {
  const path = folder.file(name, sessionLog("s", mode(0), user(1, "hello")))
  utimesSync(path, 1, 1)
  return path
}

const whole = { tolerance: "default", carrier: "columns", throughSeq: Infinity } as const
const changed = {
  is: "fault",
  fault: { code: "changed-while-reading", errno: null },
} as const

describe("a log that changes", () => {
  it.each(Object.entries(changes))("A18: that %s after its last line was read", (_, change) => {
    const path = settledLog("after.jsonl")
    const read = withLog(sourceOf(path), whole, (log) => {
      const report = reportOf(log, true)
      change(path)
      return report
    })
    expect(read).toStrictEqual(changed)
  })

  it.each(Object.entries(changes))(
    "A18: that %s before its live lines are read again",
    (_, change) => {
      const path = settledLog("again.jsonl")
      const read = withLog(sourceOf(path), whole, (log) => {
        change(path)
        return reportOf(log, true)
      })
      expect(read).toStrictEqual(changed)
    },
  )

  it.each(Object.entries(changes))("A18: that %s before its header is read", (_, change) => {
    const path = settledLog("header.jsonl")
    const wants = (): boolean => {
      change(path)
      return true
    }
    const read = withLog(sourceOf(path), { ...whole, wants }, (log: ReadLog) => log.outcome.status)
    expect(read).toStrictEqual(changed)
  })

  it("A18: of one that grows no byte is read beyond its length at the start", () => {
    const path = settledLog("growing.jsonl")
    let eventCount = -1
    const wants = (): boolean => {
      appendFileSync(path, `${JSON.stringify(mode(2))}\n`.repeat(2))
      return true
    }
    withLog(sourceOf(path), { ...whole, wants }, (log) => {
      eventCount = reportOf(log, false).activity?.eventCount ?? -1
    })
    expect(eventCount).toBe(2)
  })

  it("A18: a defect of ours is no change, and comes through", () => {
    const path = settledLog("defect.jsonl")
    expect(() =>
      withLog(sourceOf(path), whole, () => {
        throw new TypeError("ours")
      }),
    ).toThrow("ours")
  })

  it.each(Object.entries(changes))(
    "A19: that %s shows to who reads its lines later",
    (_, change) => {
      const path = settledLog("lines.jsonl")
      const lines = lineSource(path, null)
      if ("code" in lines) throw new Error(lines.code)
      expect(lines.isChanged()).toBe(false)
      change(path)
      expect(lines.isChanged()).toBe(true)
      lines.close()
    },
  )

  const withMessages = async (path: string, between: () => void): Promise<number> =>
    await withFold(discoverFile(path), {}, ({ messages }) => {
      between()
      return [...messages()].length
    })

  it("A19: between its fold and its messages is an error of its own", async () => {
    const path = settledLog("messages.jsonl")
    expect(await withMessages(path, () => {})).toBe(1)
    for (const change of ["is cut", "is written anew"] as const)
      await expect(
        withMessages(settledLog("messages.jsonl"), () => changes[change]?.(path)),
      ).rejects.toThrow(LogChangedError)
  })
})

describe("a log that changes while its messages are printed", () => {
  it("A19: is named, with status 2", async () => {
    // longer than a pipe: the command cannot be done before somebody reads
    const path = folder.file("printed.jsonl", longLog("printed", 2000, 1000))
    const child = startRefold(["messages", "--ndjson", path])
    await new Promise<void>((resolve) => {
      child.stdout?.once("readable", () => resolve())
    })
    truncateSync(path, 1000)
    const { status, stderr } = await ended(child)
    expect({ status, stderr }).toStrictEqual({
      status: 2,
      stderr: `refold: ${path}: unreadable: the file was changed while it was read [changed-while-reading]\n`,
    })
  })
})
