import { isLeft } from "fp-ts/lib/Either.js"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { surfaceKind } from "#core/format/surface-kind"
import { surfaceOp } from "#core/log/event-facts"
import { compactBreakdown } from "#core/tokens/compact-breakdown-projection"
import { applyRow } from "#core/projection/definition"
import { positionalBreakdown } from "#core/tokens/positional-breakdown-projection"
import { PositionalDraft } from "#core/tokens/positional-draft"
import { contextPressure } from "#core/tokens/pressure-projection"
import { shadowPriceTypes } from "#core/tokens/shadow-price"
import type { TokenProjection } from "#core/tokens/token-projection"
import { restoredState } from "#core/tokens/token-projection"
import { tokenUnit } from "#core/tokens/token-unit"
import { usageTypes } from "#core/tokens/usage"
import { sessions } from "./arbitraries/sessions.ts"
import { FoldCarrier, headerIn } from "./carriers.ts"
import { expectAllSeen } from "./seen.ts"
import { applied, deepFrozen, stepsOf } from "./token-steps.ts"

const anyPrices = fc.array(fc.boolean(), { minLength: 1, maxLength: 6 })
const allPriced = fc.constant([true])
const somePrices = fc.oneof(allPriced, anyPrices)

const every = [
  positionalBreakdown,
  compactBreakdown,
  contextPressure,
] as readonly unknown[] as readonly TokenProjection<unknown, unknown>[]

describe("breakdowns", () => {
  it("TK1: the positional breakdown is the prices of the live nodes, always", () => {
    const seen = { replaced: 0, prompts: 0, tools: 0 }
    fc.assert(
      fc.property(sessions(), (session) => {
        const header = headerIn(session.header)
        const fold = new FoldCarrier(session.header)
        let state = positionalBreakdown.init(header, 0)
        for (const { event, row, after } of stepsOf(session, [false])) {
          state = applied(positionalBreakdown, state, event)
          expect(positionalBreakdown.view(state)).toEqual(after)
          if (event.facts.op === surfaceOp.replace) seen.replaced++
          if (after.systemTokens > 0) seen.prompts++
          if (after.toolsTokens > 0) seen.tools++
          fold.offer(row ?? {})
          if (session.version < 3) continue
          const { system, tools, messages } = fold.fold.tokens()
          expect([system, tools, messages]).toEqual(Object.values(after))
        }
        expect(state.nodes.map((node) => node.seq)).toEqual(session.nodes)
      }),
    )
    expectAllSeen(seen)
  })

  it("TK2: a draft = the reducer, cut anywhere and resumed", () => {
    fc.assert(
      fc.property(sessions(), fc.array(fc.boolean(), { minLength: 1 }), (session, cuts) => {
        const header = headerIn(session.header)
        let state = positionalBreakdown.init(header, 0)
        let draft = new PositionalDraft(header.format, state)
        for (const [i, { event }] of stepsOf(session, [true]).entries()) {
          state = applied(positionalBreakdown, state, event)
          expect(draft.step(event)).toBeNull()
          expect(draft.view()).toEqual(positionalBreakdown.view(state))
          const sealed = draft.seal()
          expect(sealed).toEqual(state)
          if (cuts[i % cuts.length] === true) draft = new PositionalDraft(header.format, sealed)
        }
      }),
    )
  })

  it("TK5 TK8: the compact breakdown = the positional one, or is marked", () => {
    const seen = { exact: 0, priced: 0, astray: 0, prompts: 0 }
    fc.assert(
      fc.property(sessions(), somePrices, (session, prices) => {
        let state = compactBreakdown.init(headerIn(session.header), 0)
        for (const { event, after, isAstray } of stepsOf(session, prices)) {
          state = applied(compactBreakdown, state, event)
          const { unpricedReplacements, ...figures } = compactBreakdown.view(state)
          expect(unpricedReplacements > 0).toBe(isAstray)
          if (isAstray) {
            seen.astray++
            continue
          }
          expect(figures).toEqual(after)
          if (event.facts.op === surfaceOp.replace) seen.exact++
          if (event.facts.seq < 0) seen.priced++
          if (state.prompts.length > 1) seen.prompts++
        }
      }),
    )
    expectAllSeen(seen)
  })
})

describe("projections over tokens", () => {
  it("TK9: stored at any seq and gone on = run from the start; stored text is all there is", () => {
    fc.assert(
      fc.property(sessions(), somePrices, fc.nat(), (session, prices, at) => {
        const header = headerIn(session.header)
        const steps = stepsOf(session, prices)
        for (const projection of every) {
          let state = projection.init(
            header,
            (session.header["seedLength"] as number | undefined) ?? 0,
          )
          let resumed = state
          for (const [i, { event }] of steps.entries()) {
            if (i === at % Math.max(1, steps.length)) {
              const val = JSON.parse(JSON.stringify(state))
              const restored = restoredState(projection, { ver: projection.stateVersion, val })
              if (isLeft(restored)) throw new RangeError(JSON.stringify(restored.left))
              resumed = restored.right
            } else resumed = applied(projection, resumed, event)
            state = applied(projection, state, event)
            if (i === at % Math.max(1, steps.length)) resumed = applied(projection, resumed, event)
          }
          expect(resumed).toEqual(state)
          expect(projection.view(resumed)).toEqual(projection.view(state))
        }
      }),
    )
  })

  it("TK4: what is deeply frozen is never written to", () => {
    fc.assert(
      fc.property(sessions(), somePrices, (session, prices) => {
        const header = headerIn(session.header)
        const steps = stepsOf(session, prices).map(({ event }) => deepFrozen(event))
        for (const projection of every) {
          let state = deepFrozen(projection.init(header, 0))
          for (const event of steps) state = deepFrozen(applied(projection, state, event))
        }
      }),
    )
  })

  it("TK4: an event that is none of its business leaves the very state", () => {
    const seen = { same: 0 }
    const concerned = new Set([
      "request/header",
      "request/context",
      ...usageTypes,
      ...shadowPriceTypes,
    ])
    fc.assert(
      fc.property(sessions(), (session) => {
        const events = stepsOf(session, [false]).map(({ event }) => event)
        for (const projection of every) {
          let state = projection.init(headerIn(session.header), 0)
          for (const event of events) {
            const next = applied(projection, state, event)
            if (event.facts.kind === surfaceKind.none && !concerned.has(event.facts.type)) {
              seen.same++
              expect(next).toBe(state)
            }
            state = next
          }
        }
      }),
    )
    expectAllSeen(seen)
  })

  it("TK11: a view is the same object while it says the same, whatever the events were", () => {
    const seen = { same: 0, other: 0 }
    fc.assert(
      fc.property(sessions(), somePrices, (session, prices) => {
        for (const projection of [positionalBreakdown, compactBreakdown] as readonly unknown[]) {
          const each = projection as TokenProjection<unknown, unknown>
          let state = each.init(headerIn(session.header), 0)
          for (const { event } of stepsOf(session, prices)) {
            const before = each.view(state)
            state = applied(each, state, event)
            const after = each.view(state)
            const isSame = JSON.stringify(after) === JSON.stringify(before)
            expect(Object.is(after, before)).toBe(isSame)
            if (isSame && event.facts.kind !== 0) seen.same++
            if (!isSame) seen.other++
          }
        }
      }),
    )
    expectAllSeen(seen)
  })

  it("TK14: a unit of the registry is what its projection is, with the payloads that it reads", () => {
    fc.assert(
      fc.property(sessions(), somePrices, (session, prices) => {
        const header = headerIn(session.header)
        for (const projection of every) {
          const unit = tokenUnit(projection)
          let alone = projection.init(header, 0)
          let driven = unit.init(header, 0)
          for (const { event } of stepsOf(session, prices)) {
            alone = applied(projection, alone, event)
            const next = applyRow(unit, driven, event.facts, event.data)
            if (isLeft(next)) throw new RangeError(next.left.code)
            driven = next.right
            const view = unit.wire?.view(driven)
            expect(view).toEqual(projection.view(alone))
            for (const [codec, value] of [
              [unit.codec, driven],
              [unit.wire?.codec, view],
            ] as const)
              expect(codec === undefined || isLeft(codec.decode(value))).toBe(false)
          }
          expect(driven).toEqual(alone)
        }
      }),
    )
  })
})
