import { expect } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import type { MigrationCause } from "#core/format/edges/cause"
import type { ChildEvidence } from "#core/format/edges/child-evidence"
import type { FormatVersion } from "#core/format/format"
import { headerIn, readLog } from "../../../fixtures/log-in-memory.ts"
import type { Migrated } from "../../../fixtures/migration.ts"
import { migrate, textOf } from "../../../fixtures/migration.ts"

export interface Rest {
  readonly sourceEventSeqs?: JsonValue
  readonly surfaceOp?: JsonValue
  readonly ignorable?: true
}

/** An event without its place: type, payload, and what stands beside it. */
export const event = (type: string, data: JsonValue, rest: Rest = {}): JsonObject => ({
  type,
  data,
  ...rest,
})

export const append = (type: string, data: JsonValue, sources?: JsonValue): JsonObject =>
  event(type, data, {
    ...(sources === undefined ? {} : { sourceEventSeqs: sources }),
    surfaceOp: "append",
  })

/** Events in the order of writers, numbered from 0, a second apart; packed runs have places already. */
export const placed = (events: readonly JsonObject[], first = 0): JsonObject[] => {
  let seq = first
  return events.map(({ type, data, seq0, ...rest }) => {
    if (seq0 !== undefined) {
      const members = (data as JsonObject)["texts"] ?? (data as JsonObject)["args"]
      const row = { type, seq0: seq, time0: 1000 * seq, data } as JsonObject
      seq += (members as readonly JsonValue[]).length
      return row
    }
    const row = { type, seq, time: 1000 * seq, data, ...rest } as JsonObject
    seq++
    return row
  })
}

export interface Source {
  readonly header?: JsonObject
  readonly children?: readonly ChildEvidence[] | null
}

/** One step from a format to the next. */
export const step = (
  from: FormatVersion,
  events: readonly JsonObject[],
  { header = {}, children = [] }: Source = {},
): Migrated =>
  migrate(from, (from + 1) as FormatVersion, headerIn(from, header), placed(events), children)

/** A step that nothing stands against; the new log is one to its own reader. */
export const accepted = (
  from: FormatVersion,
  events: readonly JsonObject[],
  source: Source = {},
): Migrated => {
  const migrated = step(from, events, source)
  expect(migrated.causes).toStrictEqual([])
  expect(readLog(textOf(migrated), { namedVersion: from + 1 })).toMatchObject({
    status: "ok",
    refusal: null,
  })
  return migrated
}

/** The payloads that a step makes, in order. */
export const dataOf = (
  from: FormatVersion,
  events: readonly JsonObject[],
  source: Source = {},
): readonly (JsonValue | undefined)[] => accepted(from, events, source).rows.map(({ data }) => data)

/** Causes without the edge they belong to, which the caller names. */
export const causesOf = (
  from: FormatVersion,
  events: readonly JsonObject[],
  source: Source = {},
): readonly object[] => briefly(step(from, events, source).causes, from)

/** A log of some rows, migrated as far as asked. */
export const through = (
  from: FormatVersion,
  rows: readonly JsonValue[],
  header: JsonObject = {},
  to: FormatVersion = 4,
): Migrated => migrate(from, to, headerIn(from, header), rows)

const briefly = (causes: readonly MigrationCause[], from: number): readonly object[] =>
  causes.map((cause) => {
    const { from: start, to, ...rest } = cause
    expect([start, to]).toStrictEqual([from, from + 1])
    return rest
  })

export const text = (value: string): JsonObject => ({ type: "text", text: value })

export const user = (id: string, more: JsonObject = {}): JsonObject => ({
  id,
  role: "user",
  content: [text("hi")],
  source: { kind: "user" },
  ...more,
})

export const assistant = (id: string, more: JsonObject = {}): JsonObject => ({
  turn: 1,
  step: 1,
  message: {
    id,
    role: "assistant",
    content: [text("yes")],
    source: { kind: "model", provider: "p", model: "m" },
  },
  ...more,
})

export const result = (id: string, callId = "c1", more: JsonObject = {}): JsonObject => ({
  turn: 1,
  step: 1,
  message: {
    id,
    role: "user",
    source: { kind: "tool", callId },
    content: [{ type: "tool-result", toolCallId: callId, content: [text("out")], isError: false }],
  },
  ...more,
})

export const turnStart = (turn = 1): JsonObject => event("turn/start", { turn })
export const turnEnd = (turn = 1): JsonObject =>
  event("turn/end", { turn, reason: { kind: "completed" } })
export const stepStart = (turn = 1, number = 1): JsonObject =>
  event("step/start", { turn, step: number })
export const stepEnd = (turn = 1, number = 1): JsonObject =>
  event("step/end", { turn, step: number })
