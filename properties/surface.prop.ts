import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import { refusalSeq } from "#core/data/refusal"
import { surfaceKind } from "#core/format/surface-kind"
import { messageTokens } from "#core/tokens/estimate"
import { brokenSessions, forks, rowsOf, sessions } from "./arbitraries/sessions.ts"
import { renumbered } from "./arbitraries/shift.ts"
import { DraftCarrier, FoldCarrier, noSurface, StateCarrier, stateText } from "./carriers.ts"
import { isRun, messageOf, runLength, says } from "./model/naive-row.ts"
import { NaiveSurface } from "./model/naive-surface.ts"

const cuts = fc.array(fc.nat({ max: 30 }), { maxLength: 4 })

describe("one planner, whatever carries the surface", () => {
  it("PL1: equals an array that is searched and spliced, refusals and all", () => {
    fc.assert(
      fc.property(brokenSessions(), ({ version, header, offers }) => {
        const model = new NaiveSurface(version)
        const state = new StateCarrier(noSurface(version))
        const draft = new DraftCarrier(version)
        const fold = new FoldCarrier(header)
        for (const { row } of offers) {
          const code = model.offer(row)
          for (const carrier of [state, draft, fold]) {
            const refusal = carrier.offer(row)
            expect(refusal?.code ?? null).toBe(code)
            if (refusal !== null) expect(refusalSeq(refusal)).toBe(row["seq"] ?? row["seq0"])
          }
          expect(state.nodes).toEqual(model.nodes)
          expect(draft.draft.nodes().map(({ seq }) => seq)).toEqual(model.nodes)
        }
        expect(fold.replacements).toEqual(model.replacements)
        const { surface } = fold.fold
        for (const end of [state.state, draft.draft.seal(), surface.seal()]) {
          expect(end.nextSeq).toBe(model.nextSeq)
          expect(end.replaceGeneration).toBe(model.replaceGeneration)
          expect(end.contentGeneration).toBe(model.contentGeneration)
          expect(end.projected).toEqual(model.projected)
        }
      }),
    )
  })

  it("PL2: draft = state by state = cut anywhere, sealed and resumed", () => {
    fc.assert(
      fc.property(brokenSessions(), cuts, ({ version, offers }, at) => {
        const state = new StateCarrier(noSurface(version))
        const draft = new DraftCarrier(version)
        const cut = new DraftCarrier(version)
        let resumed = new StateCarrier(noSurface(version))
        for (const [i, { row }] of offers.entries()) {
          if (at.includes(i)) {
            cut.cut()
            resumed = new StateCarrier(cut.draft.seal(), cut.payloads.copy())
          }
          const verdicts = [state, draft, cut, resumed].map((carrier) => carrier.offer(row))
          for (const verdict of verdicts) expect(verdict).toEqual(verdicts[0])
        }
        const text = stateText(state.state)
        expect(stateText(draft.draft.seal())).toBe(text)
        expect(stateText(cut.draft.seal())).toBe(text)
        expect(stateText(resumed.state)).toBe(text)
        expect(cut.text).toBe(draft.text)
      }),
    )
  })

  it("PL4: a refusal leaves state, draft and fold as they were", () => {
    fc.assert(
      fc.property(brokenSessions(), ({ version, header, offers }) => {
        const state = new StateCarrier(noSurface(version))
        const draft = new DraftCarrier(version)
        const fold = new FoldCarrier(header)
        for (const { row, code } of offers) {
          const before = [stateText(state.state), draft.text, fold.text]
          for (const carrier of [state, draft, fold]) carrier.offer(row)
          if (code !== null) expect([stateText(state.state), draft.text, fold.text]).toEqual(before)
        }
      }),
    )
  })

  it("PL5: older states stay valid after newer ones, also when two grow from one", () => {
    fc.assert(
      fc.property(forks(), ({ stem, left, right }) => {
        const trunk = new StateCarrier(noSurface(left.version))
        const seen = [{ state: trunk.state, text: stateText(trunk.state) }]
        const grow = (carrier: StateCarrier, row: JsonObject | undefined): void => {
          if (row === undefined) return
          expect(carrier.offer(row)).toBeNull()
          seen.push({ state: carrier.state, text: stateText(carrier.state) })
        }
        for (const row of stem) grow(trunk, row)
        // row by row in turn: each branch writes after the other has
        const branches = [left, right].map((session) => ({
          carrier: new StateCarrier(trunk.state, trunk.payloads.copy()),
          rows: rowsOf(session).slice(stem.length),
          session,
        }))
        const longest = Math.max(...branches.map(({ rows }) => rows.length))
        for (let i = 0; i < longest; i++)
          for (const { carrier, rows } of branches) grow(carrier, rows[i])
        for (const { state, text } of seen) expect(stateText(state)).toBe(text)
        for (const { carrier, session } of branches) expect(carrier.nodes).toEqual(session.nodes)
      }),
    )
  })

  it("PL6: events off the surface never matter to it", () => {
    const note = fc.constantFrom<JsonObject>(
      { type: "plan/mode", data: { active: true } },
      { type: "turn/start", data: { turn: 7 } },
      { type: "x/later", data: ["anything"], ignorable: true },
    )
    const notes = fc.array(fc.record({ before: fc.nat({ max: 40 }), note }), { maxLength: 10 })
    fc.assert(
      fc.property(sessions(), notes, (session, inserted) => {
        const { version } = session
        const rows = rowsOf(session)
        const moved = new Map<number, number>()
        const to = (seq: number): number => moved.get(seq) ?? seq
        const more: JsonObject[] = []
        let next = 0
        for (const [i, row] of rows.entries()) {
          for (const { before, note: event } of inserted)
            if (before === i) more.push({ ...event, seq: next++, time: 0 })
          const first = (row["seq0"] ?? row["seq"]) as number
          const count = isRun(version, row) ? runLength(row) : 1
          for (let k = 0; k < count; k++) moved.set(first + k, next++)
          more.push(renumbered(row, to))
        }
        const fold = new FoldCarrier(session.header)
        const padded = new FoldCarrier(session.header)
        for (const row of rows) expect(fold.offer(row)).toBeNull()
        for (const row of more) expect(padded.offer(row)).toBeNull()
        const one = fold.fold.surface.seal()
        const other = padded.fold.surface.seal()
        expect(other.entries.map(({ seq }) => seq)).toEqual(one.entries.map(({ seq }) => to(seq)))
        expect([...other.projected]).toEqual(
          [...one.projected].map(([seq, message]) => [to(seq), message]),
        )
        expect(padded.replacements).toEqual(
          fold.replacements.map(({ seq, start, end, shadowedSeqs }) => ({
            seq: to(seq),
            start: to(start),
            end: to(end),
            shadowedSeqs: shadowedSeqs.map(to),
          })),
        )
        expect(other.contentGeneration).toBe(one.contentGeneration)
        expect(padded.fold.tokens()).toEqual(fold.fold.tokens())
      }),
    )
  })

  it("PL7: a shadowed node never returns", () => {
    fc.assert(
      fc.property(sessions(), (session) => {
        const carrier = new StateCarrier(noSurface(session.version))
        const gone = new Set<number>()
        let before: readonly number[] = []
        for (const row of rowsOf(session)) {
          carrier.offer(row)
          const { nodes } = carrier
          for (const seq of before) if (!nodes.includes(seq)) gone.add(seq)
          for (const seq of nodes) expect(gone.has(seq)).toBe(false)
          before = nodes
        }
        expect(gone).toEqual(new Set(session.replacements.flatMap((each) => each.shadowedSeqs)))
      }),
    )
  })

  it("PL9: running totals = recomputed from the nodes", () => {
    const kinds = { ...surfaceKind, tool: surfaceKind.toolResult }
    fc.assert(
      fc.property(brokenSessions(), ({ version, header, offers }) => {
        const model = new NaiveSurface(version)
        const fold = new FoldCarrier(header)
        for (const { row } of offers) {
          model.offer(row)
          fold.offer(row)
          const prices = model.nodes.map((seq) => {
            const kind = model.kindOf(seq) ?? "user"
            const message = messageOf(kind, model.events.get(seq) ?? {}) ?? {}
            return {
              kind,
              says: says(kind, message),
              tokens: messageTokens(kinds[kind], message),
            }
          })
          const sum = prices.reduce((total, { tokens }) => total + tokens, 0)
          const prompt = prices.findLast((each) => each.kind === "system" && each.says)
          const { surface } = fold.fold
          expect(surface.size).toBe(model.nodes.length)
          expect(surface.liveTokens).toBe(sum)
          expect(surface.messageCount).toBe(prices.filter((each) => each.says).length)
          expect(surface.systemTokens).toBe(prompt?.tokens ?? 0)
        }
      }),
    )
  })
})
