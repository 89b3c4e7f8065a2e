import { describe, expect, it } from "vitest"
import { appendEvent, appendEvents } from "#core/session/append"
import { eventAt, readSurface, snapshotEvents } from "#core/session/read"
import { seedSession } from "#core/session/seed"
import { createSession } from "#core/session/session"
import { noProjections } from "#core/surface/message-projection"
import type { EventDraft } from "#core/request/request-log"
import { replacing, turnStart, user } from "../check/rows.ts"
import { leftOf, rightOf } from "../surface/events.ts"
import { draftOf, newSession, sessionWith, typesOf } from "./growing.ts"

const hello = (): EventDraft => draftOf(user(0))

describe("a new session", () => {
  it("SE1: has the header of the newest format, and no event", () => {
    const session = rightOf(
      createSession(
        {
          id: "s",
          createdAtMs: 5,
          agentPreset: "ptc",
          delegationDepth: 1,
          origin: "subagent",
          parentSession: "p",
          cwd: "/w",
        },
        noProjections,
      ),
    )
    expect(JSON.stringify(session.headerRow)).toBe(
      '{"type":"session","version":4,"id":"s","createdAt":5,"cwd":"/w","parentSession":"p",' +
        '"isSeeded":false,"origin":"subagent","delegationDepth":1,"agentPreset":"ptc"}',
    )
    expect(Object.isFrozen(session.headerRow)).toBe(true)
    expect(session).toMatchObject({ inheritedEvents: 0, firstLiveSeq: 0, firstLifecycleSeq: 0 })
    expect(snapshotEvents(session)).toEqual([])
    expect(JSON.stringify(newSession().headerRow)).toBe(
      '{"type":"session","version":4,"id":"s","createdAt":5,"isSeeded":false,"delegationDepth":0}',
    )
  })

  it("SE1: is refused with a header that could not be read", () => {
    const refusal = (draft: object): unknown =>
      leftOf(createSession({ id: "s", createdAtMs: 5, ...draft }, noProjections))
    expect(refusal({ cwd: "w" })).toMatchObject({ code: "header-field", fault: { path: ["cwd"] } })
    expect(refusal({ createdAtMs: 0.5 })).toMatchObject({
      code: "header-field",
      fault: { path: ["createdAt"] },
    })
    expect(refusal({ delegationDepth: -0 })).toEqual({
      code: "not-lossless",
      fault: { what: "negative-zero", path: ["delegationDepth"] },
    })
  })
})

describe("an append", () => {
  it("SE3: is a frozen copy at the next seq, with its keys in written order", () => {
    const content = [{ type: "text", text: "t" }]
    const data = { id: "u", role: "user", content, source: { kind: "user" } }
    const surfaceOp = { op: "replace", startSeq: 1, endSeq: 1 }
    const sourceEventSeqs = [1]
    const before = sessionWith(turnStart(0), user(1))
    const draft = { surfaceOp, sourceEventSeqs, data, type: "user/message" }
    const [session, events] = rightOf(appendEvent(before, draft, 7))
    const text =
      '{"type":"user/message","seq":2,"time":7,"data":{"id":"u","role":"user",' +
      '"content":[{"type":"text","text":"t"}],"source":{"kind":"user"}},' +
      '"sourceEventSeqs":[1],"surfaceOp":{"op":"replace","startSeq":1,"endSeq":1}}'
    expect(JSON.stringify(events)).toBe(`[${text}]`)
    content.push({ type: "text", text: "later" })
    surfaceOp.startSeq = 0
    sourceEventSeqs.push(0)
    const [event] = events
    expect(JSON.stringify(event)).toBe(text)
    expect(eventAt(session, 2)).toBe(event)
    expect(Object.isFrozen(event)).toBe(true)
    expect(Object.isFrozen(event?.["surfaceOp"])).toBe(true)
    expect(Object.isFrozen(event?.["sourceEventSeqs"])).toBe(true)
    expect(Object.isFrozen(event?.data)).toBe(true)
    expect(Object.isFrozen(content)).toBe(false)
  })

  it("SE4: reads each property once, and writes to none", () => {
    let reads = 0
    const draft = {
      type: "user/message",
      get data() {
        reads++
        return { ...(user(0)["data"] as object), more: reads }
      },
      surfaceOp: "append",
    }
    const [, events] = rightOf(appendEvent(newSession(), Object.freeze(draft), 1))
    expect(reads).toBe(1)
    expect(events[0]?.data).toMatchObject({ more: 1 })
  })

  it.each([
    ["undefined", { todos: [], more: undefined }, "not-json", ["data", "more"]],
    ["a payload that is missing", undefined, "not-json", ["data"]],
    ["BigInt", { todos: [1n] }, "not-json", ["data", "todos", 0]],
    ["−0", { todos: [], n: -0 }, "negative-zero", ["data", "n"]],
    ["NaN", { todos: [], n: NaN }, "non-finite", ["data", "n"]],
    ["a Date", { todos: new Date(0) }, "not-plain", ["data", "todos"]],
    ["a hole", { todos: Object.assign([], { length: 1 }) }, "sparse-array", ["data", "todos"]],
  ])("SE5: is refused where JSON cannot keep it: %s", (_, data, what, path) => {
    const session = newSession()
    expect(leftOf(appendEvent(session, { type: "todo/write", data }, 1))).toEqual({
      code: "not-lossless",
      fault: { what, path },
    })
    expect(snapshotEvents(session)).toEqual([])
  })

  it("SE5: is refused where a reader would find it too deep, the event around it included", () => {
    let inner: object = {}
    for (let depth = 1; depth < 999; depth++) inner = { inner }
    const draft = (data: object): EventDraft => ({ type: "todo/write", data })
    expect(appendEvent(newSession(), draft(inner), 1)._tag).toBe("Right")
    expect(leftOf(appendEvent(newSession(), draft({ inner }), 1))).toMatchObject({
      fault: { what: "too-deep" },
    })
  })

  it.each([
    ["of an unknown type", { type: "x", data: {} }, { code: "event-type-unknown", seq: 2 }],
    ["without a marker", { ...hello(), surfaceOp: undefined }, { code: "surface-op-missing" }],
    [
      "off the surface with one",
      { type: "todo/write", data: { todos: [] }, surfaceOp: "append" },
      { code: "surface-op-forbidden", seq: 2 },
    ],
    [
      "that replaces nothing",
      { ...hello(), ...replacing(0, 0, [0]) },
      { code: "endpoint-not-on-surface", endpoint: 0 },
    ],
    [
      "without the source that it replaces",
      { ...hello(), ...replacing(1, 1, [0]) },
      { code: "source-missing", shadowed: 1 },
    ],
    [
      "of another shape",
      { ...hello(), data: { role: "user" } },
      { code: "payload-shape", seq: 2, type: "user/message" },
    ],
    [
      "of a request header with a prompt",
      {
        type: "request/header",
        data: { header: { config: { provider: "p", model: "m" }, system: "" }, reason: "initial" },
      },
      { code: "payload-shape", type: "request/header" },
    ],
  ])("SE6: is refused %s, and changes nothing", (_, draft, refusal) => {
    const session = sessionWith(turnStart(0), user(1))
    expect(leftOf(appendEvent(session, draft as EventDraft, 1))).toMatchObject(refusal)
    expect(typesOf(snapshotEvents(session))).toEqual(["turn/start", "user/message"])
    expect(rightOf(readSurface(session))).toEqual([1])
    expect(rightOf(appendEvent(session, hello(), 1))[1][0]).toMatchObject({ seq: 2 })
  })

  it("SE7: takes an event that readers may pass over, whatever its type", () => {
    const draft: EventDraft = { type: "x", data: null, surfaceOp: "?", ignorable: true }
    const [session, events] = rightOf(appendEvent(newSession(), draft, 1))
    expect(JSON.stringify(events)).toBe(
      '[{"type":"x","seq":0,"time":1,"data":null,"surfaceOp":"?","ignorable":true}]',
    )
    expect(rightOf(readSurface(session))).toEqual([])
  })

  it("SE8: takes several events at one time, or none of them", () => {
    const before = sessionWith(turnStart(0))
    const [session, events] = rightOf(appendEvents(before, [hello(), hello()], 9))
    expect(events.map(({ seq, time }) => [seq, time])).toEqual([
      [1, 9],
      [2, 9],
    ])
    expect(rightOf(readSurface(session))).toEqual([1, 2])
    const broken = [hello(), { ...hello(), ...replacing(1, 2, [1]) }, hello()]
    expect(leftOf(appendEvents(session, broken, 9))).toMatchObject({
      code: "event-refused",
      index: 1,
      refusal: { code: "source-missing", seq: 4, shadowed: 2 },
    })
    expect(snapshotEvents(session)).toHaveLength(3)
    expect(rightOf(appendEvents(session, [], 9))[1]).toEqual([])
  })

  it("SE9: leaves older sessions valid, also when two grow from one", () => {
    const stem = sessionWith(turnStart(0), user(1))
    const [first] = rightOf(appendEvent(stem, { ...hello(), ...replacing(1, 1, [1]) }, 1))
    const [second] = rightOf(appendEvents(stem, [hello(), hello()], 2))
    const [third] = rightOf(appendEvent(first, hello(), 3))
    leftOf(appendEvents(stem, [hello(), { type: "x", data: {} }], 4))
    const told = [stem, first, second, third].map((session) => [
      snapshotEvents(session).map(({ time }) => time),
      rightOf(readSurface(session)),
    ])
    expect(told).toEqual([
      [[1, 1], [1]],
      [[1, 1, 1], [2]],
      [
        [1, 1, 2, 2],
        [1, 2, 3],
      ],
      [
        [1, 1, 1, 3],
        [2, 3],
      ],
    ])
  })

  it("SE10: never marks what came before as inherited", () => {
    const draft: EventDraft = { type: "session/end-seed", data: { inherited: true } }
    const session = sessionWith(turnStart(0))
    expect(leftOf(appendEvent(session, draft, 1))).toEqual({
      code: "inherited-marker-unexpected",
      seq: 1,
    })
    expect(appendEvent(session, { ...draft, data: {} }, 1)._tag).toBe("Right")
    const seed = { events: [], inheritedEvents: 0, timeMs: 1 }
    const [child] = rightOf(seedSession({ id: "c", createdAtMs: 5 }, seed, noProjections))
    expect(leftOf(appendEvents(child, [draft], 1))).toMatchObject({
      index: 0,
      refusal: { code: "inherited-marker-unexpected", seq: 1 },
    })
  })
})
