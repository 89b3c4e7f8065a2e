import type { JsonObject, JsonValue } from "../../data/json.ts"
import { isJsonObject, ownValue } from "../../data/json.ts"
import { endSeedType } from "../../log/inherited-marker.ts"
import { isRunType } from "../../log/packed-run.ts"
import { checkOf } from "../../log/shape-check.ts"
import { count, exactly } from "../../log/shape.ts"
import { Attempt } from "./attempt.ts"
import { AttemptQueue } from "./attempt-queue.ts"
import { Deliveries, deliveryType } from "./deliveries.ts"
import type { Edge, EdgeRun } from "./edge.ts"
import { headerWith } from "./edge-header.ts"
import { EdgeLog } from "./edge-log.ts"
import { chunkShape } from "./frozen-payloads.ts"
import { goalPlugin, legacyGoalChange } from "./legacy-goal.ts"
import { mapMessages, withKey } from "./message-slots.ts"
import type { SeqMap } from "./seq-map.ts"
import { oldSeqOf } from "./seq-map.ts"
import type { SourceEvent } from "./source-event.ts"
import { interrupted } from "./turns.ts"

const chunkType = "assistant/chunk"
const chunkCheck = checkOf(exactly({ turn: count, step: count, chunk: chunkShape }))
const chunkKeys: ReadonlySet<string> = new Set(["type", "seq", "time", "data"])
const closers: ReadonlySet<string> = new Set([
  "step/end",
  "turn/end",
  "llm/retry",
  "llm/retry-started",
])

const numberOf = (data: JsonObject, key: string): number => {
  const value = ownValue(data, key)
  return typeof value === "number" ? value : -1
}

class V1ToV2 implements EdgeRun {
  private readonly log: EdgeLog
  private readonly deliveries: Deliveries
  private readonly cut: number
  private isCutPlaced: boolean
  private readonly queue: AttemptQueue
  private lastTimeMs: number

  constructor(log: EdgeLog) {
    this.log = log
    this.cut = log.header.seedLength ?? 0
    this.isCutPlaced = !log.header.isSeeded
    this.lastTimeMs = log.header.createdAtMs
    this.queue = new AttemptQueue(log.out)
    const rules = { own: 1, foreign: "unsupported", future: null } as const
    this.deliveries = new Deliveries(rules, log.header, (...cause) => log.refuse(...cause))
  }

  step(row: JsonValue, isSound = true): void {
    const { log } = this
    const isChunkRow = isJsonObject(row) && ownValue(row, "type") === chunkType
    const extra = isChunkRow ? Object.keys(row).find((key) => !chunkKeys.has(key)) : undefined
    if (isSound && isChunkRow && extra !== undefined)
      log.refuse("unsupported", log.count, {
        code: "envelope-shape",
        fault: { path: [extra], expected: "nothing" },
      })
    const event = log.take(row, isSound && extra === undefined)
    const { type } = event.facts
    if (type === chunkType || isRunType(type)) this.chunk(event)
    else this.other(event)
    this.lastTimeMs = event.facts.lastTimeMs
    log.turns.note(type, event.data)
  }

  end(): SeqMap {
    const { log, cut } = this
    this.queue.close()
    if (!this.isCutPlaced) {
      const eventCount = log.count
      if (cut > eventCount)
        log.refuse("malformed", null, { code: "inherited-cut-beyond-end", cut, eventCount })
      this.placeMarker(eventCount === 0 ? null : eventCount - 1, this.lastTimeMs)
    }
    return log.out.map.seal()
  }

  sourceSeq(newSeq: number): number | null {
    return oldSeqOf(this.log.out.map, newSeq)
  }

  private chunk(event: SourceEvent): void {
    const { log, cut } = this
    const { facts, data } = event
    const { seq } = facts
    const isRun = isRunType(facts.type)
    const fault = event.isSound && !isRun ? chunkCheck.fault(data) : null
    const { isSound } = fault === null ? event : log.misshapen(event, fault)
    const turn = numberOf(data, "turn")
    const step = numberOf(data, "step")
    // a chunk without coordinates is one of whatever is going on
    const goesOn =
      this.queue.attempt?.goesOn(turn, step) === true || (turn < 0 && this.queue.attempt !== null)
    if (!goesOn) this.queue.close()
    this.reachCut(event)
    const attempt = (this.queue.attempt ??= new Attempt(turn, step, seq))
    const isSpanning = attempt.firstSeq < cut && cut < seq + facts.count
    if (log.header.isSeeded && isSpanning) this.refuseSpan(attempt, seq)
    this.queue.flush()
    log.out.map.drop(seq, facts.count)
    attempt.count(facts)
    if (!isSound) {
      attempt.isSound = false
      return
    }
    if (isRun) attempt.stream.addRun(facts.type as "text-chunks", facts.timeMs, data)
    else {
      const chunk = data["chunk"] as JsonObject
      attempt.stream.add(chunk, facts.timeMs)
      attempt.isFinished = chunk["type"] === "finish"
    }
  }

  private other(event: SourceEvent): void {
    const { log } = this
    const { facts, data } = event
    const { type } = facts
    if (closers.has(type)) this.queue.close()
    if (type === "assistant/message") return this.answer(event)
    if (type === "turn/start") return this.turn(event)
    if (type === endSeedType) return this.endSeed(event)
    this.reachCut(event)
    if (type === deliveryType && event.isSound && !this.deliveries.take(facts.seq, data))
      return this.queue.emit(() => log.out.copy({ ...event, isSound: false }))
    if (!event.isSound) return this.queue.emit(() => log.out.copy(event))
    const change = type === "user/message" ? legacyGoalChange(data["source"]) : null
    if (change !== null)
      this.queue.insert(facts.seq, { type: "goal/change", timeMs: facts.timeMs, data: change })
    const next = mapMessages(type, data, (message) =>
      withKey(message, "source", (source) =>
        legacyGoalChange(source) === null ? source : goalPlugin,
      ),
    )
    this.queue.emit(() => {
      log.out.keep(event, type, next)
    })
  }

  private turn(event: SourceEvent): void {
    const { log } = this
    const { seq, timeMs } = event.facts
    const openTurn = log.turns.turn ?? 0
    const found = log.turns.before(event.data)
    if (found === "interrupted") this.queue.close()
    this.reachCut(event)
    if (found === "interrupted")
      this.queue.insert(seq, { type: "turn/end", timeMs, data: interrupted(openTurn) })
    const kept =
      found === "open"
        ? log.refuseEvent("unsupported", event, { code: "turn-open", openTurn })
        : event
    this.queue.emit(() => {
      if (kept.isSound) log.out.keep(kept, "turn/start", kept.data)
      else log.out.copy(kept)
    })
  }

  private endSeed(event: SourceEvent): void {
    const { log } = this
    const isCut = !this.isCutPlaced && event.facts.seq === this.cut
    if (isCut) this.isCutPlaced = true
    else this.reachCut(event)
    this.queue.emit(() => {
      if (!event.isSound) log.out.copy(event)
      else log.out.keep(event, endSeedType, isCut ? { inherited: true } : event.data)
    })
  }

  // which attempt an answer came from: the one whose chunks it cites, and no other
  private answer(event: SourceEvent): void {
    const { log } = this
    const { facts, data } = event
    const turn = numberOf(data, "turn")
    const step = numberOf(data, "step")
    const cites = facts.sources !== null && facts.sources.length > 0
    let next = event
    let claimed = this.queue.attempt?.isOf(turn, step) === true ? this.queue.attempt : null
    if (!cites && claimed !== null) {
      if (facts.sources === null)
        next = log.refuseEvent("unsupported", next, { code: "attempt-uncited", turn, step })
      else claimed = null
    } else if (cites && (claimed === null || !claimed.isCitedBy(facts.sources))) {
      // a lost chunk may be the one that is missing
      if (this.queue.attempt?.isSound !== false)
        next = log.refuseEvent("unsupported", next, { code: "attempt-citation", turn, step })
      else next = { ...next, isSound: false }
    }
    if (claimed === null) this.queue.close()
    else if (log.header.isSeeded && claimed.firstSeq < this.cut && this.cut <= facts.seq)
      this.refuseSpan(claimed, facts.seq)
    this.queue.attempt = null
    this.queue.flush()
    this.reachCut(event)
    const stream = claimed === null ? [] : claimed.stream.seal()
    const isSound = next.isSound && claimed?.isSound !== false
    if (!isSound) return log.out.copy({ ...next, isSound })
    const { turn: _turn, step: _step, message, ...rest } = data
    const payload = { turn, step, message: message ?? null, stream, ...rest }
    log.out.keep({ ...next, facts: { ...facts, sources: null } }, facts.type, payload)
  }

  private refuseSpan(attempt: Attempt, seq: number): void {
    if (!attempt.isCut && attempt.isSound)
      this.log.refuse("unsupported", seq, { code: "attempt-spans-cut", cut: this.cut })
    attempt.isCut = true
    attempt.isSound = false
  }

  // the marker stands before the first event that is not inherited
  private reachCut(event: SourceEvent): void {
    const { seq, timeMs } = event.facts
    if (!this.isCutPlaced && seq >= this.cut) this.placeMarker(seq, timeMs)
  }

  private placeMarker(anchor: number | null, timeMs: number): void {
    this.isCutPlaced = true
    this.queue.insert(anchor, { type: endSeedType, timeMs, data: { inherited: true } })
  }
}

/** The chunks of a stream move into the message they became, or into an attempt of their own. */
export const v1ToV2: Edge = {
  from: 1,
  to: 2,
  header: (header) =>
    headerWith(header, {
      version: 2,
      seedLength: undefined,
      isSeeded: Object.hasOwn(header, "seedLength"),
    }),
  begin: (header, _evidence, outlet) => new V1ToV2(new EdgeLog(header, 1, 2, outlet)),
}
