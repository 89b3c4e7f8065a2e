import fc from "fast-check"
import type { JsonArray, JsonObject } from "#core/data/json"
import { formats } from "#core/format/catalog"
import type { FormatVersion } from "#core/format/format"
import { userData } from "./dialect.ts"
import type { Session } from "./sessions.ts"
import { rowsOf, sessions } from "./sessions.ts"
import { unpacked } from "./unpack.ts"

/** A log of which units of every kind have something to fold. */
export interface UnitLog {
  readonly version: FormatVersion
  readonly header: JsonObject
  readonly rows: readonly JsonObject[]
  /** The same log, packed runs as the events they hold. */
  readonly events: readonly JsonObject[]
}

interface Insertion {
  readonly at: number
  readonly type: string
  readonly data: JsonObject
  readonly time: number
}

// few values each, so that events often say what is known already
const small = fc.nat({ max: 2 })
const place = fc.record({ turn: small, step: small })
const usage = fc.record({ inputTokens: small, outputTokens: small }, { requiredKeys: [] })
const word = fc.constantFrom("", "a", "b")

const stream: fc.Arbitrary<JsonArray> = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant("chunk"), time: small, chunk: fc.record({ text: word }) }),
    fc
      .tuple(small, word)
      .map(([time, text]) => ({ type: "chunk", time, chunk: { type: "text-delta", text } })),
    usage.map((each) => ({ type: "chunk", time: 1, chunk: { type: "usage", usage: each } })),
    fc.tuple(small, word).map(([time0, text]) => ({ type: "text-chunks", time0, texts: [text] })),
  ),
  { maxLength: 3 },
)

const of = (type: string, data: fc.Arbitrary<JsonObject>): fc.Arbitrary<[string, JsonObject]> =>
  data.map((each) => [type, each])

const goal = fc.record({ id: word, phase: fc.constantFrom("active", "paused") })
const team = (key: string, rest: JsonObject): fc.Arbitrary<JsonObject> =>
  fc.tuple(word, word).map(([teamId, id]) => ({ version: 1, teamId, [key]: { id, ...rest } }))

const unitEvent: fc.Arbitrary<[string, JsonObject]> = fc.oneof(
  of("turn/start", place),
  of("turn/end", place),
  of("step/start", place),
  of("step/end", place),
  of("todo/write", fc.record({ todos: fc.array(fc.record({ content: word }), { maxLength: 2 }) })),
  of("session/title", fc.record({ title: word, source: fc.record({ kind: word }) })),
  of(
    "goal/change",
    fc.record({ version: small, operation: fc.constantFrom("clear", "edit"), goal }),
  ),
  of("team/member", team("member", {})),
  of("team/task", team("task", { status: "pending" })),
  of("team/task", team("task", { status: "deleted" })),
  of("team/message/queued", team("message", {})),
  of("team/message/delivered", fc.record({ version: small, teamId: word, messageId: word })),
  of(
    "agent/inbox/spliced",
    fc.record({
      target: fc.constantFrom("next-turn", "next-step"),
      start: small,
      removedCount: small,
      inserted: fc.array(
        word.map((id) => userData(id, [])),
        { maxLength: 2 },
      ),
    }),
  ),
  of(
    "assistant/attempt",
    fc.tuple(place, stream).map(([where, each]) => ({ ...where, stream: each })),
  ),
  of(
    "tool/call",
    word.map((callId) => ({ callId })),
  ),
  of(
    "tool/result",
    word.map((toolCallId) => ({ message: { toolCallId } })),
  ),
  of("llm/retry-started", place),
)

const insertions: fc.Arbitrary<readonly Insertion[]> = fc.array(
  fc
    .tuple(fc.nat({ max: 60 }), unitEvent, small)
    .map(([at, [type, data], time]) => ({ at, type, data, time })),
  { maxLength: 30 },
)

const withInsertions = (session: Session, inserted: readonly Insertion[]): UnitLog => {
  const { version, header } = session
  const known = formats[version]?.kinds
  const rows: JsonObject[] = []
  const events: JsonObject[] = []
  const add = (row: JsonObject): void => {
    const seq = events.length
    const placed = "seq0" in row ? { ...row, seq0: seq } : { ...row, seq }
    rows.push(placed)
    for (const event of unpacked(version, placed)) events.push(event)
  }
  for (const [i, row] of [...rowsOf(session), null].entries()) {
    for (const { at, type, data, time } of inserted)
      // what stands behind the last row comes at the end
      if (known?.has(type) === true && (at === i || (row === null && at > i)))
        add({ type, time: 1_000 + time, data })
    if (row !== null) add(row)
  }
  return { version, header, rows, events }
}

/** Whole sessions of every format, with further events that units fold in between. */
export const unitLogs = (maxLength = 30): fc.Arbitrary<UnitLog> =>
  fc.tuple(sessions(maxLength), insertions).map(([session, each]) => withInsertions(session, each))
