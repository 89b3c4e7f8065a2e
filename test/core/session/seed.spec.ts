import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import { newestVersion } from "#core/format/catalog"
import type { SessionEvent } from "#core/log/envelope"
import { appendEvent } from "#core/session/append"
import { eventAt, readSurface, snapshotEvents } from "#core/session/read"
import type { SessionRefusal } from "#core/session/refusal"
import { restoreSession, resumeSession } from "#core/session/restore"
import { seedSession } from "#core/session/seed"
import type { Session, SessionStep } from "#core/session/session"
import { builtInProjections } from "#core/surface/image-offload"
import {
  asking,
  call,
  event,
  result,
  stepEnd,
  stepStart,
  turnEnd,
  turnStart,
  user,
} from "../check/rows.ts"
import { leftOf, rightOf } from "../surface/events.ts"
import { draftOf, logText, readAgain, sessionWith, typesOf } from "./growing.ts"

const mark = (seq: number, data: JsonObject = {}): JsonObject =>
  event(seq, "session/end-seed", data)
const inherited: JsonObject = { inherited: true }
const draft = { id: "s", createdAtMs: 5 }

const seeded = (events: readonly unknown[], cut: number | null = null): SessionStep =>
  rightOf(seedSession(draft, { events, inheritedEvents: cut, timeMs: 8 }, builtInProjections))

const seedRefusal = (events: readonly unknown[], cut: number | null = null): SessionRefusal =>
  leftOf(seedSession(draft, { events, inheritedEvents: cut, timeMs: 8 }, builtInProjections))

const restored = (header: unknown, events: readonly JsonObject[]): Session =>
  rightOf(restoreSession(header, events as readonly SessionEvent[], builtInProjections))

const restoreRefusal = (header: unknown, events: readonly JsonObject[] = []): SessionRefusal =>
  leftOf(restoreSession(header, events as readonly SessionEvent[], builtInProjections))

const stored = (version: number, more: JsonObject = {}): JsonObject => ({
  type: "session",
  version,
  id: "s",
  createdAt: 5,
  delegationDepth: 0,
  ...more,
})
const own = stored(newestVersion, { isSeeded: false })
const forked = stored(newestVersion, { isSeeded: true })

const resumed = (
  session: Session,
  texts = { notStarted: null, outcomeUnknown: "?" },
): SessionStep => rightOf(resumeSession(session, { timeMs: 9, texts }))

describe("a seed", () => {
  it("SE11: is copied, and ended by a mark of its own time", () => {
    const rows = [turnStart(0), user(1)]
    const [session, events] = seeded(rows)
    expect(JSON.stringify(events)).toBe('[{"type":"session/end-seed","seq":2,"time":8,"data":{}}]')
    expect(session).toMatchObject({ inheritedEvents: 0, firstLiveSeq: 2, firstLifecycleSeq: 2 })
    expect(eventAt(session, 1)).toEqual(rows[1])
    expect(eventAt(session, 1)).not.toBe(rows[1])
    expect(Object.isFrozen(eventAt(session, 1)?.data)).toBe(true)
    expect(Object.isFrozen(rows[1])).toBe(false)
    expect(rightOf(readSurface(session))).toEqual([1])
  })

  it("SE11: is marked once, also when it is empty, or is opened again", () => {
    const [empty, events] = seeded([])
    expect(events).toEqual([{ type: "session/end-seed", seq: 0, time: 8, data: {} }])
    expect(empty.firstLiveSeq).toBe(0)
    const [again, none] = resumed(restored(empty.headerRow, readAgain(empty)))
    expect(none).toEqual([])
    expect(again.firstLiveSeq).toBe(1)
    const [ended, nothing] = seeded([turnStart(0), turnEnd(1), mark(2)])
    expect(nothing).toEqual([])
    expect(ended.firstLiveSeq).toBe(3)
  })

  it.each<[string, unknown, object]>([
    ["what JSON cannot keep", { ...user(1), more: undefined }, { code: "not-lossless" }],
    ["no object", 5, { code: "row-not-object" }],
    ["a gap", user(2), { code: "seq-not-contiguous", seq: 2, expected: 1 }],
    ["no marker", user(1, {}), { code: "surface-op-missing", seq: 1 }],
    [
      "an unknown key",
      { ...user(1), more: 1 },
      { code: "envelope-shape", fault: { path: ["more"], expected: "nothing" } },
    ],
    ["another ignorable", { ...user(1), ignorable: false }, { code: "envelope-shape" }],
    ["a broken time", { ...user(1), time: 0.5 }, { code: "envelope-shape" }],
    [
      "a request header of old",
      event(1, "request/header", {
        header: { config: { provider: "p", model: "m" }, system: "x" },
        reason: "initial",
      }),
      { code: "payload-shape", seq: 1 },
    ],
    ["an inherited mark", mark(1, inherited), { code: "inherited-marker-unexpected", seq: 1 }],
  ])("SE12: is refused with the index of its first wrong event: %s", (_, wrong, refusal) => {
    const told = { code: "event-refused", index: 1, refusal }
    expect(seedRefusal([turnStart(0), wrong, 7])).toMatchObject(told)
  })

  it("SE13: that was inherited is marked so, at the time of its last event", () => {
    const [session, events] = seeded([turnStart(0), { ...user(1), time: 6 }], 2)
    expect(events).toEqual([{ type: "session/end-seed", seq: 2, time: 6, data: inherited }])
    expect(session.headerRow["isSeeded"]).toBe(true)
    expect(session).toMatchObject({ inheritedEvents: 2, firstLiveSeq: 2, firstLifecycleSeq: 2 })
    expect(seeded([], 0)[1]).toEqual([
      { type: "session/end-seed", seq: 0, time: 5, data: inherited },
    ])
  })

  it("SE13: that bears the mark at its cut needs no other", () => {
    const rows = [mark(0, inherited), turnStart(1), mark(2, inherited), turnEnd(3)]
    const [session, events] = seeded(rows, 2)
    expect(events).toEqual([])
    expect(session).toMatchObject({ inheritedEvents: 2, firstLiveSeq: 4, firstLifecycleSeq: 2 })
    // the whole of it was inherited once more
    expect(seeded(rows, 4)[1]).toMatchObject([{ seq: 4, data: inherited }])
  })

  it("SE13: is refused where the cut is not the one that it bears", () => {
    const rows = [turnStart(0), mark(1, inherited), turnEnd(2)]
    expect(seedRefusal(rows, 4)).toMatchObject({
      code: "inherited-cut-beyond-end",
      cut: 4,
      eventCount: 3,
    })
    expect(seedRefusal(rows, 0.5)).toMatchObject({ code: "inherited-cut-beyond-end" })
    expect(seedRefusal(rows, 0)).toEqual({ code: "inherited-marker-unexpected", seq: 1 })
    expect(seedRefusal(rows, 2)).toEqual({ code: "inherited-marker-missing", seq: null })
    expect(seedRefusal([turnStart(0), mark(1), turnEnd(2)], 1)).toEqual({
      code: "inherited-marker-missing",
      seq: null,
    })
  })
})

describe("a stored log", () => {
  it("SE2: of another format is no session", () => {
    expect(restoreRefusal(stored(3, { isSeeded: false }))).toEqual({
      code: "session-outdated",
      version: 3,
      newest: 4,
    })
    expect(restoreRefusal(stored(0))).toMatchObject({ code: "session-outdated", version: 0 })
    expect(restoreRefusal(stored(5))).toMatchObject({ code: "version-unsupported", version: 5 })
    expect(restoreRefusal({ type: "x" })).toEqual({ code: "not-a-log" })
    expect(restoreRefusal(stored(4))).toMatchObject({ code: "header-field" })
    expect(restoreRefusal(stored(4, { isSeeded: false, more: 1 }))).toMatchObject({
      code: "header-field",
    })
  })

  it("SE14: is restored as it stands: its very events, and nothing else", () => {
    const rows = [turnStart(0), user(1), mark(2), user(3)]
    const session = restored(own, rows)
    expect(snapshotEvents(session).map((each, i) => each === rows[i])).toEqual([
      ...[true, true, true, true],
    ])
    expect(Object.isFrozen(rows[1])).toBe(false)
    expect(session).toMatchObject({ inheritedEvents: 0, firstLiveSeq: 4, firstLifecycleSeq: 4 })
    expect(rightOf(readSurface(session))).toEqual([1, 3])
    expect(rightOf(appendEvent(session, draftOf(user(0)), 1))[1]).toMatchObject([{ seq: 4 }])
  })

  it("SE14: has the cut of its last inherited mark", () => {
    const rows = [mark(0, inherited), turnStart(1), mark(2, inherited), turnEnd(3)]
    expect(restored(forked, rows)).toMatchObject({
      inheritedEvents: 2,
      firstLiveSeq: 4,
      firstLifecycleSeq: 4,
    })
    expect(restoreRefusal(forked, [turnStart(0), mark(1)])).toEqual({
      code: "inherited-marker-missing",
      seq: null,
    })
    expect(restoreRefusal(own, rows)).toMatchObject({
      code: "event-refused",
      index: 0,
      refusal: { code: "inherited-marker-unexpected", seq: 0 },
    })
    expect(restoreRefusal(own, [turnStart(0), user(2)])).toMatchObject({
      code: "event-refused",
      index: 1,
      refusal: { code: "seq-not-contiguous", seq: 2, expected: 1 },
    })
  })
})

describe("a resumed session", () => {
  const open = [
    turnStart(0),
    stepStart(1),
    user(2),
    asking(3, "c", "d"),
    call(4, "c"),
    call(5, "d"),
  ]

  it("SE15: goes on behind one mark", () => {
    const [session, events] = resumed(restored(own, [turnStart(0), turnEnd(1)]))
    expect(events).toEqual([{ type: "session/end-seed", seq: 2, time: 9, data: {} }])
    expect(session).toMatchObject({ firstLiveSeq: 2, firstLifecycleSeq: 2 })
    expect(resumed(restored(own, readAgain(session)))[1]).toEqual([])
    expect(resumed(restored(own, []))[1]).toMatchObject([{ seq: 0 }])
  })

  it("SE15: closes what a crash left open, before the mark", () => {
    const [session, events] = resumed(restored(own, [...open, result(6, "d")]))
    const place = { turn: 1, step: 1 }
    expect(events).toEqual([
      {
        type: "tool/result",
        seq: 7,
        time: 1,
        data: {
          ...place,
          message: {
            role: "tool",
            source: { kind: "tool", callId: "c" },
            toolCallId: "c",
            content: [{ type: "text", text: "?" }],
            isError: true,
            id: "interrupted-tool-result-c-7",
          },
          error: { name: "ToolOutcomeUnknownError", code: "TOOL_OUTCOME_UNKNOWN" },
        },
        sourceEventSeqs: [4],
        surfaceOp: "append",
      },
      { type: "step/end", seq: 8, time: 1, data: place },
      { type: "turn/end", seq: 9, time: 1, data: { turn: 1, reason: { kind: "interrupted" } } },
      { type: "session/end-seed", seq: 10, time: 9, data: {} },
    ])
    expect(session).toMatchObject({ firstLiveSeq: 10, firstLifecycleSeq: 10 })
    expect(rightOf(readSurface(session))).toEqual([2, 3, 6, 7])
    expect(Object.isFrozen(events[0]?.data)).toBe(true)
  })

  it("SE15: closes nothing where nobody asked, or nothing is open", () => {
    const kept = rightOf(resumeSession(restored(own, open), { timeMs: 9, texts: null }))
    expect(typesOf(kept[1])).toEqual(["session/end-seed"])
    const done = [turnStart(0), stepStart(1), stepEnd(2), turnEnd(3)]
    expect(typesOf(resumed(restored(own, done))[1])).toEqual(["session/end-seed"])
    expect(typesOf(resumed(restored(own, done.slice(0, 3)))[1])).toEqual([
      ...["turn/end", "session/end-seed"],
    ])
  })

  it("SE15: needs the text for a call that was never started", () => {
    const unstarted = [turnStart(0), stepStart(1), asking(2, "c")]
    const texts = { notStarted: null, outcomeUnknown: "?" }
    expect(leftOf(resumeSession(restored(own, unstarted), { timeMs: 9, texts }))).toEqual({
      code: "closer-text-missing",
      turn: 1,
    })
    const [, events] = rightOf(
      resumeSession(restored(own, unstarted), {
        timeMs: 9,
        texts: { ...texts, notStarted: "never" },
      }),
    )
    expect(events[0]).toMatchObject({
      data: {
        message: { id: "interrupted-tool-result-c-3", content: [{ text: "never" }] },
        error: { name: "ToolNotStartedError", code: "TOOL_NOT_STARTED" },
      },
    })
    expect(events[0]).not.toHaveProperty("sourceEventSeqs")
  })

  it("SE14 SE15: is the session that was written, to the byte", () => {
    const session = sessionWith(...open)
    const again = restored(JSON.parse(logText(session).split("\n")[0] ?? ""), readAgain(session))
    expect(logText(again)).toBe(logText(session))
  })
})
