import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, right } from "fp-ts/lib/Either.js"
import * as t from "io-ts"
import type { JsonObject, JsonValue } from "#core/data/json"
import type { FormatVersion } from "#core/format/format"
import type { SessionEvent } from "#core/log/envelope"
import type { LogHeader } from "#core/log/header"
import type { EventSlice } from "#core/projection/advance"
import type { SessionCells } from "#core/projection/cells"
import { openCells } from "#core/projection/cells"
import type { AnyProjection, ProjectionDefinition } from "#core/projection/definition"
import type { Driven } from "#core/projection/drive"
import { driveEvent } from "#core/projection/drive"
import type { RegistryRefusal } from "#core/projection/refusal"
import type { ProjectionRegistry } from "#core/projection/registry"
import { noUnits, registerUnits } from "#core/projection/registry"
import { headerIn } from "../../../properties/carriers.ts"
import { headerIn as headerOfVersion } from "../../fixtures/log-in-memory.ts"

/** What a command answers with, or a failed test. */
export const rightOf = <A>(verdict: Either<unknown, A>): A => {
  if (isLeft(verdict)) throw new Error(JSON.stringify(verdict.left))
  return verdict.right
}

export const codeOf = (verdict: Either<RegistryRefusal, unknown>): RegistryRefusal | null =>
  isLeft(verdict) ? verdict.left : null

export const headerOf = (version: FormatVersion = 4, fields: JsonObject = {}): LogHeader =>
  headerIn(headerOfVersion(version, fields))

/** An event before it has a seq; times are those of the place in the log where none is given. */
export interface Draft {
  readonly type: string
  readonly data: JsonValue
  readonly time?: number
  readonly surfaceOp?: JsonValue
}

export const eventsOf = (drafts: readonly Draft[], first = 0): readonly SessionEvent[] =>
  drafts.map(
    (draft, i) => ({ time: 1_000 + i, ...draft, seq: first + i }) as unknown as SessionEvent,
  )

export const sliceOf = (events: readonly SessionEvent[]): EventSlice => ({
  baseSeq: events[0]?.seq ?? 0,
  events,
})

/** An event that adds a word to the units `words` and `host`, and one that is nothing to them. */
export const say = (word: string): Draft => ({ type: "feedback/record", data: { text: word } })
export const pass: Draft = { type: "plan/mode", data: { active: true } }

/** What units of tests hold: words that were said, and which events were applied. */
export interface Words {
  readonly words: readonly string[]
}

const wordsCodec = t.strict({ words: t.array(t.string) })

const sayIn = (state: Words, data: JsonValue | undefined): Words =>
  data === undefined ? state : { words: [...state.words, (data as { readonly text: string }).text] }

/** Words that were said; what it shows is all of them. */
export const words: ProjectionDefinition<Words, Words> = {
  key: "words",
  stateVersion: 1,
  codec: wordsCodec,
  reads: new Set(["feedback/record"]),
  init: () => ({ words: [] }),
  apply: (state, _facts, data) => right(sayIn(state, data)),
  wire: { codec: wordsCodec, view: (state) => state },
}

/** The same, for its host alone. */
export const host: ProjectionDefinition<Words, never> = {
  ...words,
  key: "host",
  stateVersion: 2,
  wire: null,
}

export interface Longest {
  readonly count: number
  readonly longest: readonly string[]
}

/** Shows the longest word alone; its state changes with every word. */
export const longest: ProjectionDefinition<Longest, readonly string[]> = {
  key: "longest",
  stateVersion: 1,
  codec: t.strict({ count: t.number, longest: t.array(t.string) }),
  reads: words.reads,
  init: () => ({ count: 0, longest: [""] }),
  apply: (state, _facts, data) => {
    if (data === undefined) return right(state)
    const word = (data as { readonly text: string }).text
    const isLonger = word.length > (state.longest[0] ?? "").length
    return right({ count: state.count + 1, longest: isLonger ? [word] : state.longest })
  },
  wire: { codec: t.array(t.string), view: (state) => state.longest },
}

/** Seqs that were applied: shows which events a restore takes. */
export const applied = (
  key: string,
  stateVersion: number,
): ProjectionDefinition<{ readonly seqs: readonly number[] }, readonly number[]> => ({
  key,
  stateVersion,
  codec: t.strict({ seqs: t.array(t.number) }),
  reads: new Set(),
  init: () => ({ seqs: [] }),
  apply: (state, { seq }) => right({ seqs: [...state.seqs, seq] }),
  wire: { codec: t.array(t.number), view: ({ seqs }) => seqs },
})

/** Counts what was said and refuses one word. */
export const fussy = (word: string): ProjectionDefinition<number, number> => ({
  key: "fussy",
  stateVersion: 1,
  codec: t.number,
  reads: new Set(["feedback/record"]),
  init: () => 0,
  apply: (state, { seq }, data) =>
    data === undefined
      ? right(state)
      : (data as JsonObject)["text"] === word
        ? { _tag: "Left", left: { code: "word-refused", seq } }
        : right(state + 1),
  wire: { codec: t.number, view: (state) => state },
})

export const registryOf = (...units: readonly AnyProjection[]): ProjectionRegistry =>
  rightOf(registerUnits(noUnits, units))

/** A session that somebody appends to, with its cells. */
export class LiveSession {
  readonly registry: ProjectionRegistry
  readonly events: SessionEvent[] = []
  cells: SessionCells

  constructor(
    registry: ProjectionRegistry,
    past: readonly Draft[] = [],
    version: FormatVersion = 4,
  ) {
    this.registry = registry
    for (const event of eventsOf(past)) this.events.push(event)
    this.cells = openCells(registry, headerOf(version), 0, past.length - 1)
  }

  get slice(): EventSlice {
    return sliceOf(this.events)
  }

  append(draft: Draft): SessionEvent {
    const [event] = eventsOf([draft], this.events.length)
    if (event === undefined) throw new RangeError("no event")
    this.events.push(event)
    return event
  }

  drive(event: SessionEvent): Driven {
    const [cells, driven] = rightOf(driveEvent(this.registry, this.cells, this.slice, event))
    this.cells = cells
    return driven
  }

  /** Appends, drives, and answers with what is told. */
  tell(draft: Draft): readonly (readonly [string, unknown, number])[] {
    return this.drive(this.append(draft)).changes.map(({ key, value, asOfSeq }) => [
      key,
      value,
      asOfSeq,
    ])
  }
}

/** An event of a type that is not on the surface. */
export const event = (type: string, data: JsonObject): Draft => ({ type, data })

/** What is told of one unit, event by event; null where it is quiet. */
export const toldOf = <State, View>(
  unit: ProjectionDefinition<State, View>,
  drafts: readonly Draft[],
  version: FormatVersion = 4,
): readonly unknown[] => {
  const session = new LiveSession(registryOf(unit), [], version)
  return drafts.map((draft) => {
    const [change] = session.tell(draft)
    return change === undefined ? null : change[1]
  })
}
