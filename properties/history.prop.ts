import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import type { DerivedHistory } from "#core/messages/derived-history"
import { deriveHistory, messagesOf, noHistory } from "#core/messages/derived-history"
import type { SurfaceState } from "#core/surface/state"
import { forks, rowsOf, sessions } from "./arbitraries/sessions.ts"
import { noSurface, StateCarrier } from "./carriers.ts"
import { NaiveSurface } from "./model/naive-surface.ts"

const fromScratch = (state: SurfaceState, payloadOf: (seq: number) => JsonValue): JsonObject[] =>
  messagesOf(deriveHistory(noHistory, state, payloadOf))

/** The same objects in the same order, not merely equal ones. */
const expectSame = (actual: readonly JsonObject[], expected: readonly JsonObject[]): void => {
  expect(actual).toHaveLength(expected.length)
  for (const [i, message] of actual.entries()) expect(message).toBe(expected[i])
}

describe("derived history", () => {
  it("M7: extended event by event = derived from scratch = read off the naive model", () => {
    fc.assert(
      fc.property(sessions(), fc.array(fc.boolean(), { minLength: 1 }), (session, reads) => {
        const carrier = new StateCarrier(noSurface(session.version))
        const model = new NaiveSurface(session.version)
        const handedOut: { readonly array: JsonObject[]; readonly copy: JsonObject[] }[] = []
        let history: DerivedHistory = noHistory
        for (const [i, row] of rowsOf(session).entries()) {
          carrier.offer(row)
          model.offer(row)
          if (reads[i % reads.length] !== true) continue
          history = deriveHistory(history, carrier.state, carrier.payloads.payloadOf)
          const messages = messagesOf(history)
          expectSame(messages, fromScratch(carrier.state, carrier.payloads.payloadOf))
          expect(messages).toEqual(model.messages())
          handedOut.push({ array: messages, copy: [...messages] })
        }
        for (const { array, copy } of handedOut) expectSame(array, copy)
      }),
    )
  })

  it("M8: older histories stay valid, also when two grow from one or take turns", () => {
    fc.assert(
      fc.property(forks(), ({ stem, left, right }) => {
        const trunk = new StateCarrier(noSurface(left.version))
        for (const row of stem) trunk.offer(row)
        const shared = deriveHistory(noHistory, trunk.state, trunk.payloads.payloadOf)
        const kept = [{ history: shared, messages: messagesOf(shared) }]
        const branches = [left, right].map((session) => ({
          carrier: new StateCarrier(trunk.state, trunk.payloads.copy()),
          rows: rowsOf(session).slice(stem.length),
          history: shared,
        }))
        // the newest history of all, of whichever branch it is
        let latest = shared
        const longest = Math.max(...branches.map(({ rows }) => rows.length))
        for (let i = 0; i < longest; i++)
          for (const branch of branches) {
            const row = branch.rows[i]
            if (row === undefined) continue
            const { carrier } = branch
            carrier.offer(row)
            const { state, payloads } = carrier
            branch.history = deriveHistory(branch.history, state, payloads.payloadOf)
            latest = deriveHistory(latest, state, payloads.payloadOf)
            const expected = fromScratch(state, payloads.payloadOf)
            expectSame(messagesOf(branch.history), expected)
            expectSame(messagesOf(latest), expected)
            for (const history of [branch.history, latest])
              kept.push({ history, messages: messagesOf(history) })
          }
        for (const { history, messages } of kept) expectSame(messagesOf(history), messages)
      }),
    )
  })
})
