import { readFileSync, readdirSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import { readMessages, snapshotEvents } from "#core/session/read"
import type { Session } from "#core/session/session"
import { createSession, forkSession, openSession } from "#shell/live/open-session"
import { asking, call, stepStart, turnStart, user } from "../../core/check/rows.ts"
import { draftOf, logText, sessionWith, typesOf } from "../../core/session/growing.ts"
import { rightOf } from "../../core/surface/events.ts"
import { checkLog } from "../../fixtures/checked-in-full.ts"
import { temporaryFolder } from "../folder.ts"

const folder = temporaryFolder()
const textAt = (path: string): string => readFileSync(path, "utf8")
const refusedWith = (refusal: object): object => ({ name: "SessionStoreError", refusal })
const closers = { notStarted: null, outcomeUnknown: "u" }

/** A session whose turn a crash left open, with a call that was started. */
const crashed = (): Session =>
  sessionWith(turnStart(0), stepStart(1), user(2), asking(3, "c"), call(4, "c"))

describe("a session that begins", () => {
  it("LS10: has its log on the disk, with the time of now", async () => {
    const path = folder.at("begins/session.v4.jsonl")
    const before = Date.now()
    const live = await createSession(path, { id: "s", cwd: "/w" })
    const header = JSON.parse(textAt(path)) as JsonObject
    expect(header).toEqual(live.session.headerRow)
    expect(header).toMatchObject({ type: "session", version: 4, id: "s", cwd: "/w" })
    expect(header["createdAt"]).toBeGreaterThanOrEqual(before)
    expect(header["createdAt"]).toBeLessThanOrEqual(Date.now())
    expect(live.path).toBe(path)
    await live.close()
  })

  it("LS10: is refused, and leaves nothing behind", async () => {
    const path = folder.at("refused/session.v4.jsonl")
    await expect(createSession(path, { id: "s", cwd: "w" })).rejects.toMatchObject({
      ...refusedWith({ code: "header-field" }),
      message: expect.stringMatching(/^header: cwd should be: .* \[header-field\]$/),
    })
    await expect(openSession(path)).rejects.toMatchObject({
      ...refusedWith({ code: "log-unreadable", path, errno: "ENOENT" }),
      message: `${path}: cannot be opened (ENOENT) [log-unreadable]`,
    })
    const taken = folder.file("taken/session.v4.jsonl", "x")
    await expect(createSession(taken, { id: "s" })).rejects.toMatchObject({
      ...refusedWith({ code: "log-exists", path: taken }),
      message: `${taken}: there is a file already [log-exists]`,
    })
  })
})

describe("a session that goes on", () => {
  it("LS11: has its open turn closed and its seed ended, on the disk", async () => {
    const stored = crashed()
    const path = folder.file("resumed/session.v4.jsonl", logText(stored))
    const live = await openSession(path, { closers })
    expect(typesOf(snapshotEvents(live.session, 5))).toEqual([
      "tool/result",
      "step/end",
      "turn/end",
      "session/end-seed",
    ])
    expect(textAt(path)).toBe(logText(live.session))
    expect(textAt(path).startsWith(logText(stored))).toBe(true)
    expect(checkLog(textAt(path)).found).toEqual([])
    expect(live.session).toMatchObject({ firstLiveSeq: 8, firstLifecycleSeq: 8 })
    await live.close()
  })

  it("LS11: has its turn open without texts, and one mark however often it is opened", async () => {
    const stored = crashed()
    const path = folder.file("open/session.v4.jsonl", logText(stored))
    for (let time = 0; time < 3; time++) {
      const live = await openSession(path)
      expect(typesOf(snapshotEvents(live.session, 5))).toEqual(["session/end-seed"])
      await live.close()
    }
  })

  it("LS4: does so from wherever its last line is torn", async () => {
    const whole = logText(crashed())
    const headerEnd = whole.indexOf("\n") + 1
    for (let end = headerEnd; end <= whole.length; end += 37) {
      const path = folder.file(`cut/${end}/session.v4.jsonl`, whole.slice(0, end))
      const live = await openSession(path)
      const kept = whole.lastIndexOf("\n", end - 1) + 1
      const [, ...events] = whole.slice(0, kept).split("\n").slice(0, -1)
      expect(live.session.firstLiveSeq).toBe(events.length)
      await live.close()
      expect(textAt(path).startsWith(whole.slice(0, kept))).toBe(true)
      expect(checkLog(textAt(path)).found).toEqual([])
      const aside = readdirSync(dirname(path)).filter((name) => name.includes(".torn-"))
      expect(aside.map((name) => textAt(`${dirname(path)}/${name}`)).join("")).toBe(
        whole.slice(kept, end),
      )
    }
  })

  const outdated = { type: "session", version: 3, id: "s", createdAt: 1, delegationDepth: 0 }
  const header = logText(sessionWith())
  it.each([
    ["", { code: "not-a-log" }],
    ["{", { code: "not-a-log" }],
    ["nothing\n", { code: "invalid-json" }],
    [`${JSON.stringify({ ...outdated, isSeeded: false })}\n`, { code: "session-outdated" }],
    [`${header}null\n`, { code: "event-refused", index: 0, refusal: { code: "row-not-object" } }],
    [
      `${header}${JSON.stringify(turnStart(0))}\n{]\n`,
      { code: "event-refused", index: 1, refusal: { code: "invalid-json" } },
    ],
    [
      Buffer.concat([Buffer.from(header), Buffer.from([0xff, 0x0a])]),
      { code: "event-refused", index: 0, refusal: { code: "invalid-utf8" } },
    ],
    [
      `${header}${JSON.stringify(turnStart(1))}\n`,
      { code: "event-refused", index: 0, refusal: { code: "seq-not-contiguous" } },
    ],
  ])(
    "LS10: is refused with a log that is none, which stays as it is: %#",
    async (text, refusal) => {
      const path = folder.at("bad.jsonl")
      writeFileSync(path, text)
      await expect(openSession(path)).rejects.toMatchObject(refusedWith(refusal))
      expect(readFileSync(path)).toEqual(Buffer.from(text))
      // and it is free again
      await expect(openSession(path)).rejects.toMatchObject(refusedWith(refusal))
    },
  )

  it("LS10: is refused where a closer has no text, and says why", async () => {
    const stored = sessionWith(turnStart(0), stepStart(1), user(2), asking(3, "c"))
    const path = folder.file("text/session.v4.jsonl", logText(stored))
    await expect(openSession(path, { closers })).rejects.toMatchObject({
      ...refusedWith({ code: "closer-text-missing", turn: 1 }),
      message:
        "turn 1 has a call that was never started, and the text that says so is not at hand [closer-text-missing]",
    })
    expect(textAt(path)).toBe(logText(stored))
  })

  it("LS10: says what is wrong in words", async () => {
    const path = folder.at("words.jsonl")
    writeFileSync(path, `${JSON.stringify({ ...outdated, isSeeded: false })}\n`)
    await expect(openSession(path)).rejects.toThrow(
      "a log of format 3 must be migrated to format 4 first [session-outdated]",
    )
    writeFileSync(path, `${header}null\n`)
    await expect(openSession(path)).rejects.toThrow(
      "event 0: the row is no JSON object [event-refused]",
    )
  })
})

describe("a session that is forked", () => {
  it("LS18: has a whole log of its own, and its parent goes on", async () => {
    const path = folder.at("parent/session.v4.jsonl")
    const live = await createSession(path, { id: "parent" })
    for (const row of [turnStart(0), stepStart(1), user(2), asking(3, "c"), call(4, "c")])
      rightOf(live.append(draftOf(row)))
    const fork = {
      draft: { id: "child" },
      inheritedEvents: 5,
      texts: { notStarted: "n", outcomeUnknown: "u" },
    }
    const childPath = folder.at("child/session.v4.jsonl")
    const child = await forkSession(live.session, childPath, fork)
    expect(textAt(childPath)).toBe(logText(child.session))
    expect(checkLog(textAt(childPath)).found).toEqual([])
    expect(child.session.headerRow).toMatchObject({ id: "child", parentSession: "parent" })
    rightOf(child.append(draftOf(turnStart(9, 2))))
    rightOf(live.append({ type: "plan/mode", data: { active: true } }))
    await Promise.all([child.close(), live.close()])
    expect(textAt(childPath)).toBe(logText(child.session))
    expect(textAt(path)).toBe(logText(live.session))
    await expect(
      forkSession(live.session, folder.at("beyond"), { ...fork, inheritedEvents: 9 }),
    ).rejects.toMatchObject(refusedWith({ code: "inherited-cut-beyond-end" }))
    expect(rightOf(readMessages(child.session))[1]).toHaveLength(3)
  })
})
