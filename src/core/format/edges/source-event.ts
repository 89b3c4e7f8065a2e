import { isLeft } from "fp-ts/lib/Either.js"
import { isCount, isSafeInt } from "../../data/count.ts"
import type { JsonObject, JsonValue } from "../../data/json.ts"
import { isJsonObject, ownValue } from "../../data/json.ts"
import type { Refusal } from "../../data/refusal.ts"
import type { EventFacts } from "../../log/event-facts.ts"
import { offSurfaceFacts } from "../../log/event-facts.ts"
import { rowOf } from "../../log/row.ts"
import { fieldsRefusal } from "../../surface/plan.ts"
import type { Format } from "../format.ts"

/** A row of the old log: an event, or a packed run. */
export interface SourceEvent {
  readonly row: JsonObject
  readonly facts: EventFacts
  readonly data: JsonObject
  /** Whether nothing was found wrong with it so far. */
  readonly isSound: boolean
}

const noData: JsonObject = {}

const textOf = (row: JsonObject, key: string): string => {
  const value = ownValue(row, key)
  return typeof value === "string" ? value : ""
}

// what can be told of a row that is none, so that the rest of the log can still be looked at
const guessed = (row: JsonObject, seq: number): EventFacts => {
  const time = ownValue(row, "time")
  const timeMs = isSafeInt(time) ? time : 0
  return offSurfaceFacts(textOf(row, "type"), seq, timeMs)
}

/** Takes the rows of the old log in order, each checked by the rules of a format. */
export class SourceReader {
  private readonly format: Format
  private readonly refuse: (seq: number | null, refusal: Refusal) => void
  private nextSeq = 0
  // behind a row without a readable seq any seq may follow
  private isLost = false

  constructor(format: Format, refuse: (seq: number | null, refusal: Refusal) => void) {
    this.format = format
    this.refuse = refuse
  }

  get count(): number {
    return this.nextSeq
  }

  /** Takes the next row; one that is not sound is only counted. */
  take(value: JsonValue, isSound: boolean, format: Format = this.format): SourceEvent {
    const row = isJsonObject(value) ? value : noData
    const read = rowOf(format, value)
    const refusal = isLeft(read) ? read.left : fieldsRefusal(format, read.right.facts)
    const seq = ownValue(row, "seq") ?? ownValue(row, "seq0")
    const facts = isLeft(read) ? guessed(row, isCount(seq) ? seq : this.nextSeq) : read.right.facts
    if (isSound && refusal !== null) this.refuse(facts.seq, refusal)
    const isPlaced = this.place(facts, isSound)
    if (isLeft(read)) this.isLost = true
    const data = ownValue(row, "data")
    return {
      row,
      facts,
      data: data !== undefined && isJsonObject(data) ? data : noData,
      isSound: isSound && refusal === null && isPlaced,
    }
  }

  private place({ seq, count }: EventFacts, isSound: boolean): boolean {
    const expected = this.nextSeq
    const isPlaced = seq === expected || this.isLost
    if (!isPlaced && isSound) this.refuse(seq, { code: "seq-not-contiguous", seq, expected })
    // a wrong seq may be as large as any
    this.nextSeq = Math.min(seq + count, Number.MAX_SAFE_INTEGER)
    this.isLost = false
    return isPlaced
  }
}
