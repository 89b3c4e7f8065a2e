import type { Found } from "#core/check/finding-list"
import type { CheckOutcome } from "#core/check/log-check"
import { isRelation } from "#shell/report/relation-text"
import { checkLog } from "../test/fixtures/checked-in-full.ts"
import { readLog } from "../test/fixtures/log-in-memory.ts"

/** What a check did, in steps, beside what it found. */
export interface Watched {
  readonly outcome: CheckOutcome
  /** How often a line was read again, and how often a seq was looked for. */
  readonly readAgain: number
  readonly lookups: number
}

/** Checks a log and counts what it asked for. */
export const watchedCheck = (bytes: Buffer): Watched => {
  let readAgain = 0
  let lookups = 0
  const outcome = checkLog(bytes, {
    lineAt: ({ byteOffset, byteLength }) => {
      readAgain++
      return bytes.toString("utf8", byteOffset, byteOffset + byteLength)
    },
    offsetOfSeq: () => {
      lookups++
      return 0
    },
  })
  return { outcome, readAgain, lookups }
}

/** Whether a check says the same where it passes over rows that no rule asks about. */
export const isSameSkimmed = (bytes: Buffer, outcome: CheckOutcome): boolean => {
  const skimmed = checkLog(bytes, { offsetOfSeq: () => 0 }, true)
  const said = ({ counts, ...rest }: CheckOutcome): string =>
    JSON.stringify({ ...rest, counts: [...counts] })
  return said(skimmed) === said(outcome)
}

/** What is said of the first thing that reading refuses, too. */
const firstOfReading = ({ found }: CheckOutcome): Found | undefined =>
  found.find(({ finding }) => !isRelation(finding))

/** Why a check of a log is not what reading says of it; null where it is. */
export const readingFault = (bytes: Buffer, outcome: CheckOutcome): string | null => {
  const read = readLog(bytes)
  const first = firstOfReading(outcome)
  const told = first === undefined ? null : [first.finding, first.row, first.byteOffset]
  const expected =
    read.refusal === null ? null : [read.refusal.refusal, read.refusal.row, read.refusal.byteOffset]
  if (JSON.stringify(told) !== JSON.stringify(expected))
    return `found ${JSON.stringify(told)}, reading says ${JSON.stringify(expected)}`
  const { acceptedEvents, refusal, eventCount } = outcome
  if (acceptedEvents > read.eventCount) return `${acceptedEvents} of ${read.eventCount} accepted`
  const hasRelation = outcome.found.some(
    ({ finding }) => isRelation(finding) && finding.code !== "sequence-fork",
  )
  if (!hasRelation && acceptedEvents !== read.eventCount)
    return `${acceptedEvents} accepted, not ${read.eventCount}`
  if (refusal === null && acceptedEvents !== eventCount)
    return `${acceptedEvents} of ${eventCount} accepted without a refusal`
  return (read.tail !== null && refusal === null) !== (outcome.tail !== null && refusal === null)
    ? "the tail is another one"
    : null
}
