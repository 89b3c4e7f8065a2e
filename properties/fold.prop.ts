import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { JsonValue } from "#core/data/json"
import { isJsonObject } from "#core/data/json"
import { activityFold } from "#core/fold/activity-fold"
import type { Fold } from "#core/fold/fold"
import { stepFold } from "#core/fold/fold"
import { product } from "#core/fold/product"
import type { LogHeader } from "#core/log/header"
import type { LogRow } from "#core/log/row"
import { requestHeaderFold } from "#core/request/header-fold"
import { requestPointsFold } from "#core/request/request-points"
import { usageFold } from "#core/tokens/usage-fold"
import type { Session } from "./arbitraries/sessions.ts"
import { rowsOf, sessions } from "./arbitraries/sessions.ts"
import { unpacked } from "./arbitraries/unpack.ts"
import { FoldCarrier, headerIn, rightRow } from "./carriers.ts"

const folds = {
  activity: activityFold,
  usage: usageFold,
  header: requestHeaderFold,
  points: requestPointsFold,
}

const all = product(folds)

const logOf = (session: Session): readonly [LogHeader, readonly LogRow[]] => [
  headerIn(session.header),
  rowsOf(session).map((row) => rightRow(session.version, row)),
]

const run = <Draft, State>(
  fold: Fold<Draft, State>,
  header: LogHeader,
  rows: readonly LogRow[],
): State => {
  const draft = fold.begin(header)
  for (const { facts, data } of rows) stepFold(fold, draft, facts, data)
  return fold.seal(draft)
}

const runWithCuts = <Draft, State>(
  fold: Fold<Draft, State>,
  header: LogHeader,
  rows: readonly LogRow[],
  cuts: readonly number[],
): State => {
  let draft = fold.begin(header)
  const sealed: { readonly state: State; readonly text: string }[] = []
  for (const [i, { facts, data }] of rows.entries()) {
    if (cuts.includes(i)) {
      const state = fold.seal(draft)
      sealed.push({ state, text: JSON.stringify(state) })
      draft = fold.resume(state)
    }
    stepFold(fold, draft, facts, data)
  }
  // a sealed state is a value: what was folded since has not touched it
  for (const { state, text } of sealed) expect(JSON.stringify(state)).toBe(text)
  return fold.seal(draft)
}

const cuts = fc.array(fc.nat({ max: 40 }), { maxLength: 6 })

describe("folds", () => {
  it("FO1: cut anywhere, sealed and resumed = one run", () => {
    fc.assert(
      fc.property(sessions(), cuts, (session, at) => {
        const [header, rows] = logOf(session)
        const check = <Draft, State>(fold: Fold<Draft, State>): void =>
          expect(runWithCuts(fold, header, rows, at)).toEqual(run(fold, header, rows))
        check(activityFold)
        check(usageFold)
        check(requestHeaderFold)
        check(requestPointsFold)
        check(all)
      }),
    )
  })

  it("FO2: a product = each fold alone", () => {
    fc.assert(
      fc.property(sessions(), (session) => {
        const [header, right] = logOf(session)
        // a field that one fold asks of its own events, on events of the others
        const rows = right.map((row) =>
          isJsonObject(row.data) && row.facts.type !== "session/end-seed"
            ? { ...row, data: { ...row.data, inherited: true, step: 7 } }
            : row,
        )
        expect(run(all, header, rows)).toEqual({
          activity: run(activityFold, header, rows),
          usage: run(usageFold, header, rows),
          header: run(requestHeaderFold, header, rows),
          points: run(requestPointsFold, header, rows),
        })
      }),
    )
  })

  it("FO3: payloads of types that a fold does not read are nothing to it", () => {
    fc.assert(
      fc.property(sessions(), (session) => {
        const [header, rows] = logOf(session)
        const forged: JsonValue = {
          inherited: true,
          turn: 99,
          header: { tools: [{}] },
          usage: { inputTokens: 99 },
        }
        const check = <Draft, State>(fold: Fold<Draft, State>): void => {
          const others = rows.map((row) =>
            fold.reads.has(row.facts.type) ? row : { ...row, data: forged },
          )
          expect(run(fold, header, others)).toEqual(run(fold, header, rows))
        }
        check(activityFold)
        check(usageFold)
        check(requestHeaderFold)
        check(requestPointsFold)
        check(all)
      }),
    )
  })

  it("FO4: the fold of a log holds the states of its folds, each alone", () => {
    fc.assert(
      fc.property(sessions(), (session) => {
        const [header, rows] = logOf(session)
        const carrier = new FoldCarrier(session.header)
        for (const row of rowsOf(session)) expect(carrier.offer(row)).toBeNull()
        const { fold } = carrier
        expect({
          activity: fold.activityState(),
          usage: fold.usageState(),
          header: fold.requestState(),
          points: fold.requestPoints(),
        }).toEqual(run(all, header, rows))
      }),
    )
  })

  it("FO5: a prefix that ends inside a packed run = the events up to there, one by one", () => {
    fc.assert(
      fc.property(sessions(), fc.nat({ max: 60 }), (session, throughSeq) => {
        const { version } = session
        const packed = new FoldCarrier(session.header, { throughSeq })
        const single = new FoldCarrier(session.header)
        for (const row of rowsOf(session)) {
          if (!packed.fold.isDone) packed.offer(row)
          for (const event of unpacked(version, row))
            if ((event["seq"] as number) <= throughSeq) single.offer(event)
        }
        const [one, other] = [packed.fold, single.fold]
        expect(one.isDone).toBe(other.surface.nextSeq > throughSeq)
        expect(one.surface.nextSeq).toBe(other.surface.nextSeq)
        expect(one.surface.nodes().map(({ seq }) => seq)).toEqual(
          other.surface.nodes().map(({ seq }) => seq),
        )
        expect(packed.replacements).toEqual(single.replacements)
        expect(one.activityState()).toEqual(other.activityState())
        expect(one.usageState()).toEqual(other.usageState())
        expect(one.requestState()).toEqual(other.requestState())
        expect(one.requestPoints()).toEqual(other.requestPoints())
        expect(one.tokens()).toEqual(other.tokens())
      }),
    )
  })
})
