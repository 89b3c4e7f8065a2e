import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import { notStartedText } from "#core/format/closers"
import type { SessionEvent } from "#core/log/envelope"
import { requestFault } from "#core/request/request-fault"
import { emptyRequestLog, takeEvent } from "#core/request/request-log"
import { toolHistoryOf } from "#core/request/tool-history"
import { readMessages } from "#core/session/read"
import type { Session } from "#core/session/session"
import { builtInProjections } from "#core/surface/image-offload"
import { checkLog } from "../test/fixtures/checked-in-full.ts"
import { logText } from "../test/core/session/growing.ts"
import { rightOf } from "../test/core/surface/events.ts"
import type { Conversation } from "./driver/converse.ts"
import { converse, storedSession } from "./driver/converse.ts"
import { scripts } from "./driver/script.ts"
import { NaiveSurface } from "./model/naive-surface.ts"
import { fewRuns } from "./scale.ts"
import { expectAllSeen } from "./seen.ts"

// any text is the one that nobody has
const sha256 = (): string => notStartedText.sha256

const messagesOf = (session: Session): readonly JsonObject[] => rightOf(readMessages(session))[1]

const rowsOf = ({ lines }: Conversation): readonly JsonObject[] =>
  lines.slice(1).map((line) => JSON.parse(line) as JsonObject)

describe("simulated conversations", () => {
  it("LS60: what an adapter was sent is what the stored log leads to up to then", () => {
    const seen = { requests: 0, retries: 0, inherited: 0, withTools: 0, updates: 0, told: 0 }
    fc.assert(
      fc.property(scripts(), (script) => {
        for (const conversation of converse(script)) {
          const rows = rowsOf(conversation)
          const { session, sent } = conversation
          const model = new NaiveSurface(4)
          let log = emptyRequestLog(session.header.format, builtInProjections)
          let header: JsonObject = {}
          let taken = 0
          for (const { request, told, route, logLength, attempt } of sent) {
            for (const row of rows.slice(taken, logLength)) {
              expect(model.offer(row)).toBeNull()
              log = rightOf(takeEvent(log, row as SessionEvent))
              if (row["type"] === "request/header")
                header = (row["data"] as JsonObject)["header"] as JsonObject
            }
            taken = logLength
            const { messages, tools = [], toolHistory, sessionId, ...config } = request
            expect(messages).toEqual(model.messages())
            expect(tools).toEqual(header["tools"] ?? [])
            expect(config).toEqual(header["config"])
            expect(toolHistory).toEqual(toolHistoryOf(log.toolHistory))
            expect(requestFault(request, log)).toBeNull()
            // what can be told of tools depends on the route of this very attempt
            const isTold = told.messages.some(({ role }) => role === "developer")
            expect(isTold && route.toolUpdate === null).toBe(false)
            if (isTold) seen.told++
            seen.requests++
            if (attempt > 1) seen.retries++
            if (sessionId !== session.header.id) seen.inherited++
            if (tools.length > 0) seen.withTools++
            if (toolHistory.updates.length > 0) seen.updates++
          }
        }
      }),
      fewRuns(0.5),
    )
    expectAllSeen(seen)
  })

  it("LS61: the stored log breaks no rule, and is what the session says", () => {
    const seen = { forks: 0, restarts: 0, compactions: 0, aborted: 0, offloads: 0, prunes: 0 }
    fc.assert(
      fc.property(scripts(), (script) => {
        for (const conversation of converse(script)) {
          const text = conversation.lines.join("")
          expect(text).toBe(logText(conversation.session))
          const outcome = checkLog(text, { sha256 })
          expect(outcome.found).toEqual([])
          const stored = storedSession(conversation.lines)
          expect(messagesOf(stored)).toEqual(messagesOf(conversation.session))
          expect(outcome.acceptedEvents).toBe(conversation.lines.length - 1)
          if (conversation.session.inheritedEvents > 0) seen.forks++
          for (const { type, data } of rowsOf(conversation)) {
            if (type === "compaction/summary") seen.compactions++
            if (type === "compaction/prune") seen.prunes++
            if (type === "image/offload") seen.offloads++
            if (type === "session/end-seed") seen.restarts++
            if (type === "turn/end" && JSON.stringify(data).includes("aborted")) seen.aborted++
          }
        }
      }),
      fewRuns(0.5),
    )
    expectAllSeen(seen)
  })

  it("LS62: a script leads to the same texts each time, and no request changes later", () => {
    fc.assert(
      fc.property(scripts(), (script) => {
        const [first, second] = [converse(script), converse(script)]
        expect(second.map(({ lines }) => lines)).toEqual(first.map(({ lines }) => lines))
        for (const { sent } of first)
          for (const { request, text } of sent) expect(JSON.stringify(request)).toBe(text)
      }),
      fewRuns(0.25),
    )
  })
})
