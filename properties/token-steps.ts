import { isLeft } from "fp-ts/lib/Either.js"
import type { JsonObject } from "#core/data/json"
import { surfaceKind } from "#core/format/surface-kind"
import { surfaceOp } from "#core/log/event-facts"
import type { TokenEvent } from "#core/tokens/token-event"
import { tokenEvent } from "#core/tokens/token-event"
import type { TokenProjection } from "#core/tokens/token-projection"
import type { Session } from "./arbitraries/sessions.ts"
import { rowsOf } from "./arbitraries/sessions.ts"
import { rightRow } from "./carriers.ts"
import { NaivePrices } from "./model/naive-prices.ts"

/** A row of a session, priced, with what the naive model says after it. */
export interface Step {
  readonly event: TokenEvent
  readonly row: JsonObject | null
  readonly after: ReturnType<NaivePrices["breakdown"]>
  /** Whether some replacement up to here could not be told from its price alone. */
  readonly isAstray: boolean
}

/** The event that says what some nodes cost. */
export const priceEvent = (
  shadowedSeqs: readonly number[],
  shadowedTokenCount: number,
): TokenEvent =>
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
export const stepsOf = (
  { version, ...session }: Session,
  prices: readonly boolean[],
): readonly Step[] => {
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

/** The next state; nothing may be refused. */
export const applied = <State, View>(
  projection: TokenProjection<State, View>,
  state: State,
  event: TokenEvent,
): State => {
  const next = projection.apply(state, event)
  if (isLeft(next)) throw new RangeError(JSON.stringify(next.left))
  return next.right
}

/** A value that throws when anything in it is written to. */
export const deepFrozen = <A>(value: A): A => {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const inner of Object.values(value)) deepFrozen(inner)
  }
  return value
}
