import { isLeft } from "fp-ts/lib/Either.js"
import type { JsonObject } from "#core/data/json"
import type { OpenTurn } from "#core/format/open-turn"
import { OpenTurnDraft } from "#core/format/open-turn"
import { readRow } from "#core/log/row"
import { formatOf } from "./verdict.ts"

export const place = { turn: 1, step: 1 }

/** A message that asks for calls by their ids. */
export const asking = (seq: number, ...ids: readonly string[]): JsonObject => ({
  type: "assistant/message",
  seq,
  time: seq,
  data: {
    ...place,
    message: {
      id: `a${seq}`,
      role: "assistant",
      content: ids.map((id) => ({ type: "tool-call", id, name: "ls", arguments: "{}" })),
      source: { kind: "model", provider: "p", model: "m" },
    },
    stream: [],
  },
  surfaceOp: "append",
})

export const called = (seq: number, callId: string): JsonObject => ({
  type: "tool/call",
  seq,
  time: seq,
  data: { ...place, callId, name: "ls", arguments: "{}" },
})

/** The turn that rows end in. Each row takes a line of a hundred bytes behind a header of as many. */
export const openIn = (version: number, rows: readonly JsonObject[]): OpenTurn | null => {
  const format = formatOf(version)
  const draft = new OpenTurnDraft(format)
  for (const [i, row] of rows.entries()) {
    const read = readRow(format, JSON.stringify(row))
    if (isLeft(read)) throw new Error(JSON.stringify(read.left))
    draft.take(read.right, { byteOffset: 100 * (i + 1), byteLength: 99 })
  }
  return draft.open()
}
