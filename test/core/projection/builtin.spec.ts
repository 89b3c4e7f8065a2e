import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import { builtInUnits } from "#core/projection/builtin/built-in-units"
import { goal } from "#core/projection/builtin/goal"
import { inbox } from "#core/projection/builtin/inbox"
import { sessionTitle } from "#core/projection/builtin/session-title"
import { team } from "#core/projection/builtin/team"
import { todo } from "#core/projection/builtin/todo"
import { turnBoundary } from "#core/projection/builtin/turn-boundary"
import { openCells } from "#core/projection/cells"
import { checkpointOf } from "#core/projection/checkpoint"
import { restoreRows } from "#core/projection/restore"
import { userData } from "../../../properties/arbitraries/dialect.ts"
import type { Draft } from "./session.ts"
import { event, eventsOf, headerOf, pass, registryOf, rightOf, sliceOf, toldOf } from "./session.ts"

describe("turnBoundary", () => {
  const place = { turn: 1, step: 1 }

  it("PR40: holds the open turn and step, and how the last turn ended", () => {
    const told = toldOf(turnBoundary, [
      pass,
      event("turn/start", { turn: 1 }),
      event("step/start", place),
      event("step/end", place),
      event("turn/end", { turn: 1, reason: { kind: "completed" } }),
      event("turn/start", { turn: 2 }),
      event("turn/end", { turn: 2 }),
    ])
    const open = { turn: 1, seq: 1 }
    const last = { turn: 1, seq: 4, reason: "completed" }
    expect(told).toStrictEqual([
      null,
      { open, step: null, last: null },
      { open, step: 1, last: null },
      { open, step: null, last: null },
      { open: null, step: null, last },
      { open: { turn: 2, seq: 5 }, step: null, last },
      { open: null, step: null, last: { turn: 2, seq: 6, reason: null } },
    ])
  })

  it("PR40: the end of a step that is not open is quiet", () => {
    const told = toldOf(turnBoundary, [event("turn/start", { turn: 1 }), event("step/end", place)])
    expect(told[1]).toBeNull()
  })
})

describe("sessionTitle", () => {
  const title = (text: string, kind: string): Draft =>
    event("session/title", { title: text, messageSeqs: [0], source: { kind } })

  it("PR41: holds the latest title and is quiet about the same one", () => {
    expect(
      toldOf(sessionTitle, [
        title("one", "fallback"),
        title("one", "fallback"),
        title("one", "user"),
        title("two", "provider"),
      ]),
    ).toStrictEqual([
      { title: "one", givenBy: "fallback" },
      null,
      { title: "one", givenBy: "user" },
      { title: "two", givenBy: "provider" },
    ])
  })
})

describe("inbox", () => {
  const message = (id: string): JsonObject => userData(id, [])
  const splice = (target: string, start: number, removedCount: number, ...ids: string[]): Draft =>
    event("agent/inbox/spliced", { target, start, removedCount, inserted: ids.map(message) })
  const ids = (waiting: unknown): readonly JsonValue[] =>
    (waiting as readonly JsonObject[]).map((each) => each["id"] ?? null)
  const waiting = (...drafts: Draft[]): readonly unknown[] =>
    toldOf(inbox, drafts).map((told) => {
      const view = told as { readonly nextTurn: unknown; readonly nextStep: unknown } | null
      return view === null ? null : [ids(view.nextTurn), ids(view.nextStep)]
    })

  it("PR44: splices the queue of the next turn and that of the next step", () => {
    expect(
      waiting(
        splice("next-turn", 0, 0, "a", "b"),
        splice("next-step", 0, 0, "c"),
        splice("next-turn", 1, 1, "d", "e"),
        splice("next-turn", 0, 1),
      ),
    ).toStrictEqual([
      [["a", "b"], []],
      [["a", "b"], ["c"]],
      [["a", "d", "e"], ["c"]],
      [["d", "e"], ["c"]],
    ])
  })

  it("PR44: removes nothing where no number is given", () => {
    const data = { target: "next-turn", start: 0, inserted: [message("b")] }
    const whole = event("agent/inbox/spliced", data)
    expect(waiting(splice("next-turn", 0, 0, "a"), whole)[1]).toStrictEqual([["b", "a"], []])
  })

  it("PR44: places beyond the end are the end", () => {
    expect(
      waiting(
        splice("next-turn", 5, 3, "a"),
        splice("next-turn", 0, 9, "b"),
        splice("next-turn", 4, 1),
      ),
    ).toStrictEqual([[["a"], []], [["b"], []], null])
  })

  it("PR44: what is no splice of a queue is quiet", () => {
    const whole = { type: "agent/inbox/spliced", data: { start: 0, inserted: [] } }
    expect(waiting(splice("elsewhere", 0, 0, "a"), whole)).toStrictEqual([null, null])
  })
})

describe("goal", () => {
  const logged = { id: "g", revision: 1, objective: "o", phase: "active", maxGoalRounds: 2 }
  const change = (operation: string, rest: JsonObject): JsonObject => ({
    kind: "goal/change",
    version: 1,
    operation,
    ...rest,
  })
  const create = change("create", { goal: logged, roundsStarted: 0, createdAt: 5, updatedAt: 6 })
  const clear = change("clear", { cleared: { id: "g", revision: 1 }, clearedAt: 9 })
  const held = { goal: logged, roundsStarted: 0, createdAtMs: 5, updatedAtMs: 6 }

  it("PR45: holds the goal as it was logged last, until it is cleared", () => {
    const edited = { ...logged, revision: 2, phase: "paused" }
    const edit = change("pause", { goal: edited, roundsStarted: 1, createdAt: 5, updatedAt: 7 })
    const drafts = [create, create, edit, clear, clear].map((data) => event("goal/change", data))
    expect(toldOf(goal, drafts)).toStrictEqual([
      { current: held },
      null,
      { current: { goal: edited, roundsStarted: 1, createdAtMs: 5, updatedAtMs: 7 } },
      { current: null },
      null,
    ])
  })

  it("PR45: takes nothing of another version", () => {
    expect(toldOf(goal, [event("goal/change", { ...create, version: 2 })])).toStrictEqual([null])
  })

  it("PR45: reads a change in the source of a message", () => {
    const source = { kind: "goal", goalId: "g", revision: 1, round: 0, change: create }
    const message: Draft = {
      type: "user/message",
      data: { ...userData("u", []), source },
      surfaceOp: "append",
    }
    const plain: Draft = { type: "user/message", data: userData("v", []), surfaceOp: "append" }
    expect(toldOf(goal, [message, plain], 1)).toStrictEqual([{ current: held }, null])
  })
})

describe("team", () => {
  const of = (type: string, rest: JsonObject, teamId = "t"): Draft =>
    event(`team/${type}`, { version: 1, teamId, ...rest })
  const member = (id: string, phase: string): Draft => of("member", { member: { id, phase } })
  const task = (id: string, status: string): Draft => of("task", { task: { id, status } })

  it("PR46: holds members, tasks and waiting messages as they were logged last", () => {
    const told = toldOf(team, [
      member("m1", "provisioning"),
      member("m2", "active"),
      member("m1", "active"),
      member("m1", "active"),
      task("k1", "pending"),
      task("k2", "pending"),
      task("k1", "deleted"),
      of("message/queued", { message: { id: "q", senderId: "m1" } }),
      of("message/delivered", { messageId: "other", targetId: "m2" }),
      of("message/delivered", { messageId: "q", targetId: "m2" }),
    ])
    const members = [
      { id: "m1", phase: "active" },
      { id: "m2", phase: "active" },
    ]
    const tasks = [{ id: "k2", status: "pending" }]
    expect(told[2]).toStrictEqual({ teams: [{ teamId: "t", members, tasks: [], queued: [] }] })
    expect(told[3]).toBeNull()
    const queued = [{ id: "q", senderId: "m1" }]
    expect(told[7]).toStrictEqual({ teams: [{ teamId: "t", members, tasks, queued }] })
    expect(told[8]).toBeNull()
    expect(told[9]).toStrictEqual({ teams: [{ teamId: "t", members, tasks, queued: [] }] })
  })

  it("PR46: keeps teams apart, and takes nothing of another version", () => {
    const told = toldOf(team, [
      member("m", "active"),
      of("member", { member: { id: "m" } }, "u"),
      of("member", { member: { id: "n" }, version: 2 }),
      of("message/delivered", { messageId: "q" }, "w"),
    ])
    const rest = { tasks: [], queued: [] }
    expect(told).toStrictEqual([
      { teams: [{ teamId: "t", members: [{ id: "m", phase: "active" }], ...rest }] },
      {
        teams: [
          { teamId: "t", members: [{ id: "m", phase: "active" }], ...rest },
          { teamId: "u", members: [{ id: "m" }], ...rest },
        ],
      },
      null,
      null,
    ])
  })
})

describe("todo", () => {
  it("PR47: holds the list that was written last", () => {
    const write = (...words: string[]): Draft =>
      event("todo/write", { todos: words.map((content) => ({ content, status: "pending" })) })
    const item = (content: string): JsonObject => ({ content, status: "pending" })
    expect(toldOf(todo, [write("a"), write("a"), write("b", "a"), write()])).toStrictEqual([
      { todos: [item("a")] },
      null,
      { todos: [item("b"), item("a")] },
      { todos: [] },
    ])
  })
})

describe("built-in units", () => {
  const payload: JsonObject = { turn: "1", step: null, message: 7, todos: 1, start: -1, stream: {} }
  const types = new Set(builtInUnits.flatMap(({ reads }) => [...reads]))

  it("PR21: a state survives its own codec, whatever the events held", () => {
    const registry = registryOf(...builtInUnits)
    const odd = [...types].filter((type) => type.includes("/")).map((type) => event(type, payload))
    const surface = new Set(["user/message", "assistant/message", "tool/result"])
    const drafts = odd.map((each) =>
      surface.has(each.type) ? { ...each, surfaceOp: "append" } : each,
    )
    for (const version of [0, 4] as const) {
      const kept = drafts.filter(({ type }) => version === 0 || type !== "assistant/chunk")
      const events = eventsOf(
        kept.filter(({ type }) => version > 0 || type !== "assistant/attempt"),
      )
      const header = headerOf(version)
      const cells = openCells(registry, header, 0, -1)
      const [, rows] = rightOf(checkpointOf(registry, cells, sliceOf(events)))
      const restored = restoreRows(
        registry,
        rows,
        { baseSeq: events.length, events: [] },
        header,
        0,
      )
      expect(Object.keys(rightOf(restored).rows)).toStrictEqual(builtInUnits.map(({ key }) => key))
    }
  })
})
