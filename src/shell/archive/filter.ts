import picomatch from "picomatch"
import { UsageError } from "../border.ts"

// a session id may hold a slash and is no path: a star matches it too
const globOptions = { dot: true, bash: true } as const

// more stars than this let a long name take for ever, in the general form
const maxStars = 3

const literal = (text: string): string =>
  [...text].map((char) => (char === "?" ? "[^]" : char.replace(/[\\^$.|+/-]/, "\\$&"))).join("")

/**
 * A glob of stars and question marks alone. Each part behind a star is looked for once and for all,
 * at its first place: a lookahead is never entered twice. So the work is that of a plain search.
 */
const plainSource = (glob: string): string => {
  const [first = "", ...rest] = glob.split(/\*+/)
  const last = rest.pop()
  if (last === undefined) return `^${literal(first)}$`
  const middle = rest.map((part, i) => `(?=([^]*?${literal(part)}))\\${i + 1}`).join("")
  return `^${literal(first)}${middle}[^]*${literal(last)}$`
}

/** The source of the regular expression of a glob, also for a worker; null without a glob. */
export const globSource = (glob: string | undefined): string | null => {
  if (glob === undefined) return null
  if (glob !== "" && glob.length < 1000 && !/[[\]{}()!@+\\]/.test(glob)) return plainSource(glob)
  if ((glob.match(/[*+]/g) ?? []).length > maxStars)
    throw new UsageError(`"${glob.slice(0, 80)}" has more than ${maxStars} stars`)
  try {
    return picomatch.makeRe(glob, globOptions).source
  } catch {
    // empty, or longer than its reader takes
    throw new UsageError(`"${glob}" is no glob`)
  }
}

/** Whether a name matches a glob; without a glob every name does. */
export const nameMatcher = (glob: string | undefined): ((name: string) => boolean) => {
  const source = globSource(glob)
  if (source === null) return () => true
  const pattern = new RegExp(source)
  return (name) => pattern.test(name)
}

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

/**
 * The first instant at which a clock in the zone shows a time: in an hour that is repeated the
 * earlier one, in an hour that is left out the jump over it.
 */
const instantOf = (wallMs: number, zone: string): number => {
  // clocks change less often than every other day: one of these two offsets is in force
  const guesses = [wallMs - dayMs, wallMs + dayMs].map(
    (nearMs) => wallMs - (wallClockMs(nearMs, zone) - nearMs),
  )
  let early = Math.min(...guesses)
  let late = Math.max(...guesses)
  if (wallClockMs(early, zone) === wallMs) return early
  // the clock shows less than asked for at `early`, and at `late` as much or more
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2)
    if (wallClockMs(middle, zone) < wallMs) early = middle
    else late = middle
  }
  return late
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
