import picomatch from "picomatch"
import { UsageError } from "../border.ts"

/** Whether a name matches a glob; without a glob every name does. */
export const nameMatcher = (glob: string | undefined): ((name: string) => boolean) =>
  glob === undefined ? () => true : picomatch(glob, { dot: true })

/** The regular expression of a glob, for a worker; null without one. */
export const globSource = (glob: string | undefined): string | null =>
  glob === undefined ? null : picomatch.makeRe(glob, { dot: true }).source

const dateOnly = /^(\d{4})-(\d{2})-(\d{2})$/
const dayMs = 86_400_000

// what a clock in the zone shows at an instant, as if it were UTC
const wallClockMs = (instantMs: number, zone: string): number => {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    era: "short",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(instantMs)
  const part = (type: string): number =>
    Number(parts.find((each) => each.type === type)?.value ?? 0)
  return Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  )
}

/** The instant at which a clock in the zone shows a time; the first of two in a repeated hour. */
const instantOf = (wallMs: number, zone: string): number => {
  // an offset guessed on the wrong side of a change is right at the second try
  let instant = wallMs
  for (let round = 0; round < 2; round++) instant += wallMs - wallClockMs(instant, zone)
  return instant
}

/** Refuses a time zone that the machine does not know. */
export const checkZone = (zone: string): string => {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    throw new UsageError(`unknown time zone "${zone}"; use a name such as Europe/Berlin`)
  }
}

/**
 * Reads `--since` and `--until`: a day such as 2026-11-29, or an instant with its offset.
 *
 * shape   epoch milliseconds; of a day its first instant in the zone, or with `end` that of the
 *         day after it
 */
export const instantOfDate = (text: string, zone: string, end: boolean): number => {
  const day = dateOnly.exec(text)
  if (day !== null) {
    const wallMs = Date.UTC(Number(day[1]), Number(day[2]) - 1, Number(day[3]))
    // 2026-02-30 would silently be March
    if (new Date(wallMs).toISOString().slice(0, 10) === text)
      return instantOf(end ? wallMs + dayMs : wallMs, zone)
  } else if (/^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:\d{2})$/.test(text)) {
    const instant = Date.parse(text)
    if (!Number.isNaN(instant)) return end ? instant + 1 : instant
  }
  throw new UsageError(`"${text}" is no date; write 2026-11-29 or 2026-11-29T12:00:00Z`)
}
