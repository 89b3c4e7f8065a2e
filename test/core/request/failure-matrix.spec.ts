import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import { isJsonObject } from "#core/data/json"
import { unlistedTools } from "#core/prompt/tool-order"
import type { Conversation } from "../../../properties/driver/converse.ts"
import { converse } from "../../../properties/driver/converse.ts"
import { models } from "../../../properties/driver/models.ts"
import type { Command, StepScript } from "../../../properties/driver/script.ts"

const plainStep: StepScript = {
  changes: [],
  compacts: null,
  prunes: false,
  decision: "enter",
  injects: false,
  cancels: null,
  failures: [],
  isLost: false,
  calls: 0,
}

const turn = (...steps: readonly Partial<StepScript>[]): Command => ({
  is: "turn",
  steps: steps.map((step) => ({ ...plainStep, ...step })),
})

const change = (is: "section" | "context" | "tool", text: string): Command => ({
  is: "change",
  change: { is, name: "n", text },
})

const shortened: Readonly<Record<string, string>> = {
  "agent/inbox/spliced": "inbox",
  "system/message": "system",
  "user/message": "user",
  "request/header": "header",
  "request/context": "context",
  "developer/message": "developer",
  "assistant/message": "answer",
  "assistant/attempt": "attempt",
}

const textIn = (object: JsonValue | undefined, key: string): readonly string[] => {
  const value = isJsonObject(object) ? object[key] : undefined
  return typeof value === "string" ? [value] : []
}

const reasonText = (reason: JsonObject): string =>
  [
    ...textIn(reason, "kind"),
    ...textIn(reason["reason"], "kind"),
    ...textIn(reason["error"], "code"),
  ].join(" ")

const rowText = ({ type, data }: JsonObject): string => {
  const { reason } = data as JsonObject
  if (type === "turn/end") return `turn/end ${reasonText(reason as JsonObject)}`
  return shortened[type as string] ?? (type as string)
}

interface Told extends Conversation {
  readonly rows: readonly JsonObject[]
  /** What happened in the last turn, from its start on. */
  readonly lastTurn: readonly string[]
}

const told = (...script: readonly Command[]): Told => {
  const [conversation] = converse(script)
  if (conversation === undefined) throw new RangeError("no conversation")
  const rows = conversation.lines.slice(1).map((line) => JSON.parse(line) as JsonObject)
  const begin = rows.findLastIndex(({ type }) => type === "turn/start")
  return { ...conversation, rows, lastTurn: rows.slice(begin).map(rowText) }
}

const claimed = ["turn/start", "inbox"]
const admitted = ["system", "user", "header", "context"]
const aborted = "turn/end aborted user"
const cancelledIn = (cancels: StepScript["cancels"]): Told => told(turn({ cancels }))

describe("a turn", () => {
  it("LS40: begins behind the receipt of its input, and logs each step in one order", () => {
    const { rows, lastTurn, sent } = told(turn({ calls: 1 }, {}))
    expect(rows.slice(0, 2).map(rowText)).toEqual(["inbox", "turn/start"])
    expect(lastTurn).toEqual([
      ...[...claimed, "step/start", ...admitted, "answer", "tool/call", "tool/result", "step/end"],
      ...["step/start", "answer", "step/end", "turn/end completed"],
    ])
    expect(sent.map(({ step, attempt }) => [step, attempt])).toEqual([
      [1, 1],
      [2, 1],
    ])
  })

  it("LS40: has the tools that came told behind the header that defines them", () => {
    const { lastTurn } = told(turn({}), change("tool", "does it"), turn({}))
    expect(lastTurn).toEqual([
      ...[...claimed, "step/start", "user", "header", "developer", "answer", "step/end"],
      "turn/end completed",
    ])
  })

  it("LS41: has no step where it is cancelled while its prompt is assembled", () => {
    const { lastTurn, sent } = cancelledIn("assembling")
    expect(lastTurn).toEqual([...claimed, aborted])
    expect(sent).toEqual([])
    // what was claimed is not there again
    const next = told(turn({ cancels: "assembling" }), turn({}))
    expect(next.lastTurn.filter((each) => each === "user")).toHaveLength(1)
  })

  it("LS42: has an empty step where it is cancelled while a request is prepared", () => {
    const { lastTurn, sent, session } = cancelledIn("preparing")
    expect(lastTurn).toEqual([...claimed, "step/start", "step/end", aborted])
    expect(sent).toEqual([])
    expect(session.log.surface.size).toBe(0)
  })

  it("LS43: keeps what was admitted before it was cancelled, and sends nothing", () => {
    const { lastTurn, sent } = cancelledIn("admitted")
    expect(lastTurn).toEqual([...claimed, "step/start", ...admitted, "step/end", aborted])
    expect(sent).toEqual([])
    // the header was logged by this very agent: there is none again
    const next = told(turn({ cancels: "admitted" }), turn({}))
    expect(next.lastTurn).toEqual([
      ...[...claimed, "step/start", "user", "answer", "step/end", "turn/end completed"],
    ])
  })

  it("LS43: logs nothing of a request that was cancelled before its model began", () => {
    const { lastTurn, sent } = cancelledIn("unstarted")
    expect(lastTurn).toEqual([...claimed, "step/start", ...admitted, "step/end", aborted])
    expect(sent.map(({ settledSeq }) => settledSeq)).toEqual([null])
  })

  it("LS44: keeps what could be seen of an answer that was cancelled", () => {
    const spoken = cancelledIn("speaking")
    expect(spoken.lastTurn).toEqual([
      ...[...claimed, "step/start", ...admitted, "answer", "step/end", aborted],
    ])
    const answer = spoken.rows.find(({ type }) => type === "assistant/message")
    expect(answer?.["data"]).toMatchObject({
      interrupted: true,
      message: { content: [{ type: "text", text: "I was about to" }] },
    })
    expect(cancelledIn("silent").lastTurn).toEqual([
      ...[...claimed, "step/start", ...admitted, "attempt", "step/end", aborted],
    ])
  })

  it("LS44: has a result for each call that it was cancelled in", () => {
    const { lastTurn, rows } = told(turn({ calls: 2, cancels: "calling" }))
    expect(lastTurn.slice(7)).toEqual([
      ...["answer", "tool/call", "tool/result", "tool/call", "tool/result", "step/end", aborted],
    ])
    const results = rows.filter(({ type }) => type === "tool/result")
    for (const { data } of results) expect(data).toMatchObject({ message: { isError: true } })
  })

  it("LS45: is not tried again once it is cancelled", () => {
    const { lastTurn, sent } = told(
      turn({ failures: [{ recovery: "policy", change: null }], cancels: "recovering" }),
    )
    expect(lastTurn).toEqual([
      ...[...claimed, "step/start", ...admitted, "attempt", "llm/retry", "llm/retry-started"],
      ...["attempt", "step/end", aborted],
    ])
    expect(sent).toHaveLength(2)
  })

  it("LS45: repeats neither its prompt nor its users in a retry, and takes its own route", () => {
    const { lastTurn, sent } = told(
      change("section", "Be brief."),
      turn({
        failures: [
          { recovery: "plain", change: { is: "model", model: 1 } },
          { recovery: "plain", change: { is: "section", name: "n", text: "Be long." } },
        ],
      }),
    )
    expect(lastTurn).toEqual([
      ...[...claimed, "step/start", ...admitted, "attempt", "header", "context", "attempt"],
      ...["answer", "step/end", "turn/end completed"],
    ])
    expect(sent.map(({ route, attempt }) => [route.config.model, attempt])).toEqual([
      ["plain", 1],
      ["prompts", 2],
      ["prompts", 3],
    ])
    expect(sent[2]?.request.messages).toEqual(sent[0]?.request.messages)
  })

  it("LS45: fails with what its last attempt failed for", () => {
    expect(told(turn({ isLost: true })).lastTurn).toEqual([
      ...[...claimed, "step/start", ...admitted, "attempt", "step/end", "turn/end error BROKEN"],
    ])
  })

  it("LS46: has no step where its prompt cannot be assembled, or its context rendered", () => {
    const fails = (...script: readonly Command[]): readonly string[] =>
      told(...script, turn({})).lastTurn
    const order = { is: "order", names: ["gone", unlistedTools] } as const
    expect(fails({ is: "change", change: order })).toEqual([
      ...claimed,
      "turn/end error tool-order-unknown",
    ])
    expect(fails(change("context", "{{nobody}}"))).toEqual([
      ...claimed,
      "turn/end error reference-unknown",
    ])
  })

  it("LS46: has an empty step where its prompt cannot be rendered", () => {
    expect(told(change("section", "{{nobody}}"), turn({})).lastTurn).toEqual([
      ...[...claimed, "step/start", "step/end", "turn/end error reference-unknown"],
    ])
  })

  it("LS47: has an empty step without a route, and fails for an unknown reason", () => {
    const model = models.findIndex(({ asked }) => asked.model === "")
    const { lastTurn, sent, session } = told(turn({ changes: [{ is: "model", model }] }))
    expect(lastTurn).toEqual([...claimed, "step/start", "step/end", "turn/end error UNKNOWN"])
    expect([sent.length, session.log.surface.size]).toEqual([0, 0])
  })

  it("LS47: goes to a model that no adapter serves with its config as it was proposed", () => {
    const model = models.findIndex(({ served }) => served === null)
    const { sent } = told(turn({ changes: [{ is: "model", model }] }))
    expect(sent.map(({ route }) => route)).toMatchObject([
      { config: models[model]?.asked, adapterDefaults: {}, contextWindow: null },
    ])
  })

  it("LS48: ends without a step where its first one is rejected, or comes to nothing", () => {
    expect(told(turn({ decision: "reject" })).lastTurn).toEqual([...claimed, "turn/end blocked"])
    expect(told(turn({ decision: "empty" })).lastTurn).toEqual([...claimed, "turn/end completed"])
    expect(told(turn({ calls: 1 }, { decision: "reject" })).lastTurn.slice(-3)).toEqual([
      ...["tool/result", "step/end", "turn/end blocked"],
    ])
  })

  it("LS49: takes input that comes while a request is prepared into its next step", () => {
    const { lastTurn, sent } = told(turn({ injects: true }, {}))
    expect(lastTurn).toEqual([
      ...[...claimed, "step/start", "inbox", ...admitted, "answer", "step/end"],
      ...["inbox", "step/start", "user", "answer", "step/end", "turn/end completed"],
    ])
    const users = sent.map(({ request }) => request.messages.filter(({ role }) => role === "user"))
    expect(users.map(({ length }) => length)).toEqual([1, 2])
  })

  it("LS49: tells of another model behind the input, and of the context behind both", () => {
    const { rows } = told(
      change("context", "in /x"),
      turn({}),
      change("context", "in /y"),
      turn({ changes: [{ is: "model", model: 1 }] }),
    )
    const kinds = rows
      .filter(({ type }) => type === "user/message")
      .map(({ data }) => ((data as JsonObject)["source"] as JsonObject)["kind"])
    expect(kinds).toEqual([
      ...["user", "runtime-context"],
      ...["user", "model-selection", "runtime-context"],
    ])
  })

  it("LS49: offers a context again that a cancelled step did not admit", () => {
    const { rows } = told(
      change("context", "in /x"),
      turn({ cancels: "preparing" }),
      turn({ decision: "reject" }),
      turn({}),
    )
    const contexts = rows.filter(
      ({ type, data }) =>
        type === "user/message" &&
        ((data as JsonObject)["source"] as JsonObject)["kind"] === "runtime-context",
    )
    expect(contexts).toHaveLength(1)
  })
})
