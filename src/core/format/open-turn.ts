import { isRight } from "fp-ts/lib/Either.js"
import { isCount } from "../data/count.ts"
import type { JsonObject, JsonValue } from "../data/json.ts"
import { isJsonArray, isJsonObject, ownValue } from "../data/json.ts"
import type { SessionEvent } from "../log/envelope.ts"
import type { LineRange } from "../log/line-range.ts"
import type { LogRow } from "../log/row.ts"
import { rowOf } from "../log/row.ts"
import { toolResultHolder } from "../log/tool-result-holder.ts"
import type { Format } from "./format.ts"

/** A tool call that nobody answered. */
export interface OpenCall {
  readonly callId: string
  /** Seq of the event that started it; null for one that was only advertised. */
  readonly startedSeq: number | null
}

/** A turn that a log ends in. */
export interface OpenTurn {
  readonly turn: number
  /** The open step, or null. */
  readonly step: number | null
  /** Unanswered calls of the open step, in the order in which they were advertised. */
  readonly calls: readonly OpenCall[]
  /** Where the last complete step of the turn ends, or where the turn begins. */
  readonly keepTo: number
  readonly nextSeq: number
  readonly lastTimeMs: number
}

const textOf = (value: JsonValue | undefined): string | null =>
  typeof value === "string" ? value : null

const numberOf = (data: JsonObject, key: string): number => {
  const value = ownValue(data, key)
  return isCount(value) ? value : 0
}

/** Follows turns, steps and calls, to know what a log ends in. */
export class OpenTurnDraft {
  private readonly format: Format
  private turn: number | null = null
  private step: number | null = null
  private keepTo = 0
  private nextSeq = 0
  private lastTimeMs = 0
  private readonly calls: Map<string, number | null> = new Map()

  constructor(format: Format) {
    this.format = format
  }

  /** Takes the next row. */
  take({ facts, data }: LogRow, { byteOffset, byteLength }: LineRange): void {
    this.nextSeq = facts.seq + facts.count
    this.lastTimeMs = facts.lastTimeMs
    if (!isJsonObject(data)) return
    switch (facts.type) {
      case "turn/start":
        this.turn = numberOf(data, "turn")
        this.step = null
        this.keepTo = byteOffset
        this.calls.clear()
        break
      case "turn/end":
        this.turn = null
        this.step = null
        this.calls.clear()
        break
      case "step/start":
        this.step = numberOf(data, "step")
        this.calls.clear()
        break
      case "step/end":
        this.step = null
        this.keepTo = byteOffset + byteLength + 1
        this.calls.clear()
        break
      case "assistant/message":
        this.advertise(ownValue(data, "message"))
        break
      case "tool/call": {
        const callId = textOf(ownValue(data, "callId"))
        if (callId !== null && this.calls.has(callId)) this.calls.set(callId, facts.seq)
        break
      }
      case "tool/result":
        this.answer(ownValue(data, "message"))
        break
    }
  }

  /** The turn that is open now, or null. */
  open(): OpenTurn | null {
    const { turn, step, keepTo, nextSeq, lastTimeMs } = this
    if (turn === null) return null
    // calls of a step that is over get no result any more
    const open = step === null ? [] : [...this.calls]
    const calls = open.map(([callId, startedSeq]) => ({ callId, startedSeq }))
    return { turn, step, calls, keepTo, nextSeq, lastTimeMs }
  }

  private advertise(message: JsonValue | undefined): void {
    const content = isJsonObject(message) ? ownValue(message, "content") : undefined
    for (const block of isJsonArray(content) ? content : []) {
      const isCall = isJsonObject(block) && ownValue(block, "type") === "tool-call"
      const callId = isCall ? textOf(ownValue(block, "id")) : null
      if (callId !== null) this.calls.set(callId, null)
    }
  }

  private answer(message: JsonValue | undefined): void {
    const holder = toolResultHolder(this.format.rules.toolResultContent, message)
    const callId = holder === null ? null : textOf(ownValue(holder, "toolCallId"))
    if (callId !== null) this.calls.delete(callId)
  }
}

const noLine: LineRange = { byteOffset: 0, byteLength: 0 }

/**
 * The turn that is open behind the first `end` events of a log, or null.
 *
 * shape   the events are those from seq 0 on; `keepTo` is 0, as they stand in no lines
 * cost    the events since the last start or end of a turn
 */
export const openTurnAfter = (
  format: Format,
  events: readonly SessionEvent[],
  end: number,
): OpenTurn | null => {
  let first = end - 1
  while (first >= 0 && events[first]?.type !== "turn/start" && events[first]?.type !== "turn/end")
    first--
  const draft = new OpenTurnDraft(format)
  for (const event of first < 0 ? [] : events.slice(first, end)) {
    const row = rowOf(format, event)
    if (isRight(row)) draft.take(row.right, noLine)
  }
  return draft.open()
}
