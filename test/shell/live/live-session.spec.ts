import { appendFileSync, readFileSync } from "node:fs"
import { setImmediate } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import type { SessionEvent } from "#core/log/envelope"
import type { EventDraft } from "#core/request/request-log"
import { appendDraft } from "#core/request/request-log"
import { snapshotEvents } from "#core/session/read"
import { LiveSession } from "#shell/live/live-session"
import { createSession } from "#shell/live/open-session"
import { LogWriter } from "#shell/store/log-writer"
import { replacing, turnStart, user } from "../../core/check/rows.ts"
import { draftOf, logText, newSession } from "../../core/session/growing.ts"
import { leftOf, rightOf } from "../../core/surface/events.ts"
import { temporaryFolder } from "../folder.ts"
import { systemError, watchedFile, watchedLock } from "../store/handles.ts"

const folder = temporaryFolder()
const textAt = (path: string): string => readFileSync(path, "utf8")
const hello: EventDraft = draftOf(user(0))
const note: EventDraft = { type: "plan/mode", data: { active: true } }

/** A session over a file in memory. */
const inMemory = (
  ...args: Parameters<typeof watchedFile>
): { readonly live: LiveSession; readonly file: ReturnType<typeof watchedFile> } => {
  const file = watchedFile(...args)
  const session = newSession()
  return {
    file,
    live: new LiveSession(session, new LogWriter("log", file.handle, 0, watchedLock())),
  }
}

/** Warnings of the process while something is done, once they are out. */
const warnings = async (act: () => void): Promise<readonly Error[]> => {
  const seen: Error[] = []
  const take = (warning: Error): void => void seen.push(warning)
  process.on("warning", take)
  act()
  await setImmediate()
  await setImmediate()
  process.off("warning", take)
  return seen
}

describe("a live session", () => {
  it("LS12: appends at once, with the time of now, and is written behind that", async () => {
    const path = folder.at("appends.jsonl")
    const live = await createSession(path, { id: "s" })
    const before = Date.now()
    const event = rightOf(live.append(hello))
    expect(event).toEqual({ ...hello, seq: 0, time: expect.any(Number) })
    expect(event.time).toBeGreaterThanOrEqual(before)
    expect(event.time).toBeLessThanOrEqual(Date.now())
    expect(snapshotEvents(live.session)).toEqual([event])
    const both = rightOf(live.appendAll([note, hello]))
    expect(both.map(({ seq }) => seq)).toEqual([1, 2])
    expect(new Set(both.map(({ time }) => time)).size).toBe(1)
    await live.flush()
    expect(textAt(path)).toBe(logText(live.session))
    await live.close()
  })

  it("LS12: is as it was, and so is its log, where an event is refused", async () => {
    const { live, file } = inMemory()
    rightOf(live.append(hello))
    const { session } = live
    expect(leftOf(live.append({ ...hello, ...replacing(7, 7, [7]) }))).toMatchObject({
      code: "source-not-earlier",
    })
    expect(leftOf(live.append({ type: "plan/mode", data: undefined }))).toMatchObject({
      code: "not-lossless",
    })
    expect(leftOf(live.appendAll([note, { type: "x/unknown", data: null }]))).toMatchObject({
      code: "event-refused",
      index: 1,
      refusal: { code: "event-type-unknown" },
    })
    expect(live.session).toBe(session)
    await live.flush()
    expect(file.text()).toBe(logText(session).split("\n").slice(1).join("\n"))
  })

  it("LS13: tells listeners of each event in order, once the session has it", () => {
    const { live } = inMemory()
    const told: string[] = []
    const tell = (name: string) => (event: SessionEvent) => {
      expect(snapshotEvents(live.session)).toContain(event)
      told.push(`${name}${event.seq}`)
    }
    live.listen(tell("a"))
    const second = live.listen(tell("b"))
    rightOf(live.append(hello))
    rightOf(live.appendAll([note, note]))
    expect(told).toEqual(["a0", "b0", "a1", "b1", "a2", "b2"])
    second[Symbol.dispose]()
    second[Symbol.dispose]()
    rightOf(live.append(note))
    expect(leftOf(live.append({ type: "x/unknown", data: null })).code).toBe("event-type-unknown")
    expect(told.slice(6)).toEqual(["a3"])
  })

  it("LS13: tells who comes or goes meanwhile from the next event on", () => {
    const { live } = inMemory()
    const told: string[] = []
    const late = (event: SessionEvent): void => void told.push(`late ${event.seq}`)
    const once = live.listen(({ seq }) => {
      told.push(`once ${seq}`)
      once[Symbol.dispose]()
      last[Symbol.dispose]()
      live.listen(late)
    })
    const last = live.listen(({ seq }) => void told.push(`last ${seq}`))
    rightOf(live.append(note))
    rightOf(live.append(note))
    expect(told).toEqual(["once 0", "last 0", "late 1"])
  })

  it("LS14: is not harmed by listeners that throw or reject, nor are the others", async () => {
    const { live, file } = inMemory()
    const told: number[] = []
    live.listen(() => {
      throw new Error("thrown")
    })
    live.listen(() => Promise.reject(new Error("rejected")))
    live.listen(({ seq }) => void told.push(seq))
    const seen = await warnings(() => {
      rightOf(live.append(note))
    })
    expect(told).toEqual([0])
    expect(seen.map(({ message }) => message)).toEqual(["thrown", "rejected"])
    rightOf(live.append(note))
    await live.flush()
    expect(file.text().split("\n")).toHaveLength(3)
    expect(live.isDurable).toBe(true)
  })

  it("LS15: takes nothing from a listener while it tells", async () => {
    const { live } = inMemory()
    const refusals: unknown[] = []
    const stop = live.listen(({ seq }) => {
      refusals.push(leftOf(live.append(note)), leftOf(live.appendAll([])))
      expect(live.session.log.surface.nextSeq).toBe(seq + 1)
    })
    rightOf(live.append(hello))
    expect(refusals).toEqual([
      { code: "append-reentrant", seq: 0 },
      { code: "append-reentrant", seq: 0 },
    ])
    stop[Symbol.dispose]()
    // and it does from what the listener began, afterwards
    const later = new Promise<void>((resolve) => {
      live.listen(({ seq }) => {
        if (seq === 1) void setImmediate().then(() => (rightOf(live.append(note)), resolve()))
      })
    })
    rightOf(live.append(note))
    await later
    expect(live.session.log.surface.nextSeq).toBe(3)
  })

  it("LS16: takes a log that grew from its own as a whole, and no other", async () => {
    const { live, file } = inMemory()
    rightOf(live.append(hello))
    const told: number[] = []
    live.listen(({ seq }) => void told.push(seq))
    const grown = rightOf(appendDraft(rightOf(appendDraft(live.session.log, note, 7)), hello, 7))
    const events = rightOf(live.take(grown))
    expect(events.map(({ seq, time }) => [seq, time])).toEqual([
      [1, 7],
      [2, 7],
    ])
    expect(told).toEqual([1, 2])
    expect(rightOf(live.take(live.session.log))).toEqual([])
    const elsewhere = rightOf(appendDraft(grown, note, 8))
    rightOf(live.append(note))
    expect(leftOf(live.take(elsewhere))).toEqual({ code: "session-diverged", seq: 4 })
    expect(leftOf(live.take(grown))).toEqual({ code: "session-diverged", seq: 4 })
    await live.flush()
    expect(file.text()).toBe(logText(live.session).split("\n").slice(1).join("\n"))
  })

  it("LS17: says that it is no longer durable, and does not grow any more", async () => {
    const { live, file } = inMemory("", (asked, count) => {
      if (asked === "write" && count === 2) throw systemError("ENOSPC")
    })
    rightOf(live.append(turnStart(0) as unknown as EventDraft))
    await live.flush()
    rightOf(live.append(hello))
    const refusal = { code: "log-unwritten", path: "log", errno: "ENOSPC" }
    await expect(live.flush()).rejects.toMatchObject({
      refusal,
      message: "log: cannot be written (ENOSPC) [log-unwritten]",
    })
    expect(live.isDurable).toBe(false)
    expect(leftOf(live.append(hello))).toEqual({ code: "session-not-durable", cause: refusal })
    expect(leftOf(live.take(live.session.log)).code).toBe("session-not-durable")
    await expect(live.close()).rejects.toMatchObject({ refusal })
    expect(file.text().split("\n")).toHaveLength(2)
  })

  it("LS17: does so, too, where somebody else wrote to its log", async () => {
    const path = folder.at("foreign.jsonl")
    const live = await createSession(path, { id: "s" })
    appendFileSync(path, "{}\n")
    const text = textAt(path)
    rightOf(live.append(hello))
    await expect(live.flush()).rejects.toMatchObject({
      refusal: { code: "log-changed", expectedBytes: text.length - 3, foundBytes: text.length },
      message: expect.stringContaining("somebody else wrote to it"),
    })
    expect(textAt(path)).toBe(text)
    await expect(live.close()).rejects.toThrow("[log-changed]")
  })

  it("LS8: waits at its end for all that happened, and takes nothing then", async () => {
    const path = folder.at("closed.jsonl")
    const live = await createSession(path, { id: "s" })
    rightOf(live.append(hello))
    const closed = live[Symbol.asyncDispose]()
    expect(leftOf(live.append(hello))).toEqual({ code: "session-closed" })
    await closed
    await live.close()
    expect(textAt(path)).toBe(logText(live.session))
  })
})
