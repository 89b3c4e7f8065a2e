import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { JsonArray, JsonObject } from "#core/data/json"
import type { FormatVersion } from "#core/format/format"
import { checkLog } from "../test/fixtures/checked-in-full.ts"
import { accidents, damage } from "./arbitraries/damage.ts"
import {
  assistantData,
  replaceMarker,
  sessionHeader,
  toolResultData,
  userData,
  versions,
} from "./arbitraries/dialect.ts"
import { bodies } from "./arbitraries/lines.ts"
import { brokenSessions } from "./arbitraries/sessions.ts"
import { soundLines, soundLog } from "./arbitraries/sound-logs.ts"
import { readingFault, watchedCheck } from "./check-laws.ts"
import { logOf } from "./memory-reading.ts"
import type { Fault, NaiveMessage } from "./model/naive-acceptance.ts"
import { faultsAround, faultsOf } from "./model/naive-acceptance.ts"
import { drawFrom, fewRuns } from "./scale.ts"
import { expectAllSeen } from "./seen.ts"

const sound = fc
  .tuple(fc.constantFrom(...versions), fc.nat())
  .map(([version, seed]) => soundLog(version, drawFrom(seed)))

const place = { turn: 1, step: 1 }

interface Move {
  readonly kind: number
  readonly calls: readonly string[]
  readonly answers: string
  readonly from: number
  readonly length: number
}

const callIds = fc.constantFrom("c", "d", "e")

const moves: fc.Arbitrary<readonly Move[]> = fc.array(
  fc.record({
    kind: fc.nat({ max: 9 }),
    calls: fc.array(callIds, { maxLength: 3 }),
    answers: callIds,
    from: fc.nat(),
    length: fc.nat({ max: 5 }),
  }),
  { maxLength: 30, size: "max" },
)

/** A log of messages that need not fit, and the naive model's faults of it. */
class Scratch {
  readonly rows: JsonObject[] = []
  readonly faults: (readonly [...Fault, number | null])[] = []
  private readonly told: Set<string> = new Set()
  private readonly messages: NaiveMessage[] = []
  private readonly version: FormatVersion

  constructor(version: FormatVersion) {
    this.version = version
  }

  private say(faults: readonly Fault[], afterSeq: number | null): void {
    for (const fault of faults) {
      if (this.told.has(fault.join())) continue
      this.told.add(fault.join())
      this.faults.push([...fault, afterSeq])
    }
  }

  move({ kind, calls, answers, from, length }: Move): void {
    const { version, rows, messages } = this
    const seq = rows.length
    const at = from % Math.max(1, messages.length)
    const asksAgain = version < 2 && kind === 9
    const isReplacement = messages.length > 0 && (kind === 7 || kind === 8 || asksAgain)
    const isEmpty = (kind === 1 || kind === 8) && calls.length === 0
    const role =
      kind < 2 || kind === 7 || kind === 8
        ? "user"
        : kind < 4 || (kind === 9 && isReplacement)
          ? "assistant"
          : "tool"
    const type = role === "tool" ? "tool/result" : `${role}/message`
    const text: JsonArray = isEmpty ? [] : [{ type: "text", text: "t" }]
    const asked = calls.map((id) => ({ type: "tool-call", id, name: "ls", arguments: "{}" }))
    const data =
      role === "tool"
        ? toolResultData(version, place, answers, [])
        : role === "user"
          ? userData(`u${seq}`, text)
          : assistantData(version, place, `a${seq}`, [...text, ...asked])
    const message: NaiveMessage = {
      seq,
      role,
      calls: role === "assistant" ? calls : [],
      answers: role === "tool" ? answers : "",
      isEmpty: role === "user" && isEmpty,
    }
    const shadowed = isReplacement ? messages.slice(at, at + 1 + length) : []
    const seqs = shadowed.map((each) => each.seq)
    const op = isReplacement
      ? {
          sourceEventSeqs: seqs,
          surfaceOp: replaceMarker(version, seqs[0] ?? 0, seqs[seqs.length - 1] ?? 0),
        }
      : { surfaceOp: "append" }
    rows.push({ type, seq, time: 1, data, ...op })
    if (!isReplacement) messages.push(message)
    else {
      messages.splice(at, shadowed.length, message)
      this.say(faultsAround(messages, seq), seq)
    }
  }

  end(): void {
    this.say(faultsOf(this.messages), null)
  }
}

const sorted = (faults: readonly (readonly unknown[])[]): readonly string[] =>
  faults.map((fault) => JSON.stringify(fault)).toSorted()

const acceptanceOf = (lines: readonly string[]): readonly (readonly unknown[])[] =>
  checkLog(lines.map((line) => `${line}\n`).join("")).found.flatMap(({ finding }) => {
    switch (finding.code) {
      case "message-empty":
        return [[finding.code, finding.seq, null, finding.afterSeq]]
      case "call-without-result":
      case "result-without-call":
      case "result-not-adjacent":
        return [[finding.code, finding.seq, finding.callId, finding.afterSeq]]
      default:
        return []
    }
  })

describe("the check of a log", () => {
  it("CK22: what reading refuses is the first that is found of it, in any log", () => {
    const seen = { refused: 0, whole: 0 }
    const wrongRows = brokenSessions().map(({ header, offers }) => ({
      header,
      lines: offers.map(({ row }) => Buffer.from(JSON.stringify(row))),
      version: 0 as const,
    }))
    fc.assert(
      fc.property(fc.oneof(bodies(), wrongRows), fc.constantFrom("", "{"), (body, tail) => {
        const bytes = logOf(body, tail)
        const { outcome } = watchedCheck(bytes)
        expect(readingFault(bytes, outcome)).toBeNull()
        seen[outcome.refusal === null ? "whole" : "refused"]++
      }),
    )
    expectAllSeen(seen)
  })

  it("CK23: after one accident the check finds it, and keeps what stands before it", () => {
    const found = new Map<string, number>()
    fc.assert(
      fc.property(sound, fc.constantFrom(...accidents), fc.nat(), (log, how, seed) => {
        const lines = soundLines(log)
        const { bytes, intact } = damage(lines, how, drawFrom(seed))
        const { outcome, lookups } = watchedCheck(bytes)
        expect(readingFault(bytes, outcome)).toBeNull()
        const before = log.counts.slice(0, Math.max(0, intact - 1))
        const events = before.reduce((sum, count) => sum + count, 0)
        expect(outcome.acceptedEvents).toBeGreaterThanOrEqual(events)
        expect(lookups).toBeLessThanOrEqual(1)
        expect(checkLog(bytes, {}, true)).toEqual(outcome)
        if (outcome.found.length > 0) found.set(how, (found.get(how) ?? 0) + 1)
      }),
    )
    for (const how of accidents) expect([how, found.has(how)]).toEqual([how, true])
  })

  it("CK23: a line that is missing, there twice or exchanged is one row out of order", () => {
    const hows = ["dropped", "doubled", "swapped"] as const
    const seen = { dropped: 0, doubled: 0, swapped: 0, last: 0 }
    fc.assert(
      fc.property(sound, fc.constantFrom(...hows), fc.nat(), (log, how, seed) => {
        const lines = soundLines(log)
        const { bytes, intact } = damage(lines, how, drawFrom(seed))
        const { found } = checkLog(bytes)
        const order = found.filter(
          ({ finding }) =>
            finding.code === "seq-not-contiguous" || finding.code === "sequence-fork",
        )
        const isLastGone = how === "dropped" && intact === lines.length - 1
        seen[isLastGone ? "last" : how]++
        expect(order.map(({ finding }) => finding.code)).toEqual(
          isLastGone ? [] : ["seq-not-contiguous"],
        )
        // nothing is lost of what is exchanged or there twice
        if (how !== "dropped") expect(found).toHaveLength(1)
      }),
    )
    expectAllSeen(seen)
  })

  it("CK26: it is all one whether rows that no rule asks about are read or passed over", () => {
    fc.assert(
      fc.property(bodies(), fc.constantFrom(...accidents), fc.nat(), (body, how, seed) => {
        const bytes = logOf(body, "")
        const lines = [Buffer.from(JSON.stringify(body.header)), ...body.lines]
        const isText = how !== "key" && lines.length > 2
        const all = isText ? [bytes, damage(lines, how, drawFrom(seed)).bytes] : [bytes]
        for (const each of all) expect(checkLog(each, {}, true)).toEqual(checkLog(each))
      }),
    )
  })

  it("CK24: what a provider would refuse is what a naive model says of all messages", () => {
    const seen = { after: 0, atEnd: 0, nothing: 0 }
    fc.assert(
      fc.property(fc.constantFrom(...versions), moves, (version, choices) => {
        const scratch = new Scratch(version)
        for (const choice of choices) scratch.move(choice)
        scratch.end()
        const lines = [sessionHeader(version, null), ...scratch.rows].map((row) =>
          JSON.stringify(row),
        )
        const found = acceptanceOf(lines)
        expect(sorted(found)).toEqual(sorted(scratch.faults))
        for (const [, , , afterSeq] of scratch.faults) seen[afterSeq === null ? "atEnd" : "after"]++
        if (found.length === 0) seen.nothing++
      }),
    )
    expectAllSeen(seen)
  })

  it("CK25: in a log that breaks no rule nothing is found", () => {
    const seen = { rewritten: 0 }
    fc.assert(
      fc.property(sound, (log) => {
        const text = soundLines(log)
          .map((line) => `${line.toString("utf8")}\n`)
          .join("")
        const { found, acceptedEvents, eventCount } = checkLog(text)
        expect(found).toEqual([])
        expect(eventCount).toBe(log.counts.reduce((sum, count) => sum + count, 0))
        expect(acceptedEvents).toBe(eventCount)
        if (text.includes('"replace"')) seen.rewritten++
      }),
      fewRuns(1),
    )
    expectAllSeen(seen)
  })
})
