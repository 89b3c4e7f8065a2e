import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import {
  accepted,
  append,
  causesOf,
  dataOf,
  event,
  stepStart,
  text,
  turnStart,
  user,
} from "./logs.ts"

const delta = (value: string, index = 0): JsonObject => ({ type: "text-delta", index, text: value })

const chunk = (value: JsonObject, turn = 1, step = 1): JsonObject =>
  event("assistant/chunk", { turn, step, chunk: value })

const note = event("plan/mode", { active: true })

describe("turns that a restart interrupted", () => {
  const spliced = event("agent/inbox/spliced", {
    target: "next-turn",
    start: 0,
    inserted: [user("u2")],
  })
  const interrupted = { turn: 1, reason: { kind: "interrupted" } }

  it("MI24: the next turn, queued just before, ends the open one", () => {
    const { rows } = accepted(1, [turnStart(), chunk(delta("a")), spliced, turnStart(2)])
    expect(rows.slice(1).map(({ type, time, data }) => [type, time, data])).toStrictEqual([
      ["assistant/attempt", 1000, expect.anything()],
      ["agent/inbox/spliced", 2000, spliced["data"]],
      ["turn/end", 3000, interrupted],
      ["turn/start", 3000, { turn: 2 }],
    ])
  })

  it.each<[string, readonly JsonObject[]]>([
    ["nothing was queued", [turnStart(), turnStart(2)]],
    ["something else came between", [turnStart(), spliced, note, turnStart(2)]],
    ["it is not the next turn", [turnStart(), spliced, turnStart(3)]],
    ["a step is open", [turnStart(), stepStart(), spliced, turnStart(2)]],
    [
      "it was queued for a step",
      [
        turnStart(),
        { ...spliced, data: { target: "next-step", start: 0, inserted: [user("u")] } },
        turnStart(2),
      ],
    ],
    [
      "the queue was emptied",
      [
        turnStart(),
        { ...spliced, data: { target: "next-turn", start: 0, inserted: [] } },
        turnStart(2),
      ],
    ],
  ])("MI24: where %s, it is refused", (_, events) => {
    expect(causesOf(1, events)).toStrictEqual([
      { code: "turn-open", class: "unsupported", seq: events.length - 1, openTurn: 1 },
    ])
  })
})

describe("what messages of goals carried", () => {
  const change = {
    kind: "goal/change",
    version: 1,
    operation: "clear",
    cleared: { id: "g", revision: 2 },
    clearedAt: 5,
  }
  const source = { kind: "goal", goalId: "g", revision: 2, round: 0, change }
  const content = [text(`<goal_state>${JSON.stringify(change)}</goal_state>`)]

  it("MI25: the change becomes an event before the message, which is the plugin's", () => {
    const { rows } = accepted(1, [append("user/message", user("u", { source, content }))])
    expect(rows).toStrictEqual([
      { type: "goal/change", seq: 0, time: 0, data: change },
      {
        type: "user/message",
        seq: 1,
        time: 0,
        data: user("u", { content, source: { kind: "plugin", plugin: "goal" } }),
        surfaceOp: "append",
      },
    ])
  })

  it("MI25: a message that is not bound to its change is malformed", () => {
    for (const wrong of [
      user("u", { source: { ...source, round: 1 }, content }),
      user("u", { source: { ...source, revision: 3 }, content }),
      user("u", { source: { ...source, goalId: "h" }, content }),
      user("u", { source, content: [text("else")] }),
      user("u", { source: { kind: "goal", goalId: "g", revision: 2, round: 0 } }),
    ])
      expect(causesOf(1, [append("user/message", wrong)])).toMatchObject([
        { code: "payload-shape", class: "malformed", seq: 0 },
      ])
  })

  it("MI25: a round of a goal stays what it is", () => {
    const round = user("u", { source: { kind: "goal", goalId: "g", revision: 2, round: 1 } })
    expect(dataOf(1, [append("user/message", round)])).toStrictEqual([round])
  })
})

describe("what format 1 may hold and format 2 may not", () => {
  it("MI26: an unknown type is refused, ignorable or not", () => {
    const cause = { code: "event-type-unknown", class: "unsupported", type: "x/y" }
    expect(causesOf(1, [event("x/y", {}, { ignorable: true }), event("x/y", {})])).toStrictEqual([
      { ...cause, seq: 0 },
      { ...cause, seq: 1 },
    ])
  })

  it("MI26: a descriptor of a later version is kept as it is", () => {
    const later = { mode: "of later", version: 4 }
    expect(dataOf(1, [event("subagent/descriptor", later)])).toStrictEqual([later])
    expect(
      causesOf(1, [event("subagent/descriptor", { mode: "one-shot", version: 2, provider: "p" })]),
    ).toMatchObject([{ code: "payload-shape", class: "malformed" }])
  })
})
