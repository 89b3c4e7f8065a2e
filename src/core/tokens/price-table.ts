import type { Either } from "fp-ts/lib/Either.js"
import { left, right } from "fp-ts/lib/Either.js"
import { utcMinuteOfDay } from "../data/utc-time.ts"

/** Minutes of the UTC day from the first up to and without the second; may pass midnight. */
export interface HourWindow {
  readonly fromMinute: number
  readonly toMinute: number
}

/**
 * What one model costs, for how long, and who says so.
 *
 * units   micro-USD per million tokens, which is pico-USD a token: whole numbers, so that a cost is
 *         exact. Null where the source names no price
 */
export interface PriceRow {
  /** Null for every provider. */
  readonly provider: string | null
  readonly model: string
  readonly fromMs: number
  /** Null while nobody has said that it ended. */
  readonly untilMs: number | null
  /** Null for the whole day. */
  readonly hours: HourWindow | null
  readonly input: number
  readonly output: number
  readonly cacheRead: number | null
  readonly cacheWrite: number | null
  readonly source: string
  /** UTC date on which the source was read. */
  readonly sourceDate: string
}

export type PriceTable = readonly PriceRow[]

/**
 * Prices that come with the program: none. Those that can be had are not dated, and contradict
 * one another; a table is given by whoever knows it.
 */
export const builtInPrices: PriceTable = []

/** The route of a call. */
export interface PricedRoute {
  readonly provider: string
  readonly model: string
}

/** A call without a price: it is told, and never guessed at. */
export type PriceFinding =
  | { readonly code: "price-model-unknown"; readonly provider: string; readonly model: string }
  | {
      readonly code: "price-time-unknown"
      readonly provider: string
      readonly model: string
      readonly timeMs: number
    }
  | {
      readonly code: "price-bucket-unknown"
      readonly provider: string
      readonly model: string
      readonly bucket: "cacheRead" | "cacheWrite"
    }

/** Whether a minute of the UTC day falls into a window. */
export const isWithin = ({ fromMinute, toMinute }: HourWindow, minute: number): boolean =>
  fromMinute < toMinute
    ? minute >= fromMinute && minute < toMinute
    : minute >= fromMinute || minute < toMinute

const holdsAt = (row: PriceRow, timeMs: number): boolean =>
  timeMs >= row.fromMs &&
  (row.untilMs === null || timeMs < row.untilMs) &&
  (row.hours === null || isWithin(row.hours, utcMinuteOfDay(timeMs)))

// the more a row says of a call, the more it counts: its provider, then its hours
const weightOf = (row: PriceRow): number =>
  (row.provider === null ? 0 : 2) + (row.hours === null ? 0 : 1)

/** The row that prices a call at a time. */
export const priceAt = (
  table: PriceTable,
  { provider, model }: PricedRoute,
  timeMs: number,
): Either<PriceFinding, PriceRow> => {
  let found: PriceRow | null = null
  let isKnown = false
  for (const row of table) {
    if (row.model !== model || (row.provider !== null && row.provider !== provider)) continue
    isKnown = true
    if (holdsAt(row, timeMs) && (found === null || weightOf(row) > weightOf(found))) found = row
  }
  if (found !== null) return right(found)
  return left(
    isKnown
      ? { code: "price-time-unknown", provider, model, timeMs }
      : { code: "price-model-unknown", provider, model },
  )
}
