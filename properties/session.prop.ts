import fc from "fast-check"
import { isLeft } from "fp-ts/lib/Either.js"
import { describe, expect, it } from "vitest"
import { deepFreeze } from "#core/data/deep-freeze"
import type { JsonObject } from "#core/data/json"
import { notStartedText } from "#core/format/closers"
import type { SessionEvent } from "#core/log/envelope"
import type { EventDraft } from "#core/request/request-log"
import { appendEvent } from "#core/session/append"
import { forkSession } from "#core/session/fork"
import { eventAt, readMessages, readSurface, snapshotEvents } from "#core/session/read"
import { restoreSession, resumeSession } from "#core/session/restore"
import type { Session } from "#core/session/session"
import { builtInProjections } from "#core/surface/image-offload"
import type { SurfaceState } from "#core/surface/state"
import { checkLog } from "../test/fixtures/checked-in-full.ts"
import { logText, readAgain } from "../test/core/session/growing.ts"
import { leftOf, rightOf } from "../test/core/surface/events.ts"
import type { Offer } from "./arbitraries/builder.ts"
import type { Session as Script } from "./arbitraries/sessions.ts"
import { brokenRowsOf, newestSessions } from "./arbitraries/sessions.ts"
import { soundLog } from "./arbitraries/sound-logs.ts"
import { FoldCarrier } from "./carriers.ts"
import { drawFrom } from "./scale.ts"
import { expectAllSeen } from "./seen.ts"

const texts = { notStarted: "n", outcomeUnknown: "u" }

/** What a surface says, but for the place of its lines. */
const told = (state: SurfaceState): object => ({
  nextSeq: state.nextSeq,
  nodes: state.entries
    .slice(0, state.size)
    .map(({ seq, kind, tokens, derives }) => [seq, kind, tokens, derives]),
  projected: [...state.projected],
  used: [...state.usedProjections.keys()],
  generations: [state.replaceGeneration, state.contentGeneration],
})

const messagesOf = (session: Session): readonly JsonObject[] => rightOf(readMessages(session))[1]

const restored = (header: JsonObject, rows: readonly JsonObject[]): Session =>
  rightOf(restoreSession(header, rows as readonly SessionEvent[], builtInProjections))

const draftKeys = ["type", "data", "surfaceOp", "sourceEventSeqs", "ignorable"]

/** What an offer says, frozen; null where no draft can say it at this place. */
const draftOf = ({ row }: Offer, nextSeq: number): readonly [EventDraft, number] | null => {
  const { seq, time, ...draft } = row
  const isDraft = seq === nextSeq && Object.keys(draft).every((key) => draftKeys.includes(key))
  return isDraft && typeof time === "number"
    ? [deepFreeze(structuredClone(draft)) as unknown as EventDraft, time]
    : null
}

/** A session before its first event of its own, its fold, and the offers that follow. */
const beginningOf = (
  script: Script,
): readonly [session: Session, fold: FoldCarrier, offers: readonly Offer[]] => {
  const { header, offers } = script
  const fold = new FoldCarrier(header)
  const isMark = ({ row }: Offer): boolean =>
    row["type"] === "session/end-seed" && (row["data"] as JsonObject)["inherited"] === true
  const begin = header["isSeeded"] === true ? offers.findIndex(isMark) + 1 : 0
  const prefix = offers.slice(0, begin).flatMap(({ row, code }) => (code === null ? [row] : []))
  for (const row of prefix) expect(fold.offer(row)).toBeNull()
  return [restored(header, prefix), fold, offers.slice(begin)]
}

describe("the session as a value", () => {
  it("SE30: events that are appended one by one lead where a fold of the log leads", () => {
    const seen = { accepted: 0, refused: 0, replaced: 0, projected: 0, seeded: 0 }
    fc.assert(
      fc.property(newestSessions(), (script) => {
        const [begun, fold, offers] = beginningOf(script)
        if (begun.inheritedEvents > 0) seen.seeded++
        let session = begun
        const older: { readonly session: Session; readonly surface: object }[] = []
        for (const offer of offers) {
          const { nextSeq } = session.log.surface
          const draft = draftOf(offer, nextSeq)
          if (draft === null) continue
          older.push({ session, surface: told(session.log.surface) })
          const step = appendEvent(session, ...draft)
          const refusal = fold.offer(offer.row)
          if (isLeft(step)) {
            seen.refused++
            expect(step.left).toEqual(refusal)
            continue
          }
          seen.accepted++
          expect(refusal).toBeNull()
          expect(step.right[1]).toEqual([offer.row])
          session = step.right[0]
        }
        const { surface } = session.log
        seen.replaced += surface.replaceGeneration
        seen.projected += surface.contentGeneration - surface.replaceGeneration
        expect(told(surface)).toEqual(told(fold.fold.surface.seal()))
        expect(rightOf(readSurface(session))).toEqual(script.nodes)
        const { activity } = fold.fold.counts()
        expect([surface.nextSeq, session.inheritedEvents]).toEqual([
          activity.eventCount,
          activity.inheritedEvents,
        ])
        for (const each of older) expect(told(each.session.log.surface)).toEqual(each.surface)
      }),
    )
    expectAllSeen(seen)
  })

  it("SE31: a log that was written and restored goes on as if never interrupted", () => {
    fc.assert(
      fc.property(newestSessions(), fc.nat(), (script, at) => {
        const [begun, , offers] = beginningOf(script)
        let session = begun
        let again: Session | null = null
        for (const [i, offer] of offers.entries()) {
          if (i === at % offers.length) again = restored(begun.headerRow, readAgain(session))
          const draft = draftOf(offer, session.log.surface.nextSeq)
          if (draft === null) continue
          const step = appendEvent(session, ...draft)
          const other = again === null ? null : appendEvent(again, ...draft)
          if (isLeft(step)) {
            if (other !== null) expect(leftOf(other)).toEqual(step.left)
            continue
          }
          session = step.right[0]
          if (other === null) continue
          expect(rightOf(other)[1]).toEqual(step.right[1])
          again = rightOf(other)[0]
        }
        const last = again ?? restored(begun.headerRow, readAgain(session))
        expect(logText(last)).toBe(logText(session))
        expect(messagesOf(last)).toEqual(messagesOf(session))
        const [resumed] = rightOf(resumeSession(last, { timeMs: 1, texts: null }))
        expect(messagesOf(resumed)).toEqual(messagesOf(session))
        expect(rightOf(readSurface(resumed))).toEqual(rightOf(readSurface(session)))
        const twice = restored(begun.headerRow, readAgain(resumed))
        expect(rightOf(resumeSession(twice, { timeMs: 1, texts: null }))[1]).toEqual([])
      }),
    )
  })

  it("SE31: a log is refused where a fold refuses it", () => {
    const seen = { whole: 0, refused: 0 }
    fc.assert(
      fc.property(newestSessions(20), (script) => {
        const rows = brokenRowsOf(script) as readonly SessionEvent[]
        const fold = new FoldCarrier(script.header)
        const refusals = rows.map((row) => fold.offer(row))
        const index = refusals.findIndex((refusal) => refusal !== null)
        const session = restoreSession(script.header, deepFreeze(rows), builtInProjections)
        if (index >= 0) {
          seen.refused++
          const refusal = refusals[index]
          expect(leftOf(session)).toEqual({ code: "event-refused", index, refusal })
        } else if (fold.fold.endRefusal() === null) {
          seen.whole++
          expect(snapshotEvents(rightOf(session))).toEqual(rows)
        } else expect(leftOf(session)).toEqual(fold.fold.endRefusal())
      }),
    )
    expectAllSeen(seen)
  })

  it("SE32: forked or resumed anywhere, a log that breaks no rule breaks none", () => {
    // any text is the one that nobody has
    const sha256 = (): string => notStartedText.sha256
    const seen = { forked: 0, closed: 0 }
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.nat(), (seed, at, forkAt) => {
        const { header, rows } = soundLog(4, drawFrom(seed))
        const cut = at % (rows.length + 1)
        const crashed = restored(header, rows.slice(0, cut))
        const [session, more] = rightOf(resumeSession(crashed, { timeMs: 1, texts }))
        if (more.length > 1) seen.closed++
        expect(checkLog(logText(session), { sha256 }).found).toEqual([])
        const inheritedEvents = forkAt % (session.log.surface.nextSeq + 1)
        const draft = { id: "child", createdAtMs: 1 }
        const [child, own] = rightOf(forkSession(session, { draft, inheritedEvents, texts }))
        if (own.length > 1) seen.forked++
        const outcome = checkLog(logText(child), { sha256 })
        expect(outcome.found).toEqual([])
        expect(outcome.acceptedEvents).toBe(child.log.surface.nextSeq)
        const again = restored(child.headerRow, readAgain(child))
        expect(told(again.log.surface)).toEqual(told(child.log.surface))
        expect(again.inheritedEvents).toBe(inheritedEvents)
        for (let seq = 0; seq < inheritedEvents; seq++)
          expect(eventAt(child, seq)).toBe(eventAt(session, seq))
      }),
    )
    expectAllSeen(seen)
  })
})
