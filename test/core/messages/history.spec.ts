import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import type { DerivedHistory } from "#core/messages/derived-history"
import { deriveHistory, messagesOf, noHistory } from "#core/messages/derived-history"
import { image } from "../../../properties/arbitraries/dialect.ts"
import type { Draft } from "../surface/events.ts"
import { assistant, note, replacing, system, user, userWith } from "../surface/events.ts"
import { LiveLog } from "../surface/live-log.ts"

/** A log with its derived history, and the seqs whose payload was asked for by the last reading. */
class Reader {
  readonly log = new LiveLog(4)
  history: DerivedHistory = noHistory
  asked: number[] = []

  append(...drafts: readonly Draft[]): void {
    for (const draft of drafts) expect(this.log.append(draft)).toBeNull()
  }

  read(): JsonObject[] {
    this.log.read()
    this.asked = []
    const { state } = this.log.live
    this.history = deriveHistory(this.history, state, (seq): JsonValue => {
      this.asked.push(seq)
      return this.log.events[seq]?.data ?? null
    })
    return messagesOf(this.history)
  }
}

describe("derived history", () => {
  it("M7: each reading gives a fresh array of the log's own messages", () => {
    const reader = new Reader()
    reader.append(user("a"), note, assistant(4, "b"))
    const answer = reader.log.events[2]?.data
    const first = reader.read()
    const second = reader.read()
    expect(second).toEqual(first)
    expect(second).not.toBe(first)
    expect(second[0]).toBe(reader.log.events[0]?.data)
    expect(second[1]).toBe((answer as JsonObject)["message"])
    // an array that was handed out is the caller's own
    first.pop()
    reader.append(user("c"))
    expect(first).toHaveLength(1)
    expect(reader.read()).toHaveLength(3)
    expect(second).toHaveLength(2)
  })

  it("M7: what says nothing is left out", () => {
    const reader = new Reader()
    reader.append(system(4, ""), user("a"), assistant(4, ""), userWith([]))
    expect(reader.read().map(({ role }) => role)).toEqual(["user", "user"])
    reader.append(replacing(4, system(4, "be brief"), [0, 0], [0]))
    expect(reader.read().map(({ role }) => role)).toEqual(["system", "user", "user"])
  })

  it("M9: appended nodes alone are derived, until content changes", () => {
    const reader = new Reader()
    reader.append(user("a"), note, assistant(4, "b"))
    reader.read()
    expect(reader.asked).toEqual([0, 2])
    reader.read()
    expect(reader.asked).toEqual([])
    reader.append(note, user("c"), assistant(4, ""))
    reader.read()
    expect(reader.asked).toEqual([4, 5])
    reader.append(note)
    reader.read()
    expect(reader.asked).toEqual([])
    reader.append(replacing(4, user("ab"), [0, 2], [0, 2]))
    expect(reader.read().map(({ content }) => content)).toEqual([
      [{ type: "text", text: "ab" }],
      [{ type: "text", text: "c" }],
    ])
    expect(reader.asked).toEqual([7, 4, 5])
  })

  it("M9: a rewritten message takes its place, and earlier readings keep theirs", () => {
    const reader = new Reader()
    reader.append(userWith([image(0)]), user("a"))
    const before = reader.read()
    const targets = [{ seq: 0, imageIndexes: [0] }]
    reader.append({ type: "image/offload", data: { targets } })
    const after = reader.read()
    expect(after[0]?.["content"]).toEqual([{ ...image(0), offloaded: true }])
    expect(after[1]).toBe(before[1])
    expect(before[0]).toBe(reader.log.events[0]?.data)
    // the rewritten message is one object, however often it is read
    expect(reader.read()[0]).toBe(after[0])
  })

  it("M8: histories of two surfaces that grew from one do not mix", () => {
    const reader = new Reader()
    reader.append(user("a"), user("b"))
    reader.read()
    const { history } = reader
    const { state } = reader.log.live
    const events = [...reader.log.events]
    const grown = (words: string): JsonObject[] => {
      const log = new LiveLog(4)
      for (const event of events) log.events.push(event)
      log.live = { state, pending: null }
      expect(log.append(replacing(4, user(words), [0, 0], [0]))).toBeNull()
      log.read()
      // the history of the other branch is handed in, which is of no use here
      const payloadOf = (seq: number): JsonValue => log.events[seq]?.data ?? null
      reader.history = deriveHistory(reader.history, log.live.state, payloadOf)
      return messagesOf(reader.history)
    }
    const texts = (messages: readonly JsonObject[]): readonly unknown[] =>
      messages.map(({ content }) => (content as readonly JsonObject[])[0]?.["text"])
    expect(texts(grown("left"))).toEqual(["left", "b"])
    expect(texts(grown("right"))).toEqual(["right", "b"])
    expect(texts(messagesOf(history))).toEqual(["a", "b"])
  })
})
