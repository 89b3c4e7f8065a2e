import { describe, expect, it } from "vitest"
import type { RequestPrompt } from "#core/presentation/request-prompt"
import { inspectRequestPrompt } from "#core/presentation/request-prompt"
import type { Draft } from "../surface/events.ts"
import { assistant, note, numbered, user } from "../surface/events.ts"
import {
  factsOf,
  header,
  lastOf,
  prompt,
  rewritten,
  stepStart,
  summary,
  toldFact,
  toolOf,
  trajectoriesOf,
} from "./windows.ts"

const config = { provider: "p", model: "m" }
const promptWith = (system: string | null, tools: readonly string[] = []): RequestPrompt => ({
  config,
  system,
  tools: tools.map(toolOf),
})

/** Facts of a log of format 4, in short. */
const facts = (...drafts: readonly Draft[]): readonly string[] => factsOf(4, drafts).map(toldFact)

/** A step with a prompt, before its header. */
const step = (turn: number, n: number, ...drafts: readonly Draft[]): readonly Draft[] => [
  stepStart(turn, n),
  ...drafts,
  user(),
]

describe("what a request header changes", () => {
  const node = { seq: 4, time: 44, turn: 1, step: 1, text: "B", update: false }
  const logged = (reason: string | null, tools: readonly string[] = []) => ({
    seq: 9,
    time: 99,
    header: { config, tools: tools.map(toolOf) },
    reason,
  })

  it("PF13: without one before, only an initial one is a change; it is that of its prompt", () => {
    const inspected = inspectRequestPrompt(null, logged("initial"), node, "B")
    expect(inspected).toStrictEqual({
      prompt: promptWith("B"),
      change: { seq: 4, time: 44, kind: "initial", previous: null },
    })
    const bare = inspectRequestPrompt(null, logged("initial"), null, "")
    expect(bare.change).toStrictEqual({ seq: 9, time: 99, kind: "initial", previous: null })
    for (const reason of ["resume", "change", "series", null])
      expect(inspectRequestPrompt(null, logged(reason), node, "B").change).toBeNull()
  })

  it("PF13: a prompt, tools or both; what changed says which event is shown", () => {
    const before = promptWith("A", ["t"])
    const changeOf = (tools: readonly string[], text: string) =>
      inspectRequestPrompt(before, logged("change", tools), { ...node, text }, text).change
    expect(changeOf(["t"], "A")).toBeNull()
    expect(changeOf(["t"], "B")).toStrictEqual({
      seq: 4,
      time: 44,
      kind: "system",
      previous: before,
    })
    expect(changeOf(["u"], "A")).toMatchObject({ seq: 9, time: 99, kind: "tools" })
    expect(changeOf([], "B")).toMatchObject({ seq: 4, time: 44, kind: "system-and-tools" })
    const cleared = inspectRequestPrompt(before, logged("series", ["t"]), null, "").change
    expect(cleared).toMatchObject({ seq: 9, time: 99, kind: "system" })
  })

  it("PF14: Q-18: a header after an update tells no change of the prompt", () => {
    const before = promptWith("A")
    const update = { ...node, update: true }
    expect(inspectRequestPrompt(before, logged("change"), update, "B")).toStrictEqual({
      prompt: promptWith("B"),
      change: null,
    })
    const tools = inspectRequestPrompt(before, logged("change", ["t"]), update, "B").change
    expect(tools).toMatchObject({ seq: 9, kind: "tools" })
  })

  it("PF18: what is not known has not changed", () => {
    expect(inspectRequestPrompt(promptWith(null), logged("series"), node, "B").change).toBeNull()
    expect(inspectRequestPrompt(promptWith("A"), logged("series"), null, null)).toStrictEqual({
      prompt: promptWith(null),
      change: null,
    })
  })
})

describe("a trajectory", () => {
  it("PF15: Q-19: an update behind a header makes a synthetic one", () => {
    const log = [
      ...step(1, 1, prompt("A", 1, 1)),
      header("initial", ["t"]),
      assistant(4),
      ...step(1, 2, prompt("B", 1, 2)),
    ]
    expect(factsOf(4, log)).toStrictEqual([
      {
        seq: 3,
        time: 1_003,
        turn: 1,
        step: 1,
        isSynthetic: false,
        prompt: promptWith("A", ["t"]),
        change: { seq: 1, time: 1_001, kind: "initial", previous: null },
        showsPrompt: false,
      },
      {
        seq: 6,
        time: 1_006,
        turn: 1,
        step: 2,
        isSynthetic: true,
        prompt: promptWith("B", ["t"]),
        change: { seq: 6, time: 1_006, kind: "system", previous: promptWith("A", ["t"]) },
        showsPrompt: false,
      },
    ])
  })

  it("PF15: without a header before there is nothing to stand for, nor for an empty update", () => {
    expect(facts(...step(1, 1, prompt("A"), prompt("B")))).toEqual([])
    expect(facts(...step(1, 1, prompt("A"), prompt("B")), header("initial"))).toEqual([
      "4 initial@2 ?>B",
    ])
    expect(facts(...step(1, 1, prompt("A")), header("initial"), prompt(""))).toEqual([
      "3 initial@1 ?>A",
    ])
  })

  it("PF16: Q-19: A, B, C tells that C follows B", () => {
    expect(
      facts(
        ...step(1, 1, prompt("A", 1, 1)),
        header("initial"),
        ...step(1, 2, prompt("B", 1, 2)),
        ...step(1, 3, prompt("C", 1, 3)),
        header("change", ["t"]),
        ...step(2, 1, rewritten("D", 1, 2, 1), rewritten("", 5, 2, 1), rewritten("", 8, 2, 1)),
        header("series", ["t"]),
      ),
    ).toEqual([
      "3 initial@1 ?>A",
      "~5 system@5 A>B",
      "~8 system@8 B>C",
      "10 tools@10 C>C",
      // the head was rewritten at 12, and holds since the tails are empty
      "16 system@14 C>D",
    ])
  })

  it("PF17: Q-18: a header does not show again what its own step has shown", () => {
    const initial = (turn: number) => [
      ...step(1, 1, prompt("A", 1, 1)),
      ...(turn === 1 ? [] : [stepStart(turn, 1)]),
      header("initial"),
    ]
    expect(facts(...initial(1))).toEqual(["3 initial@1 ?>A"])
    // a step was given up before its header
    expect(facts(...initial(2))).toEqual(["4 initial@1 ?>A shown"])
    const cleared = [...initial(1), ...step(1, 2, rewritten("", 1, 1, 2)), header("series")]
    expect(facts(...cleared)).toEqual(["3 initial@1 ?>A", "7 system@7 A> shown"])
    const rewrittenThen = [...initial(1), ...step(1, 2, rewritten("B", 1, 1, 2)), header("series")]
    expect(facts(...rewrittenThen)).toEqual(["3 initial@1 ?>A", "7 system@5 A>B"])
  })

  it("PF14: Q-18: the header that follows an update in its step tells of tools alone", () => {
    const log = [
      ...step(1, 1, prompt("A", 1, 1)),
      header("initial"),
      ...step(1, 2, prompt("B", 1, 2)),
      header("change", ["t"]),
    ]
    expect(facts(...log)).toEqual(["3 initial@1 ?>A", "~5 system@5 A>B", "7 tools@7 B>B"])
  })

  it("PF7: a prompt that a compaction brought back is told by the next header", () => {
    const log = [
      ...step(1, 1, prompt("A", 1, 1)),
      header("initial"),
      ...step(1, 2, prompt("B", 1, 2)),
      summary(user(), [2, 5]),
      stepStart(1, 3),
      header("series"),
    ]
    expect(facts(...log)).toEqual(["3 initial@1 ?>A", "~5 system@5 A>B", "9 system@7 B>A shown"])
  })

  it("PF18: a window without the first prompt does not know it, and tells no change from it", () => {
    const window = (from: number): readonly string[] => {
      const drafts = [
        ...step(1, 1, prompt("A", 1, 1)),
        header("initial"),
        stepStart(1, 2),
        header("change", ["t"]),
        ...step(2, 1, prompt("B", 2, 1)),
        header("series", ["t"]),
        ...step(2, 2, prompt("C", 2, 2)),
      ]
      return factsOf(4, drafts.slice(from), from).map(toldFact)
    }
    expect(window(0)).toEqual([
      ...["3 initial@1 ?>A", "5 tools@5 A>A", "~7 system@7 A>B", "9 - ?>B", "~11 system@11 B>C"],
    ])
    // B is the first prompt that the window has: no update, and what C follows
    expect(window(4)).toEqual(["5 - ?>?", "9 - ?>B", "~11 system@11 B>C"])
    expect(window(8)).toEqual(["9 - ?>?"])
  })

  it("PF18: a withheld prompt is not known", () => {
    const drafts = [prompt("C", 2, 2), header("series"), rewritten("A2", 1, 2, 2), header("series")]
    expect(factsOf(4, drafts, 20).map(toldFact)).toEqual(["21 - ?>C", "23 - ?>?"])
  })

  it("PF3: up to format 2 headers hold the prompt, and show what they change", () => {
    for (const version of [0, 1, 2] as const) {
      const log = [
        stepStart(1, 1),
        header("initial", ["t"], "A"),
        stepStart(1, 2),
        header("change", [], "A"),
        stepStart(2, 1),
        header("change", [], "B"),
        header("change", ["t"]),
      ]
      expect(factsOf(version, log).map(toldFact)).toEqual([
        "1 initial@1 ?>A shown",
        "3 tools@3 A>A",
        "5 system@5 A>B shown",
        "6 system-and-tools@6 B> shown",
      ])
      const last = lastOf(factsOf(version, log))
      expect([last.turn, last.step, last.isSynthetic]).toEqual([2, 1, false])
      expect(factsOf(version, log.slice(2), 2).map(toldFact)).toEqual([
        ...["3 - ?>A", "5 system@5 A>B shown", "6 system-and-tools@6 B> shown"],
      ])
    }
  })

  it("PF8: what shows nothing leaves the very trajectory", () => {
    const states = trajectoriesOf(
      4,
      numbered([...step(1, 1, prompt("A")), header("initial"), assistant(4), note, user()]),
    )
    for (const state of states.slice(4)) expect(state).toBe(states[3])
  })
})
