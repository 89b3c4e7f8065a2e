import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import { appendEvent } from "#core/session/append"
import { forkSession } from "#core/session/fork"
import { eventAt, readSurface, snapshotEvents } from "#core/session/read"
import { restoreSession } from "#core/session/restore"
import type { Session, SessionStep } from "#core/session/session"
import { builtInProjections } from "#core/surface/image-offload"
import { checkLog } from "../../fixtures/checked-in-full.ts"
import {
  asking,
  call,
  event,
  replacing,
  result,
  stepEnd,
  stepStart,
  told,
  turnEnd,
  turnStart,
  user,
} from "../check/rows.ts"
import { leftOf, rightOf } from "../surface/events.ts"
import { draftOf, logText, readAgain, sessionWith, typesOf } from "./growing.ts"

const texts = { notStarted: "not started", outcomeUnknown: "unknown" }
const place = { turn: 1, step: 1 }

const prompt = (seq: number): JsonObject =>
  event(
    seq,
    "system/message",
    {
      ...place,
      message: {
        id: "y",
        role: "system",
        source: { kind: "system-prompt" },
        content: [{ type: "text", text: "be brief" }],
      },
    },
    { surfaceOp: "append" },
  )

const rows = [
  ...[turnStart(0), stepStart(1), prompt(2), user(3), asking(4, "c", "d", "e"), call(5, "c")],
  ...[call(6, "d"), result(7, "c"), result(8, "d"), call(9, "e"), result(10, "e")],
  ...[stepEnd(11), turnEnd(12)],
]

const forkedAt = (session: Session, inheritedEvents: number, id = "child"): SessionStep =>
  rightOf(forkSession(session, { draft: { id, createdAtMs: 77 }, inheritedEvents, texts }))

const closer = (seq: number, callId: string, startedSeq: number | null): JsonObject => ({
  type: "tool/result",
  seq,
  time: 1,
  data: {
    ...place,
    message: {
      role: "tool",
      source: { kind: "tool", callId },
      toolCallId: callId,
      content: [{ type: "text", text: startedSeq === null ? "not started" : "unknown" }],
      isError: true,
      id: `forked-tool-result-${callId}-${seq}`,
    },
    error:
      startedSeq === null
        ? { name: "ToolNotStartedError", code: "TOOL_NOT_STARTED" }
        : { name: "ToolOutcomeUnknownError", code: "TOOL_OUTCOME_UNKNOWN" },
  },
  ...(startedSeq === null ? {} : { sourceEventSeqs: [startedSeq] }),
  surfaceOp: "append",
})

describe("a fork", () => {
  it("SE16: takes over a whole session, and says so", () => {
    const parent = sessionWith(...rows)
    const [child, events] = forkedAt(parent, 13)
    expect(events).toEqual([
      { type: "session/end-seed", seq: 13, time: 1, data: { inherited: true } },
    ])
    expect(JSON.stringify(child.headerRow)).toBe(
      '{"type":"session","version":4,"id":"child","createdAt":77,"parentSession":"s",' +
        '"isSeeded":true,"delegationDepth":0}',
    )
    expect(child).toMatchObject({ inheritedEvents: 13, firstLiveSeq: 14, firstLifecycleSeq: 13 })
    expect(rightOf(readSurface(child))).toEqual([2, 3, 4, 7, 8, 10])
    expect(told(checkLog(logText(child)))).toEqual([])
    expect(rightOf(appendEvent(child, draftOf(turnStart(0, 2)), 2))[1]).toMatchObject([{ seq: 14 }])
  })

  it("SE17: inside a turn has its results, its step and its turn closed, behind the mark", () => {
    const [child, events] = forkedAt(sessionWith(...rows), 8)
    expect(events).toEqual([
      { type: "session/end-seed", seq: 8, time: 1, data: { inherited: true } },
      closer(9, "d", 6),
      closer(10, "e", null),
      { type: "step/end", seq: 11, time: 1, data: place },
      { type: "turn/end", seq: 12, time: 1, data: { turn: 1, reason: { kind: "forked" } } },
    ])
    expect(child).toMatchObject({ inheritedEvents: 8, firstLiveSeq: 13, firstLifecycleSeq: 8 })
    expect(rightOf(readSurface(child))).toEqual([2, 3, 4, 7, 9, 10])
    expect(told(checkLog(logText(child)))).toEqual([])
  })

  it("SE17: anywhere is a log that breaks no rule, and is restored as it is", () => {
    const parent = sessionWith(...rows)
    for (let cut = 0; cut <= rows.length; cut++) {
      const [child] = forkedAt(parent, cut)
      const outcome = checkLog(logText(child))
      expect([cut, told(outcome), outcome.acceptedEvents]).toEqual([
        ...[cut, [], snapshotEvents(child).length],
      ])
      const again = restoreSession(child.headerRow, readAgain(child), builtInProjections)
      expect(rightOf(again).inheritedEvents).toBe(cut)
    }
  })

  it("SE16: of no event has the mark alone, from when it was made", () => {
    const [child, events] = forkedAt(sessionWith(...rows), 0)
    expect(events).toEqual([
      { type: "session/end-seed", seq: 0, time: 77, data: { inherited: true } },
    ])
    expect(child).toMatchObject({ inheritedEvents: 0, firstLiveSeq: 1, firstLifecycleSeq: 0 })
  })

  it("SE16: of more than there is, or with a wrong header, is none", () => {
    const parent = sessionWith(...rows)
    const draft = { id: "child", createdAtMs: 77 }
    expect(leftOf(forkSession(parent, { draft, inheritedEvents: 14, texts }))).toEqual({
      code: "inherited-cut-beyond-end",
      seq: null,
      cut: 14,
      eventCount: 13,
    })
    expect(
      leftOf(forkSession(parent, { draft: { ...draft, cwd: "w" }, inheritedEvents: 1, texts })),
    ).toMatchObject({ code: "header-field" })
  })

  it("SE18: before a replacement has what was replaced, and shares its events", () => {
    const [parent] = rightOf(
      appendEvent(
        sessionWith(turnStart(0), user(1)),
        { ...draftOf(user(0)), ...replacing(1, 1, [1]) },
        1,
      ),
    )
    const [child] = forkedAt(parent, 2)
    expect(rightOf(readSurface(child))).toEqual([1])
    expect(rightOf(readSurface(parent))).toEqual([2])
    expect(eventAt(child, 1)).toBe(eventAt(parent, 1))
    expect(typesOf(snapshotEvents(parent))).toEqual([
      ...["turn/start", "user/message", "user/message"],
    ])
    expect(eventAt(parent, 3)).toBeNull()
  })

  it("SE18: of a fork inherits what that one inherited, and its mark", () => {
    const [child] = forkedAt(sessionWith(...rows), 8)
    const [grandchild, events] = forkedAt(child, 11, "grandchild")
    expect(grandchild.headerRow).toMatchObject({ id: "grandchild", parentSession: "child" })
    expect(events.map(({ seq, type }) => [seq, type])).toEqual([
      [11, "session/end-seed"],
      [12, "step/end"],
      [13, "turn/end"],
    ])
    expect(grandchild.inheritedEvents).toBe(11)
    expect(told(checkLog(logText(grandchild)))).toEqual([])
  })
})
