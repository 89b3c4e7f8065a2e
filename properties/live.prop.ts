import fc from "fast-check"
import { isLeft } from "fp-ts/lib/Either.js"
import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import type { SessionEvent } from "#core/log/envelope"
import { admitRow } from "#core/surface/admit"
import { builtInProjections } from "#core/surface/image-offload"
import type { LiveSurface } from "#core/surface/live"
import { liveSurface, readNodes, validateNext } from "#core/surface/live"
import { viewOf } from "#core/surface/state"
import type { Offer } from "./arbitraries/builder.ts"
import { userData } from "./arbitraries/dialect.ts"
import type { Session } from "./arbitraries/sessions.ts"
import { brokenSessions, rowsOf, sessions } from "./arbitraries/sessions.ts"
import { renumbered } from "./arbitraries/shift.ts"
import { unpacked } from "./arbitraries/unpack.ts"
import { formatOf, noSurface, rightRow, StateCarrier, stateText } from "./carriers.ts"

// how an event gets into the log; a list of them is gone through round and round
const ways = [
  "validate, append, read",
  "validate, append",
  "append",
  "validate, append its twin",
  "validate another, append",
  "validate twice, append",
] as const

const someWays = fc.array(fc.constantFrom(...ways), { minLength: 1, maxLength: 8 })

const asEvent = (row: JsonObject): SessionEvent => row as SessionEvent

/** The offers of a session, packed runs as the events they hold. */
const offersOf = ({ version, offers }: Session): readonly Offer[] =>
  offers.flatMap(({ row, code }): readonly Offer[] =>
    code === null ? unpacked(version, row).map((each) => ({ row: each, code })) : [{ row, code }],
  )

const another = (seq: number): SessionEvent => ({
  type: "user/message",
  seq,
  time: 0,
  data: userData("another", []),
  surfaceOp: "append",
})

/** A log that grows, and its live surface. */
class Growing {
  live: LiveSurface
  readonly events: SessionEvent[] = []
  readonly seen: { readonly live: LiveSurface; readonly text: string }[] = []

  constructor(live: LiveSurface) {
    this.live = live
  }

  validate(event: SessionEvent): string | null {
    const verdict = validateNext(this.live, this.events, builtInProjections, event)
    if (isLeft(verdict)) return verdict.left.code
    this.hold(verdict.right)
    return null
  }

  read(): readonly number[] | string {
    const verdict = readNodes(this.live, this.events, builtInProjections)
    if (isLeft(verdict)) return verdict.left.code
    this.hold(verdict.right[0])
    return verdict.right[1]
  }

  private hold(live: LiveSurface): void {
    // what has had its turn is forgotten
    expect(live.pending?.seq ?? Infinity).toBeGreaterThanOrEqual(live.state.nextSeq)
    this.live = live
    this.seen.push({ live, text: stateText(live.state) })
  }
}

describe("the live surface", () => {
  it("PL3: the plans are those of the offline fold, whichever way events come in", () => {
    fc.assert(
      fc.property(brokenSessions(), someWays, (session, some) => {
        const { version } = session
        const offline = new StateCarrier(noSurface(version))
        const log = new Growing(liveSurface(formatOf(version)))
        for (const [i, { row, code }] of offersOf(session).entries()) {
          const event = asEvent(row)
          const way = some[i % some.length] ?? "append"
          if (way === "validate another, append")
            expect(log.validate(another(log.events.length))).toBeNull()
          else if (way !== "append") {
            expect(log.validate(event)).toBe(code)
            if (way === "validate twice, append") expect(log.validate(event)).toBe(code)
            if (code === null) {
              const right = rightRow(version, row)
              const rest = offline.payloads.rest(right)
              const view = viewOf(offline.state, builtInProjections)
              const admission = admitRow(view, right, rest, -1, 0)
              expect(isLeft(admission) ? null : admission.right).toEqual(
                log.live.pending?.admission,
              )
            }
          }
          if (code !== null) continue
          expect(offline.offer(row)).toBeNull()
          log.events.push(way === "validate, append its twin" ? structuredClone(event) : event)
          if (way === "validate, append, read") expect(log.read()).toEqual(offline.nodes)
        }
        expect(log.read()).toEqual(offline.nodes)
        expect(stateText(log.live.state)).toBe(stateText(offline.state))
        for (const { live, text } of log.seen) expect(stateText(live.state)).toBe(text)
      }),
    )
  })

  it("PL3: a refused candidate leaves log and surface as they were", () => {
    fc.assert(
      fc.property(brokenSessions(), (session) => {
        const log = new Growing(liveSurface(formatOf(session.version)))
        for (const { row, code } of offersOf(session)) {
          const events = JSON.stringify(log.events)
          const before = stateText(log.live.state)
          const { pending } = log.live
          if (log.validate(asEvent(row)) === null) log.events.push(asEvent(row))
          if (code === null) continue
          expect(JSON.stringify(log.events)).toBe(events)
          expect(log.live.pending).toBe(pending)
          expect(stateText(log.live.state)).toBe(before)
        }
      }),
    )
  })

  it("S43: a window with a base seq is the same surface, counted from its base", () => {
    fc.assert(
      fc.property(sessions(), fc.integer({ min: 1, max: 2 ** 40 }), (session, base) => {
        const { version } = session
        const rows = rowsOf(session).flatMap((row) => unpacked(version, row))
        const log = new Growing(liveSurface(formatOf(version), base))
        for (const row of rows) log.events.push(asEvent(renumbered(row, (seq) => seq + base)))
        expect(log.read()).toEqual(session.nodes.map((seq) => seq + base))
      }),
    )
  })
})

describe("prefixes", () => {
  it("PL8: appending never changes what an earlier prefix derived", () => {
    fc.assert(
      fc.property(sessions(), fc.nat({ max: 60 }), (session, at) => {
        const { version } = session
        const rows = rowsOf(session)
        const length = at % (rows.length + 1)
        const whole = new StateCarrier(noSurface(version))
        const alone = new StateCarrier(noSurface(version))
        for (const row of rows.slice(0, length)) {
          whole.offer(row)
          alone.offer(row)
        }
        const prefix = whole.state
        const nodes = whole.nodes
        for (const row of rows.slice(length)) whole.offer(row)
        expect(nodes).toEqual(alone.nodes)
        expect(stateText(prefix)).toBe(stateText(alone.state))
      }),
    )
  })
})
