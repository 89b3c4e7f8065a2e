const dayMs = 86_400_000
const minuteMs = 60_000
const minutesPerDay = 1_440

const datePattern = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)Z)?$/
const clockPattern = /^(\d\d):(\d\d)$/

const isLeapYear = (year: number): boolean =>
  year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const daysIn = (year: number, month: number): number =>
  month === 2 && isLeapYear(year) ? 29 : (monthLengths[month - 1] ?? 0)

// days of all years before one, from year 0 of the Gregorian calendar
const daysBefore = (year: number): number => {
  const last = year - 1
  return 365 * year + Math.floor(last / 4) - Math.floor(last / 100) + Math.floor(last / 400) + 1
}

/** Minutes since midnight of a time such as `16:30`, or null. */
export const minuteOfDay = (text: string): number | null => {
  const [, hour = NaN, minute = NaN] = clockPattern.exec(text)?.map(Number) ?? []
  return hour < 24 && minute < 60 ? hour * 60 + minute : null
}

/**
 * Epoch milliseconds of a UTC date `2026-02-28`, its midnight, or of a minute `2026-02-28T16:30Z`;
 * null for any other text and for dates that no calendar has.
 */
export const utcTimeMs = (text: string): number | null => {
  const match = datePattern.exec(text)
  if (match === null) return null
  const [year = 0, month = 0, day = 0] = match.slice(1, 4).map(Number)
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null
  const minutes = match[4] === undefined ? 0 : minuteOfDay(`${match[4]}:${match[5]}`)
  if (minutes === null) return null
  let days = daysBefore(year) - daysBefore(1970) + day - 1
  for (let before = 1; before < month; before++) days += daysIn(year, before)
  return days * dayMs + minutes * minuteMs
}

/** The minute of its UTC day that a time falls in. */
export const utcMinuteOfDay = (timeMs: number): number => {
  const minutes = Math.floor(timeMs / minuteMs) % minutesPerDay
  return minutes < 0 ? minutes + minutesPerDay : minutes
}
