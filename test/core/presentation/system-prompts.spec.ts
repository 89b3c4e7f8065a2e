import { describe, expect, it } from "vitest"
import type { PromptPrefix } from "#core/presentation/inspect-system-prompt"
import {
  inspectSystemPrompt,
  noPrompts,
  prependPrompts,
} from "#core/presentation/inspect-system-prompt"
import type { SystemNode } from "#core/prompt/system-prompt"
import { reconcileSystemPrompt } from "#core/prompt/system-prompt"
import { deepFrozen } from "../../../properties/token-steps.ts"
import { systemData } from "../../../properties/arbitraries/dialect.ts"
import type { Draft } from "../surface/events.ts"
import { assistant, note, numbered, user } from "../surface/events.ts"
import { header, lastOf, prompt, promptsOf, rewritten, statesOf, summary, told } from "./windows.ts"

const effective = (...drafts: readonly Draft[]): string | null =>
  told(lastOf(promptsOf(...drafts)).effective)

describe("a system prompt as readers show it", () => {
  it("PF1: Q-18: has its event, its step and its text; one that follows another is an update", () => {
    const states = promptsOf(prompt("A", 1, 1), user(), prompt("B", 2, 3))
    expect(states[0]?.introduced).toStrictEqual({
      seq: 0,
      time: 1_000,
      turn: 1,
      step: 1,
      text: "A",
      update: false,
    })
    expect(states[2]?.introduced).toStrictEqual({
      seq: 2,
      time: 1_002,
      turn: 2,
      step: 3,
      text: "B",
      update: true,
    })
    expect(states[2]?.effective).toBe(states[2]?.introduced)
  })

  it("PF1: an empty one before it makes an update of it as well, a replacement is none", () => {
    expect(effective(prompt(""), prompt("B"))).toBe("1 B+")
    expect(effective(prompt("A"), rewritten("B", 0))).toBe("1 B")
    // nothing stands before it any more
    expect(effective(user(), prompt("A"), summary(user(), [0, 1]), prompt("B"))).toBe("3 B")
  })

  it("PF2: its text is that of all its text blocks", () => {
    const text = (words: string) => ({ type: "text", text: words })
    const data = systemData(4, { turn: 1, step: 1 }, "s", [text("A"), { type: "x" }, text("\nB")])
    const [state] = promptsOf({ type: "system/message", data, surfaceOp: "append" })
    expect(state?.introduced?.text).toBe("A\nB")
  })

  it("PF3: up to format 2 it is that of the request header, unless it says the same again", () => {
    for (const version of [0, 1, 2] as const) {
      const states = statesOf(
        version,
        numbered([
          header("initial", [], ""),
          header("initial", [], "A"),
          user(),
          header("change", ["t"], "A"),
          header("change", [], "B"),
          header("change"),
        ]),
      )
      expect(states.map((state) => told(state.effective))).toEqual([
        ...[null, "1 A", "1 A", "1 A", "4 B", null],
      ])
      expect(states[3]).toBe(states[1])
      expect(told(states[5]?.introduced ?? null)).toBe("5 ")
    }
    // later formats have it nowhere else than on the surface
    expect(effective(prompt("A"), header("change"))).toBe("0 A")
  })

  it("PF3: a replacement of messages means nothing to a prompt in a header", () => {
    const replaced = { ...user(), surfaceOp: { op: "replace", start: 1, end: 1 } }
    const rows = numbered([
      header("initial", [], "A"),
      user(),
      { ...replaced, sourceEventSeqs: [1] },
    ])
    const states = statesOf(2, rows)
    expect(states[2]).toBe(states[0])
    // not in a window that begins behind what was replaced either
    expect(lastOf(statesOf(2, rows.slice(2))).isWithheld).toBe(false)
  })

  it("PF4: without the earlier one in its window an update is an initial prompt", () => {
    const rows = numbered([prompt("A"), user(), prompt("B"), user(), prompt("C")])
    const shown = (from: number) =>
      statesOf(4, rows.slice(from)).map((state) => told(state.effective))
    expect(shown(0)).toEqual(["0 A", "0 A", "2 B+", "2 B+", "4 C+"])
    expect(shown(1)).toEqual([null, "2 B", "2 B", "4 C+"])
  })

  it("PF5: the last one with text holds, an empty one keeps its place", () => {
    const states = promptsOf(prompt("A"), prompt("B"), prompt(""), rewritten("C", 2))
    expect(states.map((state) => told(state.effective))).toEqual(["0 A", "1 B+", "1 B+", "3 C"])
    expect(lastOf(states).nodes.map(({ node }) => node.seq)).toEqual([0, 1, 3])
    expect(effective(prompt("A"), rewritten("", 0))).toBeNull()
  })

  it("PF6: a head that is rewritten late is still before what was appended meanwhile", () => {
    const states = promptsOf(
      prompt("A"),
      user(),
      prompt("B"),
      rewritten("A2", 0),
      rewritten("A3", 3),
    )
    expect(lastOf(states).nodes.map(({ node }) => node.text)).toEqual(["A3", "B"])
    expect(told(lastOf(states).effective)).toBe("2 B+")
    expect(told(lastOf(states).introduced)).toBe("4 A3")
  })

  it("PF6: endpoints are places: what was replaced again and again stays where it was", () => {
    const drafts = [
      prompt("A"),
      user(),
      prompt("B"),
      user(),
      // 4 stands where 1 was, 5 where 3 was
      summary(user(), [1]),
      summary(user(), [3]),
      // from place 1 to place 3, with B in between
      summary(user(), [4, 2, 5]),
    ]
    expect(effective(...drafts.slice(0, 6))).toBe("2 B+")
    expect(effective(...drafts)).toBe("6 A")
  })

  it("PF7: a compaction brings back the prompt before, as of the event that did", () => {
    const states = promptsOf(prompt("A", 1, 1), user(), prompt("B", 2, 1), summary(user(), [1, 2]))
    expect(lastOf(states).effective).toStrictEqual({
      seq: 3,
      time: 1_003,
      turn: 1,
      step: 1,
      text: "A",
      update: false,
    })
    expect(lastOf(states).introduced).toBeNull()
    // and it is the very same from there on
    const more = promptsOf(
      ...[prompt("A"), user(), prompt("B"), summary(user(), [1, 2]), user(), summary(user(), [4])],
    )
    expect(more[5]?.effective).toBe(more[3]?.effective)
  })

  it("PF8: what is appended, and what is not on the surface, leaves the very state", () => {
    const states = promptsOf(prompt("A"), user(), assistant(4), note, header("initial"))
    for (const state of states.slice(1)) expect(state).toBe(states[0])
    const start = noPrompts()
    expect(inspectSystemPrompt(start, null)).toBe(start)
  })

  it("PF9: older states stay as they were, also when two grow from one", () => {
    const rows = numbered([prompt("A"), user(), prompt("B"), summary(user(), [1]), prompt("C")])
    const states = statesOf(4, rows)
    const before = states.map((state) => ({ ...state, positions: new Map(state.positions) }))
    const base = deepFrozen(states[2] as PromptPrefix)
    const [one] = statesOf(4, [{ ...summary(user(), [1, 2]), seq: 3, time: 9 }], base)
    const [other] = statesOf(4, [{ ...rewritten("D", 0), seq: 3, time: 9 }], base)
    expect([told(one?.effective ?? null), told(other?.effective ?? null)]).toEqual(["3 A", "2 B+"])
    expect(states).toEqual(before)
    // of each replacement that stands there is a place, and only in the states since
    expect(states.map(({ positions }) => [...positions])).toEqual([[], [], [], [[3, 1]], [[3, 1]]])
  })
})

describe("a window of a log", () => {
  // the head is rewritten at 5, and the summary at 7 reaches from 1 to 4
  const rows = numbered([
    ...[prompt("A"), user(), prompt("B"), user(), user(), rewritten("A2", 0), user()],
    ...[summary(user(), [1, 2, 3, 4]), prompt("C"), user(), summary(user(), [9])],
  ])
  const whole = statesOf(4, rows)
  const shownFrom = (from: number): readonly (string | null)[] =>
    statesOf(4, rows.slice(from)).map((state) =>
      state.isWithheld ? "withheld" : told(state.effective),
    )

  it("PF10: Q-20: withholds all prompts behind a replacement that reaches out of it", () => {
    expect(whole.map((state) => told(state.effective))).toEqual([
      ...["0 A", "0 A", "2 B+", "2 B+", "2 B+", "2 B+", "2 B+"],
      ...["7 A2", "8 C+", "8 C+", "8 C+"],
    ])
    expect(shownFrom(1)).toEqual([null, "2 B", "2 B", "2 B", ...Array<string>(6).fill("withheld")])
    expect(shownFrom(6)).toEqual([null, ...Array<string>(4).fill("withheld")])
    const [, state] = statesOf(4, rows.slice(6))
    expect(state).toMatchObject({ nodes: [], effective: null, introduced: null, firstSeq: 6 })
    expect(state?.positions.size).toBe(0)
  })

  it("PF10: one end outside is enough", () => {
    // from 1 to 4, of a window that begins at 3; and what stands in the place of 0 alone
    const far = { ...summary(user(), [1, 4]), seq: 7, time: 1 }
    expect(lastOf(statesOf(4, [...rows.slice(3, 5), rows[6] ?? {}, far])).isWithheld).toBe(true)
    expect(lastOf(statesOf(4, rows.slice(5, 6))).isWithheld).toBe(true)
  })

  it("PF10: a place that somebody kept is known", () => {
    const [replacement, appended] = [
      { ...summary(user(), [90]), seq: 101, time: 1 },
      { ...prompt("D"), seq: 102, time: 2 },
    ]
    expect(lastOf(statesOf(4, [replacement, appended], noPrompts(100))).isWithheld).toBe(true)
    const known = statesOf(4, [replacement, appended], noPrompts(100, new Map([[90, 40]])))
    expect(lastOf(known)).toMatchObject({ isWithheld: false, effective: { text: "D" } })
    expect([...lastOf(known).positions]).toEqual([[101, 40]])
  })

  it("PF11: begins at its first event: what was appended in it is known", () => {
    expect(shownFrom(8)).toEqual(["8 C", "8 C", "8 C"])
    const [, state] = statesOf(4, numbered([user(), summary(user(), [50]), prompt("A")], 50))
    expect(state?.isWithheld).toBe(false)
    // the very first events of a log, without any prompt
    expect(effective(user(), assistant(4), summary(user(), [0, 1]), prompt("A"))).toBe("3 A")
  })

  it("PF12: Q-20: with older pages before it, it tells all", () => {
    for (let from = 1; from < rows.length; from++) {
      const older = lastOf(statesOf(4, rows.slice(0, from)))
      const later = statesOf(4, rows.slice(from)).filter(({ change }) => change !== null)
      const seqs = new Set(later.map(({ change }) => change?.seq))
      const expected = whole.filter(
        (state, i) => i >= from && state !== whole[i - 1] && seqs.has(state.change?.seq),
      )
      const unique = [...new Set(later)]
      expect(prependPrompts(older, unique)).toEqual(expected)
    }
    // pages come one by one: still withheld after the first
    const last = statesOf(4, rows.slice(6))
    const page = lastOf(statesOf(4, rows.slice(2, 6)))
    const [withheld] = prependPrompts(page, [...new Set(last)].slice(1))
    expect(withheld?.isWithheld).toBe(true)
  })

  it("PF12: an empty header that opened a window is told to what comes before it", () => {
    const headers = numbered([header("initial", [], "A"), header("change"), header("change")])
    const older = lastOf(statesOf(2, headers.slice(0, 1)))
    const later = [...new Set(statesOf(2, headers.slice(1)))]
    expect(later.map(({ change }) => change?.seq)).toEqual([1])
    expect(lastOf(prependPrompts(older, later))).toEqual(lastOf(statesOf(2, headers)))
  })
})

/** The examples of the note: system nodes, the rendering and route, what is logged and then shown. */
const examples: readonly (readonly [
  id: string,
  before: readonly string[],
  rendered: string,
  route: "continues" | "starts" | "plain",
  logged: readonly string[],
  holds: string,
  nodes: readonly string[],
])[] = [
  ["B.a", [], "A", "continues", ["+A"], "A", ["A"]],
  ["B.a", [], "A", "plain", ["+A"], "A", ["A"]],
  ["B.b", [], "", "starts", ["+"], "", [""]],
  ["B.c", ["A"], "B", "continues", ["+B"], "B+", ["A", "B"]],
  ["B.d", ["A", "B"], "B", "continues", [], "B+", ["A", "B"]],
  ["B.e", ["A", "B"], "B", "starts", ["2:", "0:B"], "B", ["B", ""]],
  ["B.f", ["A", "B"], "A", "plain", ["2:"], "A", ["A", ""]],
  ["B.g", ["A", "B", "C"], "", "continues", ["2:", "4:", "0:"], "", ["", "", ""]],
  ["B.h", ["", ""], "", "plain", [], "", ["", ""]],
  ["B.i", [""], "D", "continues", ["+D"], "D+", ["", "D"]],
  ["B.j", [""], "D", "plain", ["0:D"], "D", ["D"]],
  ["B.l", ["A"], "B", "continues", ["+B"], "B+", ["A", "B"]],
  ["B.m", ["A"], "B", "continues", ["+B"], "B+", ["A", "B"]],
]

describe("the examples of the note, as a reader shows them", () => {
  // conversation stands between prompts: 0, 2 and 4
  const logOf = (texts: readonly string[]): readonly Draft[] =>
    texts.flatMap((text) => [prompt(text), user()])

  const nodesBefore = (texts: readonly string[]): readonly SystemNode[] =>
    texts.map((text, i) => ({ seq: i * 2, text }))

  it.each(examples)(
    "PF5: %s: %j, then %j, %s",
    (_, before, rendered, route, logged, holds, nodes) => {
      const commits = reconcileSystemPrompt(nodesBefore(before), rendered, {
        isInHistory: route !== "plain",
        startsSeries: route === "starts",
      })
      expect(
        commits.map(({ text, replaces }) => `${replaces === null ? "+" : `${replaces}:`}${text}`),
      ).toEqual(logged)
      const events = logged.map((each) => {
        const [place, text = ""] = each.startsWith("+") ? [null, each.slice(1)] : each.split(":")
        return place === null ? prompt(text) : rewritten(text, Number(place))
      })
      const states = promptsOf(...logOf(before), ...events, user())
      const { effective: now, nodes: standing } = lastOf(states)
      expect(now === null ? "" : `${now.text}${now.update ? "+" : ""}`).toBe(holds)
      expect(standing.map(({ node }) => node.text)).toEqual(nodes)
    },
  )

  it("PF7: B.k: shadowed by a compaction, the prompt is rewritten at the head", () => {
    const compacted = [prompt("A"), user(), prompt("B"), summary(user(), [1, 2])]
    expect(effective(...compacted)).toBe("3 A")
    const starting = { isInHistory: true, startsSeries: true }
    expect(reconcileSystemPrompt([{ seq: 0, text: "A" }], "B", starting)).toEqual([
      { text: "B", replaces: 0 },
    ])
    expect(effective(...compacted, rewritten("B", 0))).toBe("4 B")
  })

  it("PF8: B.n: nothing was committed, and nothing is shown", () => {
    const cancelled: Draft = { type: "step/end", data: { turn: 2, step: 1 } }
    const start: Draft = { type: "step/start", data: { turn: 2, step: 1 } }
    const states = promptsOf(prompt("A"), user(), start, cancelled)
    expect(lastOf(states)).toBe(states[0])
  })
})
