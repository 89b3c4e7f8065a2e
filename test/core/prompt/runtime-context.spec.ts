import { describe, expect, it } from "vitest"
import type { RuntimeContextState } from "#core/prompt/runtime-context"
import {
  neverTold,
  restoreRuntimeContext,
  runtimeContextCandidate,
  runtimeContextMessage,
  stepRuntimeContext,
} from "#core/prompt/runtime-context"
import type { EventDraft, RequestLog } from "#core/request/request-log"
import { eventIn } from "#core/request/request-log"
import { Agent, userMessage } from "../request/agent.ts"

const parts = [{ name: "cwd", text: "in /x" }]
const snapshot = (text: string): EventDraft => ({
  type: "user/message",
  data: runtimeContextMessage(`c-${text}`, { text, sections: parts }),
  surfaceOp: "append",
})
const other: EventDraft = { type: "user/message", data: userMessage("hi"), surfaceOp: "append" }

const over = (draft: EventDraft, ...seqs: readonly number[]): EventDraft => ({
  ...draft,
  surfaceOp: { op: "replace", startSeq: seqs[0] ?? -1, endSeq: seqs.at(-1) ?? -1 },
  sourceEventSeqs: seqs,
})

const logOf = (...drafts: readonly EventDraft[]): RequestLog => {
  const agent = new Agent()
  for (const draft of drafts) agent.append(draft)
  return agent.log
}

const read = (log: RequestLog): RuntimeContextState =>
  restoreRuntimeContext(log.surface, (seq) => eventIn(log, seq))

const lived = (log: RequestLog): RuntimeContextState =>
  log.events.reduce(stepRuntimeContext, neverTold)

const told = (state: RuntimeContextState, current: string): string | null =>
  runtimeContextCandidate(state, current, parts)?.text ?? null

const cleared = told({ is: "shadowed" }, "") ?? ""

describe("the runtime context that a model was told", () => {
  it("PM30: is the newest message of it that is on the surface", () => {
    expect(read(logOf())).toEqual({ is: "never" })
    expect(read(logOf(other))).toEqual({ is: "never" })
    expect(read(logOf(snapshot("a"), other, snapshot("b"), other))).toEqual({
      is: "retained",
      seq: 2,
      text: "b",
    })
    // the newest is gone: the older one that is still there; none is there: gone
    const one = logOf(snapshot("a"), snapshot("b"), over(other, 1))
    expect(read(one)).toEqual({ is: "retained", seq: 0, text: "a" })
    expect(read(logOf(snapshot("a"), over(other, 0)))).toEqual({ is: "shadowed" })
  })

  it("PM30: is not one text where there are several blocks", () => {
    const block = { type: "text", text: "a" }
    const data = {
      ...runtimeContextMessage("i", { text: "a", sections: [] }),
      content: [block, block],
    }
    const state = read(logOf({ ...snapshot("a"), data }))
    expect(state).toEqual({ is: "retained", seq: 0, text: null })
    expect(told(state, "a")).toBe("a")
  })

  it("PM30: is another's where the source is of another kind", () => {
    const data = { ...userMessage("a"), source: { kind: "runtime-contexts" } }
    expect(read(logOf({ ...snapshot("a"), data }))).toEqual({ is: "never" })
    expect(lived(logOf({ ...snapshot("a"), data }))).toEqual({ is: "never" })
  })

  it("PM31: follows the log: told, replaced by its own, shadowed by others", () => {
    expect(lived(logOf(snapshot("a"), other))).toEqual({ is: "retained", seq: 0, text: "a" })
    expect(lived(logOf(snapshot("a"), over(snapshot("b"), 0)))).toEqual({
      is: "retained",
      seq: 1,
      text: "b",
    })
    expect(lived(logOf(other, snapshot("a"), over(other, 0, 1)))).toEqual({ is: "shadowed" })
    const state: RuntimeContextState = { is: "retained", seq: 1, text: "a" }
    const log = logOf(other, snapshot("a"), over(other, 0))
    expect(stepRuntimeContext(state, eventIn(log, 2))).toBe(state)
    expect(stepRuntimeContext(neverTold, eventIn(log, 2))).toBe(neverTold)
  })

  it("PM31: is shadowed by an event that cites it within a range", () => {
    const log = logOf(other, snapshot("a"), other, over(other, 0, 1, 2))
    const cited = { ...eventIn(log, 3), sourceEventSeqs: [[0, 2]] }
    const state: RuntimeContextState = { is: "retained", seq: 1, text: "a" }
    expect(stepRuntimeContext(state, cited)).toEqual({ is: "shadowed" })
    const beside = { ...cited, sourceEventSeqs: [0, [2, 2]] }
    expect(stepRuntimeContext(state, beside)).toBe(state)
  })

  it("PM31: a message that is shadowed live is gone, though an older one is there", () => {
    const log = logOf(snapshot("a"), snapshot("b"), over(other, 1))
    expect(lived(log)).toEqual({ is: "shadowed" })
    expect(read(log)).toEqual({ is: "retained", seq: 0, text: "a" })
  })

  it("PM32: is told again where it changed, or went away", () => {
    const retained = (text: string | null): RuntimeContextState => ({
      is: "retained",
      seq: 0,
      text,
    })
    expect(told(neverTold, "")).toBeNull()
    expect(told(neverTold, "a")).toBe("a")
    expect(told({ is: "shadowed" }, "a")).toBe("a")
    expect(cleared).toMatch(/^[A-Z].+\.$/)
    expect(told(retained("a"), "a")).toBeNull()
    expect(told(retained("a"), "b")).toBe("b")
    expect(told(retained("a"), "")).toBe(cleared)
    expect(told(retained(cleared), "")).toBeNull()
    expect(told(retained(cleared), "a")).toBe("a")
    expect(told(retained(null), "")).toBe(cleared)
  })

  it("PM33: names its parts in its source, and none where it ended", () => {
    const sections = [{ name: "cwd", text: "in /x", more: 1 }]
    const message = runtimeContextMessage("i", { text: "all", sections })
    expect(message).toEqual({
      id: "i",
      role: "user",
      source: {
        kind: "runtime-context",
        form: "snapshot",
        sections: [{ name: "cwd", text: "in /x" }],
      },
      content: [{ type: "text", text: "all" }],
    })
    const end = runtimeContextCandidate({ is: "shadowed" }, "", parts)
    expect(end === null ? null : runtimeContextMessage("i", end)["source"]).toEqual({
      kind: "runtime-context",
    })
    const bare = runtimeContextCandidate(neverTold, "a", [])
    expect(bare === null ? null : runtimeContextMessage("i", bare)["source"]).toEqual({
      kind: "runtime-context",
    })
  })

  it("PM32: is told once, again after it was compacted away, and ended once", () => {
    const agent = new Agent()
    const seen: (string | null)[] = []
    const step = (current: string): void => {
      const state = read(agent.log)
      const candidate = runtimeContextCandidate(state, current, parts)
      seen.push(candidate?.text ?? null)
      if (candidate !== null)
        agent.append({
          type: "user/message",
          data: runtimeContextMessage(`c-${seen.length}`, candidate),
          surfaceOp: "append",
        })
    }
    agent.append(other)
    step("a")
    step("a")
    agent.compact(0, 1)
    step("a")
    step("")
    step("")
    agent.compact(0, 2)
    step("")
    expect(seen).toEqual(["a", null, "a", cleared, null, cleared])
  })
})
