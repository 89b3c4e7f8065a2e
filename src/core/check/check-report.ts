import type { FindingCode } from "../fold/code-layer.ts"
import type { Tail } from "../fold/log-reading.ts"
import type { HeaderFigures } from "../fold/log-report.ts"
import { headerFigures } from "../fold/log-report.ts"
import type { ContainerFault } from "../fold/container-fault.ts"
import type { Found } from "./finding-list.ts"
import type { CheckOutcome } from "./log-check.ts"

/** What a check says of one log, as plain data that crosses threads. */
export interface CheckReport {
  /** As a reader of the format ends it: rules between events refuse a log as well. */
  readonly status: "ok" | "torn" | "refused" | "unreadable"
  readonly byteCount: number | null
  readonly container: string | null
  readonly header: HeaderFigures | null
  readonly eventCount: number
  readonly acceptedEvents: number
  readonly found: readonly Found[]
  /** How often each code was found; of one code a thousand findings are kept. */
  readonly counts: readonly (readonly [code: FindingCode, count: number])[]
  readonly refusal: Found | null
  readonly fault: ContainerFault | null
  readonly tail: Tail | null
}

/** The report of a log that could not be read at all. */
export const faultCheck = (fault: ContainerFault): CheckReport => ({
  status: "unreadable",
  byteCount: null,
  container: null,
  header: null,
  eventCount: 0,
  acceptedEvents: 0,
  found: [],
  counts: [],
  refusal: null,
  fault,
  tail: null,
})

/** The report of a log that was read, whatever was found in it. */
export const checkReport = (outcome: CheckOutcome, byteCount: number): CheckReport => {
  const { isLog, refusal, tail } = outcome
  const whole = tail === null ? "ok" : "torn"
  return {
    status: !isLog ? "unreadable" : refusal !== null ? "refused" : whole,
    byteCount,
    container: "jsonl",
    header: outcome.header === null ? null : headerFigures(outcome.header),
    eventCount: outcome.eventCount,
    acceptedEvents: outcome.acceptedEvents,
    found: outcome.found,
    counts: [...outcome.counts],
    refusal,
    fault: null,
    tail: tail === null ? null : { cause: "unterminated", ...tail },
  }
}
