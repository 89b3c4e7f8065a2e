import { isLeft } from "fp-ts/lib/Either.js"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import { surfaceKind } from "#core/format/surface-kind"
import { surfaceOp } from "#core/log/event-facts"
import type { LogHeader } from "#core/log/header"
import { compactBreakdown } from "#core/tokens/compact-breakdown-projection"
import { measure } from "#core/tokens/measure"
import type { MeterState } from "#core/tokens/meter"
import { noMeter, stepMeter } from "#core/tokens/meter"
import { positionalBreakdown } from "#core/tokens/positional-breakdown-projection"
import { PositionalDraft } from "#core/tokens/positional-draft"
import { contextPressure } from "#core/tokens/pressure-projection"
import { shadowPriceTypes } from "#core/tokens/shadow-price"
import type { TokenEvent } from "#core/tokens/token-event"
import { tokenEvent } from "#core/tokens/token-event"
import type { TokenProjection } from "#core/tokens/token-projection"
import { restoredState } from "#core/tokens/token-projection"
import { tokenUsage } from "#core/tokens/usage-projection"
import { usageFold } from "#core/tokens/usage-fold"
import { sessionHeader } from "./arbitraries/dialect.ts"
import type { Session } from "./arbitraries/sessions.ts"
import { rowsOf, sessions } from "./arbitraries/sessions.ts"
import { FoldCarrier, headerIn, rightRow } from "./carriers.ts"
import { NaivePrices } from "./model/naive-prices.ts"
import { expectAllSeen } from "./seen.ts"

/** A row of a session, priced, with what the naive model says after it. */
interface Step {
  readonly event: TokenEvent
  readonly row: JsonObject | null
  readonly after: ReturnType<NaivePrices["breakdown"]>
  /** Whether some replacement up to here could not be told from its price alone. */
  readonly isAstray: boolean
}

const priceEvent = (shadowedSeqs: readonly number[], shadowedTokenCount: number): TokenEvent =>
  tokenEvent(
    {
      type: "compaction/prune",
      seq: -1,
      count: 1,
      timeMs: 0,
      lastTimeMs: 0,
      kind: surfaceKind.none,
      op: surfaceOp.none,
      start: -1,
      end: -1,
      sources: null,
    },
    {
      shadowedRange: { start: shadowedSeqs[0] ?? -1, end: shadowedSeqs.at(-1) ?? -1 },
      shadowedSeqs,
      shadowedTokenCount,
    },
  )

/** A session of which some replacements are priced just before they happen. */
const stepsOf = ({ version, ...session }: Session, prices: readonly boolean[]): readonly Step[] => {
  const model = new NaivePrices(version)
  const steps: Step[] = []
  let isAstray = false
  for (const [i, row] of rowsOf({ version, ...session }).entries()) {
    const { facts, data } = rightRow(version, row)
    const event = tokenEvent(facts, data)
    if (facts.op === surfaceOp.replace) {
      const { nodes } = model.surface
      const shadowed = nodes.slice(nodes.indexOf(facts.start), nodes.indexOf(facts.end) + 1)
      const isPriced = prices[i % prices.length] === true
      if (isPriced)
        steps.push({
          event: priceEvent(shadowed, model.sumOf(shadowed)),
          row: null,
          after: model.breakdown(),
          isAstray,
        })
      const systems = model.nodes().filter((node) => node.isSystem)
      const hasSystem = systems.some(({ seq }) => shadowed.includes(seq))
      isAstray ||= isPriced
        ? facts.kind === surfaceKind.system && !hasSystem && systems.length > 0
        : !(shadowed.length === 1 && hasSystem)
    }
    model.take(row)
    steps.push({ event, row, after: model.breakdown(), isAstray })
  }
  return steps
}

const anyPrices = fc.array(fc.boolean(), { minLength: 1, maxLength: 6 })
const allPriced = fc.constant([true])
const somePrices = fc.oneof(allPriced, anyPrices)

const applied = <State, View>(
  projection: TokenProjection<State, View>,
  state: State,
  event: TokenEvent,
): State => {
  const next = projection.apply(state, event)
  if (isLeft(next)) throw new RangeError(JSON.stringify(next.left))
  return next.right
}

const deepFrozen = <A>(value: A): A => {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) deepFrozen(inner)
  }
  return value
}

const every = [
  positionalBreakdown,
  compactBreakdown,
  contextPressure,
  tokenUsage,
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

/** What happens to a small surface: a node more, or one in the place of several. */
interface Change {
  readonly isSystem: boolean
  readonly isReplacement: boolean
  readonly isPriced: boolean
  readonly isEmpty: boolean
  readonly a: number
  readonly b: number
}

describe("a surface of many prompts", () => {
  const change: fc.Arbitrary<Change> = fc.record({
    isSystem: fc.boolean(),
    isReplacement: fc.boolean(),
    isPriced: fc.integer({ min: 0, max: 7 }).map((n) => n > 0),
    isEmpty: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
    a: fc.nat({ max: 99 }),
    b: fc.nat({ max: 3 }),
  })

  it("TK5 TK8: compact = a list of nodes that is cut with splice, or is marked", () => {
    const seen = { moved: 0, restored: 0, rewritten: 0, astray: 0 }
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30, size: "max" }), (changes) => {
        const nodes: { seq: number; isSystem: boolean; tokens: number }[] = []
        let state = compactBreakdown.init(headerIn(sessionHeader(4, null)), 0)
        let prompt = 0
        for (const [
          seq,
          { isSystem, isReplacement, isPriced, isEmpty, a, b },
        ] of changes.entries()) {
          const from = a % Math.max(1, nodes.length)
          const shadowed = isReplacement ? nodes.slice(from, from + 1 + b) : []
          const tokens = isEmpty ? 0 : 100 + seq
          const seqs = shadowed.map((node) => node.seq)
          const facts = {
            ...priceEvent([], 0).facts,
            seq,
            kind: isSystem ? surfaceKind.system : surfaceKind.user,
            op: shadowed.length > 0 ? surfaceOp.replace : surfaceOp.append,
            start: seqs[0] ?? -1,
            end: seqs.at(-1) ?? -1,
          }
          const lost = shadowed.some((node) => node.isSystem)
          if (shadowed.length > 0 && isPriced) {
            const price = shadowed.reduce((sum, node) => sum + node.tokens, 0)
            state = applied(compactBreakdown, state, priceEvent(seqs, price))
          }
          const isAstray =
            shadowed.length > 0 &&
            (isPriced
              ? isSystem && !lost && nodes.some((node) => node.isSystem)
              : !(shadowed.length === 1 && lost))
          state = applied(compactBreakdown, state, { facts, data: null, tokens })
          const { unpricedReplacements, ...figures } = compactBreakdown.view(state)
          if (isAstray) {
            seen.astray++
            expect(unpricedReplacements).toBe(1)
            return
          }
          nodes.splice(shadowed.length > 0 ? from : nodes.length, shadowed.length, {
            seq,
            isSystem,
            tokens,
          })
          const systemTokens = nodes.findLast((n) => n.isSystem && n.tokens > 0)?.tokens ?? 0
          const total = nodes.reduce((sum, node) => sum + node.tokens, 0)
          const messageTokens = total - systemTokens
          expect(figures).toEqual({ systemTokens, toolsTokens: 0, messageTokens })
          expect(unpricedReplacements).toBe(0)
          if (lost && isSystem && systemTokens !== tokens) seen.moved++
          if (lost && !isSystem && systemTokens > 0 && systemTokens !== prompt) seen.restored++
          if (lost && !isPriced) seen.rewritten++
          prompt = systemTokens
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
      ...usageFold.reads,
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

  it("TK14: usage totals are those of the fold of a log", () => {
    fc.assert(
      fc.property(sessions(), (session) => {
        const fold = new FoldCarrier(session.header)
        const header = headerIn(session.header)
        let state = tokenUsage.init(header, header.seedLength ?? 0)
        for (const { event, row } of stepsOf(session, [false])) {
          fold.offer(row ?? {})
          state = applied(tokenUsage, state, event)
          expect(state.usage.totals).toEqual(fold.fold.counts().usage.totals)
        }
      }),
    )
  })
})

/** What a meter must come to, kept the plain way. */
class NaiveMeter {
  private header: JsonObject | null = null
  private anchor: { header: string; tokens: number; total: number } | null = null

  take(event: TokenEvent, row: JsonObject, before: number): void {
    const data = row["data"] as JsonObject
    if (event.facts.type === "request/header") this.header = data["header"] as JsonObject
    if (event.facts.type !== "assistant/message") return
    // generated streams are empty: nothing was sent where a call was counted
    const usage = this.header === null ? undefined : (data["usage"] as JsonObject | undefined)
    const answered = usage === undefined || !Array.isArray(data["stream"]) ? event.tokens : 0
    const tokens = before + answered
    const count = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens"].reduce(
      (sum, key) => sum + Number(usage?.[key] ?? 0),
      0,
    )
    const estimate = this.tools + tokens
    this.anchor = { header: this.headerText, tokens, total: Math.max(count, estimate) }
  }

  total(surface: number): number {
    if (this.anchor === null || this.anchor.header !== this.headerText) return this.tools + surface
    return Math.max(0, this.anchor.total + surface - this.anchor.tokens)
  }

  private get tools(): number {
    const tools = this.header?.["tools"]
    const text = JSON.stringify(tools ?? [])
    return text === "[]" ? 0 : Math.ceil(text.length / 4) + 4
  }

  private get headerText(): string {
    const { config, tools, system } = this.header ?? {}
    return JSON.stringify([this.header !== null, config, tools ?? [], system])
  }
}

describe("the meter", () => {
  const meterOf = (header: LogHeader): MeterState => noMeter(header)

  it("TK15 TK16 TK18: what it measures = counted anew the plain way; older meters stay", () => {
    const seen = { reported: 0, estimated: 0 }
    fc.assert(
      fc.property(sessions(), (session) => {
        let meter = meterOf(headerIn(session.header))
        const naive = new NaiveMeter()
        const measured: (readonly [MeterState, string])[] = []
        let surface = 0
        for (const { event, row, after } of stepsOf(session, [false])) {
          const next = stepMeter(meter, event)
          if (isLeft(next)) throw new RangeError(JSON.stringify(next.left))
          meter = next.right
          naive.take(event, row ?? {}, surface)
          surface = after.systemTokens + after.messageTokens
          const answer = measure(meter)
          if (isLeft(answer)) throw new RangeError(answer.left.code)
          const { surfaceTokens, totalTokens, baseline } = answer.right
          expect([surfaceTokens, totalTokens]).toEqual([surface, naive.total(surface)])
          if (baseline.kind === "usage") seen.reported++
          if (baseline.kind === "estimated") seen.estimated++
          measured.push([meter, JSON.stringify(answer)])
        }
        const last = measure(meter)
        expect(isLeft(last) ? [] : last.right.nodes.map(({ seq }) => seq)).toEqual(session.nodes)
        for (const [state, text] of measured) expect(JSON.stringify(measure(state))).toBe(text)
      }),
    )
    expectAllSeen(seen)
  })
})
