import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { canonicalJson } from "#core/data/canonical-json"
import type { JsonObject } from "#core/data/json"
import { ownValue } from "#core/data/json"
import type { SurfaceKind } from "#core/format/surface-kind"
import { surfaceKind } from "#core/format/surface-kind"
import { deriveEventMessage } from "#core/messages/derive"
import type { Message } from "#core/messages/event-message"
import type { BlameRow } from "#core/request/blame-row"
import type { RequestAt } from "#core/request/request-at"
import type { RequestPoint } from "#core/request/request-points"
import { requestDiff } from "#core/request/request-diff"
import { messageTokens, toolsTokens } from "#core/tokens/estimate"
import { bodies, cuts } from "./arbitraries/lines.ts"
import { converse } from "./driver/converse.ts"
import type { Sent } from "./driver/mock-adapter.ts"
import { scripts } from "./driver/script.ts"
import type { Carried } from "./logged-requests.ts"
import { blamedIn, requestsIn } from "./logged-requests.ts"
import { logOf, readByLines, readByRanges } from "./memory-reading.ts"
import { fewRuns } from "./scale.ts"
import { expectAllSeen } from "./seen.ts"

const carriedBy = (lines: readonly string[], each: readonly number[] | null): Carried => ({
  version: 4,
  bytes: Buffer.from(lines.join("")),
  cuts: each,
})

const isOf = (
  point: RequestPoint | null,
  { turn, step, attempt }: Pick<Sent, "turn" | "step" | "attempt">,
): boolean => point?.turn === turn && point.step === step && point.attempt === attempt

const expectSent = (found: RequestAt | undefined, sent: Sent): void => {
  const { messages, tools = [], toolHistory, sessionId: _, ...config } = sent.request
  expect(isOf(found?.point ?? null, sent)).toBe(true)
  if (sent.settledSeq !== null) expect(found?.throughSeq).toBe(sent.logLength - 1)
  expect(found?.messages).toEqual(messages)
  expect(found?.tools).toEqual(tools)
  expect(found?.toolHistory).toEqual(toolHistory)
  expect(ownValue(found?.header ?? {}, "config")).toEqual(config)
}

describe("the requests of a log", () => {
  it("RQ1: are what the adapter received, at every attempt, however the log is read", () => {
    const seen = { requests: 0, retries: 0, started: 0, resumed: 0, unchanged: 0, untold: 0 }
    fc.assert(
      fc.property(scripts(), cuts, (script, each) => {
        for (const { lines, sent } of converse(script)) {
          const found = requestsIn(carriedBy(lines, null))
          expect(requestsIn(carriedBy(lines, each))).toEqual(found)
          const byEnd = new Map(found.map((request) => [request.throughSeq, request]))
          for (const each of sent) {
            // of one without an answer the log may say where it was given up, and not when it was sent
            const request =
              byEnd.get(each.logLength - 1) ??
              (each.settledSeq === null ? found.find(({ point }) => isOf(point, each)) : undefined)
            // no event tells of a further attempt that nothing was logged for
            if (request === undefined && each.attempt > 1 && each.settledSeq === null) {
              seen.untold++
              continue
            }
            expectSent(request, each)
            seen.requests++
            if (each.attempt > 1) seen.retries++
            if (request?.startsSeries === true) seen.started++
            if (request?.reason === "resume") seen.resumed++
            if (request?.reason === "unchanged") seen.unchanged++
          }
        }
      }),
      fewRuns(0.4),
    )
    expectAllSeen(seen)
  })

  it("RQ2: are told to a provider as the route of each attempt had it", () => {
    const seen = { inHistory: 0, additionOnly: 0, none: 0 }
    fc.assert(
      fc.property(scripts(), (script) => {
        for (const { lines, sent } of converse(script)) {
          const byEnd = new Map(sent.map((each) => [each.logLength - 1, each]))
          const found = requestsIn(
            carriedBy(lines, null),
            undefined,
            ({ throughSeq }) => byEnd.get(throughSeq)?.route.toolUpdate ?? "none",
          )
          for (const request of found) {
            const each = byEnd.get(request.throughSeq)
            if (each === undefined) continue
            expect(request.messages).toEqual(each.told.messages)
            expect(request.tools).toEqual(each.told.tools)
            if (each.route.toolUpdate === null) seen.none++
            else if (each.route.toolUpdate === "in-history") seen.inHistory++
            else seen.additionOnly++
          }
        }
      }),
      fewRuns(0.4),
    )
    expectAllSeen(seen)
  })

  it("RQ3: are the same by address, by seq, and page by page", () => {
    const seen = { pages: 0, prefixes: 0 }
    fc.assert(
      fc.property(scripts(6), fc.integer({ min: 1, max: 30 }), (script, nodeRoom) => {
        for (const { lines } of converse(script)) {
          const log = carriedBy(lines, null)
          const found = requestsIn(log)
          for (const [index, request] of found.entries()) {
            const [first] = requestsIn(log, { is: "from", index, nodeRoom })
            expect(first).toEqual(request)
            seen.pages++
            const { point, throughSeq } = request
            if (point === null) throw new RangeError("a request without its place")
            expect(requestsIn(log, { is: "step", ...point }).at(-1)).toEqual(request)
            // what stands before the answer does not know that it was given up
            const prefix = requestsIn({ ...log, throughSeq }, { is: "end" })
            expect(prefix.at(-1)?.messages).toEqual(request.messages)
            expect(prefix.at(-1)?.header).toEqual(request.header)
            seen.prefixes++
          }
        }
      }),
      fewRuns(0.1),
    )
    expectAllSeen(seen)
  })

  it("RQ4: hold the messages of the log up to their last seq, in every format", () => {
    const seen = { requests: 0, refused: 0 }
    fc.assert(
      fc.property(bodies(50), cuts, ({ version, header, lines }, each) => {
        const bytes = logOf({ version, header, lines }, "")
        const scanned = readByRanges(version, bytes, Infinity, each)
        if (scanned === null) {
          seen.refused++
          return
        }
        const log = { version, bytes, cuts: each }
        for (const request of requestsIn(log)) {
          const { throughSeq } = request
          const { fold } = readByLines(bytes, throughSeq).finish()
          const messages = [...(fold?.surface.nodes() ?? [])].flatMap((node): Message[] => {
            const projected = fold?.surface.projectedMessage(node.seq)
            const message = deriveEventMessage(node.kind, fold?.read(node) ?? null, projected)
            return message === null ? [] : [message]
          })
          expect(request.messages).toEqual(messages)
          expect(request.tokens).toEqual(fold?.tokens())
          seen.requests++
        }
      }),
      fewRuns(0.3),
    )
    expectAllSeen(seen)
  })
})

const kindOf = (message: Message): SurfaceKind => {
  const { role } = message
  if (role === "system") return surfaceKind.system
  if (role === "developer") return surfaceKind.developer
  if (role === "assistant") return surfaceKind.assistant
  return role === "tool" ? surfaceKind.toolResult : surfaceKind.user
}

const tokensOf = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + messageTokens(kindOf(message), message), 0)

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** The beginning that two requests share, by comparing them whole. */
const naiveBlame = (
  before: RequestAt,
  now: RequestAt,
): Pick<BlameRow, "shared"> & { part: string | null } => {
  const model = ({ header }: RequestAt): readonly unknown[] => {
    const config = (header?.["config"] ?? {}) as JsonObject
    return [config["provider"], config["model"]]
  }
  const none = { messages: 0, bytes: 0, tokens: 0 }
  if (!isEqual(model(before), model(now))) return { shared: none, part: "header" }
  if (!isEqual(before.toolHistory.tools, now.toolHistory.tools))
    return { shared: none, part: "tools" }
  const texts = now.messages.map(canonicalJson)
  const differing = before.messages.findIndex((message, i) => canonicalJson(message) !== texts[i])
  const messages = differing < 0 ? before.messages.length : differing
  const shared = before.messages.slice(0, messages)
  const old = before.messages[messages]
  return {
    shared: {
      messages,
      bytes: Buffer.byteLength(shared.map(canonicalJson).join("")),
      tokens: toolsTokens(before.toolHistory.tools) + tokensOf(shared),
    },
    part: old === undefined ? null : old["role"] === "system" ? "system" : "message",
  }
}

describe("what broke the beginnings of requests", () => {
  it("BL1: each shares with the one before what comparing them whole shows", () => {
    const seen = { shared: 0, header: 0, tools: 0, system: 0, message: 0 }
    fc.assert(
      fc.property(scripts(), cuts, (script, each) => {
        for (const { lines } of converse(script)) {
          const log = carriedBy(lines, null)
          const requests = requestsIn(log)
          const rows = blamedIn(log)
          expect(blamedIn(carriedBy(lines, each))).toEqual(rows)
          expect(rows.map(({ point }) => point)).toEqual(requests.map(({ point }) => point))
          for (const [i, row] of rows.entries()) {
            const [before, now] = [requests[i - 1], requests[i]]
            if (before === undefined || now === undefined) continue
            const { shared, part } = naiveBlame(before, now)
            expect(row.break?.part ?? null).toEqual(part)
            // an image that was offloaded keeps its price, so tokens are those of the log
            expect({ ...row.shared, tokens: 0 }).toEqual({ ...shared, tokens: 0 })
            seen[row.break?.part ?? "shared"]++
          }
        }
      }),
      fewRuns(0.4),
    )
    expectAllSeen(seen)
  })

  it("BL2: two requests differ where comparing them whole shows it", () => {
    const seen = { same: 0, differ: 0 }
    fc.assert(
      fc.property(scripts(8), fc.nat(), fc.nat(), (script, x, y) => {
        for (const { lines } of converse(script)) {
          const requests = requestsIn(carriedBy(lines, null))
          const a = requests[x % requests.length]
          const b = requests[y % requests.length]
          if (a === undefined || b === undefined) continue
          const diff = requestDiff(a, b)
          const texts = b.messages.map(canonicalJson)
          const parted = a.messages.findIndex((message, i) => canonicalJson(message) !== texts[i])
          const shared = parted < 0 ? Math.min(a.messages.length, texts.length) : parted
          expect(diff.sharedMessages).toBe(shared)
          const isSame = isEqual(a.header, b.header) && isEqual(a.messages, b.messages)
          expect(diff.part === null).toBe(isSame)
          expect(requestDiff(b, a).part).toBe(diff.part)
          seen[isSame ? "same" : "differ"]++
        }
      }),
    )
    expectAllSeen(seen)
  })
})
