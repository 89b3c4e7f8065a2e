import { describe, expect, it } from "vitest"
import { appendEvent, appendEvents } from "#core/session/append"
import { forkSession } from "#core/session/fork"
import {
  eventAt,
  readMessages,
  readSurface,
  snapshotEvents,
  withProjections,
} from "#core/session/read"
import { restoreSession } from "#core/session/restore"
import type { Session } from "#core/session/session"
import { withLog } from "#core/session/session"
import { builtInProjections } from "#core/surface/image-offload"
import { noProjections } from "#core/surface/message-projection"
import type { EventDraft } from "#core/request/request-log"
import { image } from "../../../properties/arbitraries/dialect.ts"
import { replacing, turnStart, user } from "../check/rows.ts"
import { Agent, plain, told, userMessage } from "../request/agent.ts"
import { leftOf, rightOf } from "../surface/events.ts"
import { draftOf, newSession, readAgain, sessionWith } from "./growing.ts"

const hello = draftOf(user(0))
const texts = { notStarted: "n", outcomeUnknown: "u" }

const messagesOf = (session: Session): readonly object[] => rightOf(readMessages(session))[1]

describe("what is read of a session", () => {
  it("SE19: a snapshot is frozen, the same until the next event, and stays as it is", () => {
    const session = sessionWith(turnStart(0), user(1), user(2))
    const all = snapshotEvents(session)
    expect(all.map(({ seq }) => seq)).toEqual([0, 1, 2])
    expect(Object.isFrozen(all)).toBe(true)
    expect(snapshotEvents(session)).toBe(all)
    const [grown] = rightOf(appendEvent(session, hello, 1))
    expect(snapshotEvents(grown)).toHaveLength(4)
    expect([eventAt(grown, 3)?.seq, eventAt(session, 3)]).toEqual([3, null])
    expect(all).toHaveLength(3)
    expect(snapshotEvents(session)).toBe(all)
    expect(snapshotEvents(grown)[1]).toBe(all[1])
  })

  it("SE19: a part of it goes from one seq to before another", () => {
    const session = sessionWith(turnStart(0), user(1), user(2))
    const seqs = (from?: number, to?: number): readonly number[] =>
      snapshotEvents(session, from, to).map(({ seq }) => seq)
    expect([seqs(1), seqs(1, 2), seqs(0, 2), seqs(2, 9), seqs(3), seqs(-1, 1), seqs(2, 1)]).toEqual(
      [...[[1, 2], [1], [0, 1], [2], [], [0], []]],
    )
    expect(Object.isFrozen(snapshotEvents(session, 1))).toBe(true)
    expect([eventAt(session, 2)?.seq, eventAt(session, 3), eventAt(session, -1)]).toEqual([
      ...[2, null, null],
    ])
  })

  it("SE20: messages are those of the logged events, frozen, in a fresh array each time", () => {
    const session = sessionWith(turnStart(0), user(1))
    const [read, first] = rightOf(readMessages(session))
    expect(first).toHaveLength(1)
    expect(first[0]).toBe(eventAt(session, 1)?.data)
    expect(Object.isFrozen(first[0])).toBe(true)
    const [grown] = rightOf(appendEvent(read, hello, 1))
    const second = messagesOf(grown)
    expect(second).toHaveLength(2)
    expect(second[0]).toBe(first[0])
    expect(first).toHaveLength(1)
    expect(messagesOf(grown)).not.toBe(second)
    const [rewritten] = rightOf(appendEvent(grown, { ...hello, ...replacing(1, 2, [1, 2]) }, 1))
    expect(messagesOf(rewritten)).toEqual([eventAt(rewritten, 3)?.data])
    expect(messagesOf(grown)).toEqual(second)
  })

  it("SE20: messages of a restored log are its very objects, and not frozen", () => {
    const events = readAgain(sessionWith(turnStart(0), user(1)))
    const session = rightOf(restoreSession(newSession().headerRow, events, builtInProjections))
    expect(messagesOf(session)[0]).toBe(events[1]?.data)
    expect(Object.isFrozen(messagesOf(session)[0])).toBe(false)
  })

  it("SE21: without an interpreter that it used it is neither read nor goes on", () => {
    const offload: EventDraft = {
      type: "image/offload",
      data: { targets: [{ seq: 0, imageIndexes: [0] }] },
    }
    const before = sessionWith(user(0, { surfaceOp: "append" }, [image(1)]))
    const [used] = rightOf(appendEvent(before, offload, 1))
    expect(messagesOf(used)).toMatchObject([{ content: [{ type: "image", offloaded: true }] }])
    const held = messagesOf(used)
    const bare = withProjections(used, noProjections)
    const removed = { code: "projection-removed", seq: null, type: "image/offload" }
    expect(leftOf(readMessages(bare))).toEqual(removed)
    expect(leftOf(readSurface(bare))).toEqual(removed)
    expect(leftOf(appendEvent(bare, hello, 1))).toEqual(removed)
    const draft = { id: "child", createdAtMs: 1 }
    expect(leftOf(forkSession(bare, { draft, inheritedEvents: 2, texts }))).toEqual(removed)
    expect(leftOf(restoreSession(used.headerRow, readAgain(used), noProjections))).toMatchObject({
      index: 1,
      refusal: { code: "projection-missing", seq: 1 },
    })
    expect(held).toMatchObject([{ content: [{ offloaded: true }] }])
    // one that was not used yet is not missed
    const unused = withProjections(before, noProjections)
    expect(messagesOf(unused)).toHaveLength(1)
    expect(leftOf(appendEvent(unused, offload, 1))).toMatchObject({ code: "projection-missing" })
    // an event that was refused, or never kept, pins nothing
    expect(appendEvents(unused, [hello], 1)._tag).toBe("Right")
    expect(messagesOf(withProjections(bare, builtInProjections))).toHaveLength(1)
  })

  it("SE22: an admitted attempt is committed as a whole", () => {
    const agent = new Agent()
    const session = { ...newSession(), log: agent.log }
    agent.open({ accepted: [userMessage("1")] })
    const [opened] = withLog(session, agent.log)
    const attempt = agent.send(plain)
    const [sent, events] = withLog(opened, attempt.log)
    expect(events).toEqual(attempt.events)
    expect(told(attempt.request)).toHaveLength(messagesOf(sent).length)
    expect(attempt.request.messages.map((message, i) => message === messagesOf(sent)[i])).toEqual([
      ...[true, true],
    ])
  })
})
