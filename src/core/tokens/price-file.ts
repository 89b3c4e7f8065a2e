import type { Either } from "fp-ts/lib/Either.js"
import { left, right } from "fp-ts/lib/Either.js"
import type { JsonObject, JsonValue } from "../data/json.ts"
import { isJsonObject, ownValue } from "../data/json.ts"
import type { ShapeFault } from "../data/refusal.ts"
import { minuteOfDay, utcTimeMs } from "../data/utc-time.ts"
import { textField } from "../format/lifecycle/fields.ts"
import { checkOf } from "../log/shape-check.ts"
import type { Shape } from "../log/shape.ts"
import { arrayOf, exactly, leaf, nonempty, oneOf, string } from "../log/shape.ts"
import type { HourWindow, PriceRow, PriceTable } from "./price-table.ts"
import { isWithin } from "./price-table.ts"

/** The schema that a file of prices names. */
export const pricesSchema = "refold.prices/1"

type AmountKey = "input" | "output" | "cacheRead" | "cacheWrite"

/** What is wrong with a file of prices; rows are counted from 0. */
export type PriceFileRefusal =
  | { readonly code: "prices-shape"; readonly fault: ShapeFault }
  | {
      readonly code: "price-time"
      readonly row: number
      readonly field: "from" | "until" | "hours.from" | "hours.to" | "sourceDate"
    }
  | { readonly code: "price-amount"; readonly row: number; readonly field: AmountKey }
  | { readonly code: "price-period-empty"; readonly row: number }
  | { readonly code: "price-hours-empty"; readonly row: number }
  | { readonly code: "prices-overlap"; readonly row: number; readonly other: number }

const amount: Shape = leaf(
  "decimal number",
  (value) => typeof value === "number" || typeof value === "string",
)

const file = checkOf(
  exactly({
    schema: oneOf(pricesSchema),
    prices: arrayOf(
      exactly(
        {
          model: nonempty,
          from: string,
          input: amount,
          output: amount,
          source: nonempty,
          sourceDate: string,
        },
        {
          provider: nonempty,
          until: string,
          hours: exactly({ from: string, to: string }),
          cacheRead: amount,
          cacheWrite: amount,
        },
      ),
    ),
  }),
)

const decimal = /^(\d{1,9})(?:\.(\d{1,6}))?$/

/**
 * Micro-USD of an amount in USD, read off its digits: never multiplied as a float. Null for more
 * than six decimals, signs and exponents.
 */
export const microUsdOf = (value: number | string): number | null => {
  const [, whole, fraction = ""] = decimal.exec(`${value}`) ?? []
  return whole === undefined ? null : Number(whole + fraction.padEnd(6, "0"))
}

const textIn = (row: JsonObject, key: string): string => textField(row, key) ?? ""

interface Found {
  readonly row: PriceRow | null
  readonly refusals: readonly PriceFileRefusal[]
}

/** Reads fields of one row and collects what is wrong with them. */
class RowReader {
  readonly refusals: PriceFileRefusal[] = []
  private readonly value: JsonObject
  private readonly row: number

  constructor(value: JsonObject, row: number) {
    this.value = value
    this.row = row
  }

  has(key: string): boolean {
    return Object.hasOwn(this.value, key)
  }

  time(field: "from" | "until" | "sourceDate"): number {
    const timeMs = utcTimeMs(textIn(this.value, field))
    if (timeMs === null) this.refusals.push({ code: "price-time", row: this.row, field })
    return timeMs ?? NaN
  }

  hours(): HourWindow | null {
    const hours = ownValue(this.value, "hours")
    if (!isJsonObject(hours)) return null
    const minuteAt = (key: "from" | "to"): number => {
      const minute = minuteOfDay(textIn(hours, key))
      if (minute === null)
        this.refusals.push({ code: "price-time", row: this.row, field: `hours.${key}` })
      return minute ?? NaN
    }
    const window = { fromMinute: minuteAt("from"), toMinute: minuteAt("to") }
    if (window.fromMinute === window.toMinute)
      this.refusals.push({ code: "price-hours-empty", row: this.row })
    return window
  }

  amount(field: AmountKey): number {
    const price = microUsdOf(this.value[field] as number | string)
    if (price === null) this.refusals.push({ code: "price-amount", row: this.row, field })
    return price ?? NaN
  }
}

const rowOf = (value: JsonObject, number: number): Found => {
  const read = new RowReader(value, number)
  const { refusals } = read
  const row: PriceRow = {
    provider: read.has("provider") ? textIn(value, "provider") : null,
    model: textIn(value, "model"),
    fromMs: read.time("from"),
    untilMs: read.has("until") ? read.time("until") : null,
    hours: read.hours(),
    input: read.amount("input"),
    output: read.amount("output"),
    cacheRead: read.has("cacheRead") ? read.amount("cacheRead") : null,
    cacheWrite: read.has("cacheWrite") ? read.amount("cacheWrite") : null,
    source: textIn(value, "source"),
    sourceDate: textIn(value, "sourceDate"),
  }
  read.time("sourceDate")
  if (row.untilMs !== null && row.untilMs <= row.fromMs)
    refusals.push({ code: "price-period-empty", row: number })
  return { row: refusals.length === 0 ? row : null, refusals }
}

const shareMinute = (a: HourWindow, b: HourWindow): boolean =>
  isWithin(a, b.fromMinute) || isWithin(b, a.fromMinute)

// two rows of one route that say equally much of one call at one time
const overlap = (a: PriceRow, b: PriceRow): boolean =>
  a.fromMs < (b.untilMs ?? Infinity) &&
  b.fromMs < (a.untilMs ?? Infinity) &&
  (a.hours === null) === (b.hours === null) &&
  (a.hours === null || b.hours === null || shareMinute(a.hours, b.hours))

/** Each row with the first one before it that it overlaps. */
const overlaps = (rows: readonly (PriceRow | null)[]): readonly PriceFileRefusal[] => {
  const found: PriceFileRefusal[] = []
  // only rows of one route can overlap, and a large file has many routes
  const earlier = new Map<string, [row: number, PriceRow][]>()
  for (const [row, a] of rows.entries()) {
    if (a === null) continue
    const route = JSON.stringify([a.provider, a.model])
    const before = earlier.get(route) ?? []
    const first = before.find(([, b]) => overlap(a, b))
    if (first !== undefined) found.push({ code: "prices-overlap", row, other: first[0] })
    before.push([row, a])
    earlier.set(route, before)
  }
  return found
}

/**
 * Reads a parsed file of prices.
 *
 * shape   amounts are USD per million tokens, as numbers or decimal text; times are UTC
 * errors  prices-shape alone, or all that is wrong with rows: price-time, price-amount,
 *         price-period-empty, price-hours-empty, and prices-overlap for two rows of which neither
 *         says more of a call
 */
export const pricesOf = (value: JsonValue): Either<readonly PriceFileRefusal[], PriceTable> => {
  const fault = file.fault(value)
  if (fault !== null) return left([{ code: "prices-shape", fault }])
  const found = (value as { readonly prices: readonly JsonObject[] }).prices.map(rowOf)
  const refusals = [
    ...found.flatMap((each) => each.refusals),
    ...overlaps(found.map((each) => each.row)),
  ]
  return refusals.length > 0
    ? left(refusals)
    : right(found.flatMap(({ row }) => (row === null ? [] : [row])))
}
