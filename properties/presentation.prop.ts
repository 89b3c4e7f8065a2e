import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import type { FormatVersion } from "#core/format/format"
import { prependPrompts } from "#core/presentation/inspect-system-prompt"
import type { PromptPrefix } from "#core/presentation/inspect-system-prompt"
import type { PromptOrigin } from "#core/presentation/prompt-history"
import { effectiveSeq, PromptHistory } from "#core/presentation/prompt-history"
import { noTrajectory, stepTrajectory } from "#core/presentation/trajectory"
import { soleText } from "#core/prompt/system-prompt"
import { lastOf, statesOf } from "../test/core/presentation/windows.ts"
import { commands, runAll } from "./arbitraries/agents.ts"
import { rowsOf, sessions } from "./arbitraries/sessions.ts"
import { formatOf, rightRow } from "./carriers.ts"
import { NaiveSurface } from "./model/naive-surface.ts"
import { expectAllSeen } from "./seen.ts"

const textOf = (row: JsonObject | undefined): string => {
  const data = row?.["data"] as JsonObject | undefined
  const holder = data?.["message"] ?? data?.["header"]
  const { content, system } = (holder ?? {}) as {
    readonly content?: readonly { readonly text?: string }[]
    readonly system?: string
  }
  return system ?? (content ?? []).map(({ text }) => text ?? "").join("")
}

interface NaivePrompt {
  readonly seq: number
  readonly text: string
}

/** The system messages that stand, in surface order, by the model; up to format 2 the last header's. */
const standing = (model: NaiveSurface): readonly NaivePrompt[] => {
  if (model.version < 3) {
    const header = [...model.events.values()].findLast(({ type }) => type === "request/header")
    return header === undefined ? [] : [{ seq: header["seq"] as number, text: textOf(header) }]
  }
  return model.nodes
    .filter((seq) => model.kindOf(seq) === "system")
    .map((seq) => ({ seq, text: textOf(model.events.get(seq)) }))
}

const holding = (prompts: readonly NaivePrompt[]): string =>
  prompts.findLast(({ text }) => text !== "")?.text ?? ""

const told = ({ nodes }: PromptPrefix): readonly NaivePrompt[] =>
  nodes.map(({ node: { seq, text } }) => ({ seq, text }))

/** States without repeats: those that a reader keeps. */
const kept = (states: readonly PromptPrefix[]): readonly PromptPrefix[] => [
  ...new Set(states.filter(({ change }) => change !== null)),
]

const cuts = fc.nat({ max: 9_999 })

describe("system prompts as readers show them", () => {
  it("PF20: the nodes, their order and the prompt that holds = those of the naive model", () => {
    fc.assert(
      fc.property(sessions(), (session) => {
        const model = new NaiveSurface(session.version)
        const rows = rowsOf(session)
        for (const [i, state] of statesOf(session.version, rows).entries()) {
          const before = standing(model).length
          const row = rows[i] ?? {}
          expect(model.offer(row)).toBeNull()
          const prompts = standing(model)
          expect(state.isWithheld).toBe(false)
          expect(state.effective?.text ?? "").toBe(holding(prompts))
          if (session.version < 3) continue
          expect(told(state)).toEqual(prompts)
          if (row["type"] !== "system/message") continue
          expect(state.introduced).toMatchObject({
            seq: row["seq"],
            text: textOf(row),
            update: row["surfaceOp"] === "append" && before > 0,
          })
        }
      }),
    )
  })

  it("PF21: what a window tells is right: its own nodes, or nothing", () => {
    const seen = { withheld: 0, told: 0, none: 0 }
    fc.assert(
      fc.property(sessions(), cuts, (session, cut) => {
        const { version } = session
        const rows = rowsOf(session)
        const from = cut % Math.max(1, rows.length)
        const model = new NaiveSurface(version)
        for (const row of rows.slice(0, from)) model.offer(row)
        const firstSeq = model.nextSeq
        for (const [i, state] of statesOf(version, rows.slice(from)).entries()) {
          model.offer(rows[from + i] ?? {})
          const prompts = standing(model)
          if (state.isWithheld) {
            seen.withheld++
            expect([state.nodes, state.effective, state.introduced]).toEqual([[], null, null])
          } else if (state.effective === null) seen.none++
          else {
            seen.told++
            expect(state.effective.text).toBe(holding(prompts))
          }
          if (!state.isWithheld && version >= 3)
            expect(told(state)).toEqual(prompts.filter(({ seq }) => seq >= firstSeq))
        }
      }),
    )
    expectAllSeen(seen)
  })

  it("PF22: a window with its older pages before it = the whole log", () => {
    const seen = { resolved: 0 }
    fc.assert(
      fc.property(sessions(), cuts, cuts, (session, a, b) => {
        const { version } = session
        const rows = rowsOf(session)
        if (rows.length === 0) return
        const [first = 0, second = 0] = [a % rows.length, b % rows.length].sort((x, y) => x - y)
        const whole = statesOf(version, rows)
        const states = (from: number, to: number) => statesOf(version, rows.slice(from, to))
        const window = kept(states(second, rows.length))
        const page = kept(states(first, second))
        // page by page, or both at once
        const older = states(0, first).at(-1)
        if (older === undefined || page.length === 0) return
        const pages = prependPrompts(older, page)
        const all = prependPrompts(lastOf(pages), window)
        const expected = kept(whole.slice(first)).filter((state) => state !== whole[first - 1])
        expect(kept([...pages, ...all]).filter((state) => state !== older)).toEqual(expected)
        expect(prependPrompts(older, [...page, ...window])).toEqual([...pages, ...all])
        if (window.some(({ isWithheld }) => isWithheld)) seen.resolved++
      }),
    )
    expectAllSeen(seen)
  })

  it("PF23: only prompts and replacements make another state, and older ones stay", () => {
    fc.assert(
      fc.property(sessions(), (session) => {
        const { version } = session
        const rows = rowsOf(session)
        const states = statesOf(version, rows)
        const copies = structuredClone(states)
        for (const [i, row] of rows.entries()) {
          const isPrompt = row["type"] === (version < 3 ? "request/header" : "system/message")
          const marker = row["surfaceOp"] as JsonObject | undefined
          const isReplacement = version >= 3 && marker?.["op"] === "replace"
          if (i > 0 && !isPrompt && !isReplacement) expect(states[i]).toBe(states[i - 1])
        }
        expect(states).toEqual(copies)
      }),
    )
  })

  it("PF24: at every request a trajectory says the prompt that the model got", () => {
    const seen = { synthetic: 0, logged: 0 }
    fc.assert(
      fc.property(commands, (list) => {
        runAll(list, ({ agent, admission: { request } }) => {
          let state = noTrajectory(formatOf(4))
          for (let seq = 0; seq < agent.log.surface.nextSeq; seq++) {
            const { facts, data } = rightRow(4, agent.log.events[seq] ?? ({} as JsonObject))
            const before = state.latest
            state = stepTrajectory(state, facts, data)
            if (state.latest === before) continue
            seen[state.latest?.isSynthetic === true ? "synthetic" : "logged"]++
            // what it is compared with is what was told before it
            if (before !== null && state.latest?.change != null)
              expect(state.latest.change.previous).toBe(before.prompt)
          }
          const systems = request.messages.filter(({ role }) => role === "system")
          expect(state.base?.system).toBe(systems.map(soleText).at(-1) ?? "")
          expect(state.base?.tools).toEqual(request.tools ?? [])
        })
      }),
    )
    expectAllSeen(seen)
  })

  it("PF25: the prompts of a log, and what took each away = the naive model", () => {
    const origin = (row: JsonObject, before: number): PromptOrigin =>
      row["surfaceOp"] === "append"
        ? before > 0
          ? "update"
          : "append"
        : textOf(row) === ""
          ? "cleared"
          : "rewrite"
    fc.assert(
      fc.property(sessions(), (session) => {
        const version: FormatVersion = session.version
        if (version < 3) return
        const format = formatOf(version)
        const history = new PromptHistory(format)
        const model = new NaiveSurface(version)
        const expected: { seq: number; origin: PromptOrigin; shadowed: number | null }[] = []
        for (const row of rowsOf(session)) {
          const before = standing(model)
          model.offer(row)
          const { facts, data } = rightRow(version, row)
          const shadowedSeqs = model.replacements.find(({ seq }) => seq === facts.seq)?.shadowedSeqs
          history.take({
            facts,
            data,
            line: { byteOffset: facts.seq, byteLength: 1 },
            shadowedSeqs: shadowedSeqs ?? [],
          })
          for (const each of expected)
            if (shadowedSeqs?.includes(each.seq) === true) each.shadowed = facts.seq
          if (row["type"] === "system/message")
            expected.push({ seq: facts.seq, origin: origin(row, before.length), shadowed: null })
        }
        const entries = history.entries()
        expect(
          entries.map(({ seq, origin: how, shadowed }) => ({
            seq,
            origin: how,
            shadowed: shadowed?.seq ?? null,
          })),
        ).toEqual(expected)
        const last = standing(model).findLast(({ text }) => text !== "")
        expect(effectiveSeq(entries, model.nodes)).toBe(last?.seq ?? null)
      }),
    )
  })
})
