import { open } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { LogWriter } from "#shell/store/log-writer"
import { leftOf, rightOf } from "../../core/surface/events.ts"
import { systemError, watchedFile, watchedLock } from "./handles.ts"

const failing = (what: string, on: number, code: string) => (asked: string, count: number) => {
  if (asked === what && count === on) throw systemError(code)
}

describe("a writer of a log", () => {
  it("LS2: answers once the lines are on the disk", async () => {
    const { handle, asked, text } = watchedFile("h\n")
    const writer = new LogWriter("log", handle, 2, watchedLock())
    rightOf(await writer.append("a\n"))
    expect(asked).toEqual(["stat", "write 2", "sync"])
    expect(text()).toBe("h\na\n")
  })

  it("LS2: writes and syncs once for all that came meanwhile", async () => {
    const { handle, asked, text } = watchedFile("")
    const writer = new LogWriter("log", handle, 0, watchedLock())
    const first = [writer.append("a\n"), writer.append("b\n")]
    // the first batch is on its way now
    await Promise.resolve()
    const second = [writer.append("c\n"), writer.append("d\n"), writer.append("e\n")]
    for (const each of await Promise.all([...first, ...second])) rightOf(each)
    expect(asked).toEqual(["stat", "write 4", "sync", "stat", "write 6", "sync"])
    expect(text()).toBe("a\nb\nc\nd\ne\n")
  })

  it("LS2: goes on where the system takes a part", async () => {
    const { handle, asked, text } = watchedFile("", () => {}, 3)
    const writer = new LogWriter("log", handle, 0, watchedLock())
    rightOf(await writer.append("ä\nbcd\n"))
    expect(asked).toEqual(["stat", "write 3", "write 3", "write 1", "sync"])
    expect(text()).toBe("ä\nbcd\n")
  })

  it("LS6: takes back what was not written whole, and writes nothing behind it", async () => {
    const { handle, asked, text } = watchedFile("", failing("write", 3, "ENOSPC"), 4)
    const writer = new LogWriter("log", handle, 0, watchedLock())
    rightOf(await writer.append("abc\n"))
    expect(writer.failure).toBeNull()
    const lost = writer.append("def\nghi\n")
    await Promise.resolve()
    const behind = writer.append("jkl\n")
    const refusal = { code: "log-unwritten", path: "log", errno: "ENOSPC" }
    expect(leftOf(await lost)).toEqual(refusal)
    expect(leftOf(await behind)).toEqual(refusal)
    expect(leftOf(await writer.append("mno\n"))).toEqual(refusal)
    expect(leftOf(await writer.settled())).toEqual(refusal)
    expect(writer.failure).toEqual(refusal)
    expect(text()).toBe("abc\n")
    expect(asked.slice(3)).toEqual(["stat", "write 4", "write 4", "truncate 4", "sync"])
  })

  it("LS6: does not ask a second time whether a failed sync is well now", async () => {
    const { handle, text } = watchedFile("h\n", failing("sync", 1, "EIO"))
    const writer = new LogWriter("log", handle, 2, watchedLock())
    const refusal = { code: "log-unwritten", path: "log", errno: "EIO" }
    expect(leftOf(await writer.append("a\n"))).toEqual(refusal)
    expect(leftOf(await writer.append("a\n"))).toEqual(refusal)
    expect(text()).toBe("h\n")
  })

  it("LS6: fails alike where not even that can be taken back", async () => {
    const { handle, text } = watchedFile("", (asked) => {
      if (asked === "sync" || asked === "truncate") throw systemError("EIO")
    })
    const writer = new LogWriter("log", handle, 0, watchedLock())
    expect(leftOf(await writer.append("a\n"))).toMatchObject({ errno: "EIO" })
    expect(leftOf(await writer.append("b\n"))).toMatchObject({ errno: "EIO" })
    expect(text()).toBe("a\n")
  })

  it.runIf(process.platform === "linux")("LS6: fails on a disk that is full", async () => {
    const file = await open("/dev/full", "r+")
    const writer = new LogWriter(
      "/dev/full",
      {
        stat: () => file.stat(),
        write: (bytes, offset) => file.write(bytes, offset),
        truncate: (byteLength) => file.truncate(byteLength),
        sync: () => file.sync(),
        close: () => file.close(),
      },
      0,
      watchedLock(),
    )
    expect(leftOf(await writer.append("a\n"))).toMatchObject({ errno: "ENOSPC" })
    expect(leftOf(await writer.close())).toMatchObject({ errno: "ENOSPC" })
  })

  it("LS7: writes nothing where somebody else did", async () => {
    const { handle, text } = watchedFile("h\nx\n")
    const writer = new LogWriter("log", handle, 2, watchedLock())
    const refusal = { code: "log-changed", path: "log", expectedBytes: 2, foundBytes: 4 }
    expect(leftOf(await writer.append("a\n"))).toEqual(refusal)
    expect(leftOf(await writer.append("b\n"))).toEqual(refusal)
    expect(text()).toBe("h\nx\n")
  })

  it("LS8: is closed after all that came before", async () => {
    const { handle, asked, text } = watchedFile("")
    const lock = watchedLock()
    const writer = new LogWriter("log", handle, 0, lock)
    const done = writer.append("a\n")
    const closed = writer.close()
    expect(leftOf(await writer.append("b\n"))).toEqual({ code: "log-closed", path: "log" })
    rightOf(await done)
    expect(lock.isReleased()).toBe(false)
    rightOf(await closed)
    expect(lock.isReleased()).toBe(true)
    rightOf(await writer.close())
    expect(text()).toBe("a\n")
    expect(asked.at(-1)).toBe("close")
    expect(asked.filter((each) => each === "close")).toHaveLength(1)
  })

  it("LS8: gives the log away also where it cannot be closed", async () => {
    const { handle } = watchedFile("", failing("close", 1, "EIO"))
    const lock = watchedLock()
    const writer = new LogWriter("log", handle, 0, lock)
    expect(leftOf(await writer.close())).toMatchObject({ code: "log-unwritten", errno: "EIO" })
    expect(lock.isReleased()).toBe(true)
  })
})
