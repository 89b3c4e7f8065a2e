import fc from "fast-check"
import type { JsonObject } from "#core/data/json"
import type { FormatVersion } from "#core/format/format"
import type { NaiveReplacement } from "../model/naive-surface.ts"
import type { Choice, Offer } from "./builder.ts"
import { SessionBuilder } from "./builder.ts"
import { sessionHeader, systemData, systemText, versions } from "./dialect.ts"
import { brokenHeader, fault } from "./faults.ts"
import type { Verb } from "./verbs.ts"
import { verbs } from "./verbs.ts"

/** A session as it was offered, row by row, with what the naive model made of it. */
export interface Session {
  readonly version: FormatVersion
  readonly header: JsonObject
  readonly offers: readonly Offer[]
  readonly nodes: readonly number[]
  readonly replacements: readonly NaiveReplacement[]
}

/** The rows that joined the log. */
export const rowsOf = (session: Session): readonly JsonObject[] =>
  session.offers.flatMap(({ row, code }) => (code === null ? [row] : []))

/** The rows of a log that ends at its first wrong row; all of them where none is wrong. */
export const brokenRowsOf = (session: Session): readonly JsonObject[] => {
  const first = session.offers.findIndex(({ code }) => code !== null)
  return session.offers.slice(0, first < 0 ? undefined : first + 1).map(({ row }) => row)
}

interface Command extends Choice {
  readonly verb: Verb
}

interface Script {
  readonly version: FormatVersion
  readonly isPlain: boolean
  readonly startsWithHead: boolean
  /** Where an inherited prefix ends, in commands; null for a session of its own. */
  readonly cutAfter: number | null
  readonly commands: readonly Command[]
}

const endPrefix = (b: SessionBuilder): void => {
  b.cut = b.nextSeq
  if (b.version >= 2) b.emit("session/end-seed", { inherited: true })
}

const play = ({ version, isPlain, startsWithHead, cutAfter, commands }: Script): Session => {
  const b = new SessionBuilder({ version, isPlain })
  if (startsWithHead && version >= 3)
    b.append("system/message", systemData(version, b.place, "head", systemText(1)))
  for (const [i, { verb, ...choice }] of commands.entries()) {
    if (i === cutAfter) endPrefix(b)
    verb(b, choice)
  }
  // a cut behind the last command lies at the end of the log
  if (cutAfter !== null && cutAfter >= commands.length) endPrefix(b)
  return {
    version,
    header: sessionHeader(version, b.cut),
    offers: b.offers,
    nodes: [...b.model.nodes],
    replacements: b.model.replacements,
  }
}

const choice = fc.nat({ max: 9_999 })

const command = (faultWeight: number): fc.Arbitrary<Command> => {
  const weighted = [
    ...verbs,
    ...(faultWeight > 0 ? [{ verb: fault, weight: faultWeight }] : []),
    ...(faultWeight > 0 ? [{ verb: brokenHeader, weight: 1 }] : []),
  ]
  return fc.record({
    verb: fc.oneof(
      ...weighted.map(({ verb, weight }) => ({ arbitrary: fc.constant(verb), weight })),
    ),
    a: choice,
    b: choice,
    c: choice,
  })
}

const anyVersion = fc.constantFrom(...versions)

const scripts = (
  version: fc.Arbitrary<FormatVersion>,
  maxLength: number,
  faultWeight: number,
  isPlain: boolean,
): fc.Arbitrary<Script> =>
  fc.record({
    version,
    isPlain: fc.constant(isPlain),
    startsWithHead: fc.integer({ min: 0, max: 3 }).map((n) => n > 0),
    cutAfter: isPlain
      ? fc.constant(null)
      : fc.oneof(
          { arbitrary: fc.constant(null), weight: 2 },
          { arbitrary: fc.nat({ max: maxLength }), weight: 1 },
        ),
    commands: fc.array(command(faultWeight), { maxLength, size: "max" }),
  })

/** Whole plausible sessions of every format; every row is right. */
export const sessions = (maxLength = 40): fc.Arbitrary<Session> =>
  scripts(anyVersion, maxLength, 0, false).map(play)

/** Sessions of every format to which wrong rows are offered in between. */
export const brokenSessions = (maxLength = 40): fc.Arbitrary<Session> =>
  scripts(anyVersion, maxLength, 12, false).map(play)

/** Sessions of the newest format, to which wrong rows may be offered in between. */
export const newestSessions = (maxLength = 40, faultWeight = 12): fc.Arbitrary<Session> =>
  scripts(fc.constant<FormatVersion>(4), maxLength, faultWeight, false).map(play)

/** Sessions of format 0 as its first writers left them, many with a wrong row. */
export const plainSessions = (maxLength = 30, faultWeight = 2): fc.Arbitrary<Session> =>
  scripts(fc.constant<FormatVersion>(0), maxLength, faultWeight, true).map(play)

/** Two sessions that share their first rows: the very objects. */
export interface Fork {
  readonly stem: readonly JsonObject[]
  readonly left: Session
  readonly right: Session
}

/** Pairs of sessions of every format that part after a common prefix. */
export const forks = (maxLength = 20): fc.Arbitrary<Fork> =>
  fc
    .record({
      script: scripts(anyVersion, maxLength, 0, false),
      left: fc.array(command(0), { maxLength: 8, size: "max" }),
      right: fc.array(command(0), { maxLength: 8, size: "max" }),
    })
    .map(({ script, left, right }) => {
      const alone = { ...script, cutAfter: null }
      const stem = play(alone).offers
      const grown = (more: readonly Command[]): Session => {
        const session = play({ ...alone, commands: [...script.commands, ...more] })
        return { ...session, offers: [...stem, ...session.offers.slice(stem.length)] }
      }
      return { stem: stem.map(({ row }) => row), left: grown(left), right: grown(right) }
    })
