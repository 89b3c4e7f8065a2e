import type { PriceFileRefusal } from "../../core/tokens/price-file.ts"
import type { Unpriced } from "../../core/tokens/cost-figures.ts"
import { printableLine } from "./escape.ts"

const inRow = (row: number, text: string): string => `row ${row}: ${text}`

/** What is wrong with a file of prices, in words. */
export const priceFileText = (refusal: PriceFileRefusal): string => {
  const code = `[${refusal.code}]`
  switch (refusal.code) {
    case "prices-shape": {
      const { path, expected } = refusal.fault
      const place = path.length === 0 ? "the file" : path.join(".")
      return `${printableLine(place)} should be ${expected} ${code}`
    }
    case "price-time":
      return inRow(refusal.row, `${refusal.field} is no UTC date or minute ${code}`)
    case "price-amount":
      return inRow(
        refusal.row,
        `${refusal.field} is no amount of at most six decimals in USD per million tokens ${code}`,
      )
    case "price-period-empty":
      return inRow(refusal.row, `it ends before it begins ${code}`)
    case "price-hours-empty":
      return inRow(refusal.row, `its hours begin when they end ${code}`)
    case "prices-overlap":
      return inRow(refusal.row, `it says what row ${refusal.other} says as well ${code}`)
  }
}

const picoDigits = 12

/** An amount in USD, exact: all digits that say something, and at least two decimals. */
export const usdText = (picoUsd: string): string => {
  const digits = picoUsd.padStart(picoDigits + 1, "0")
  const decimals = digits.slice(-picoDigits).replace(/0{1,10}$/, "")
  return `${digits.slice(0, -picoDigits)}.${decimals}`
}

/** Reports without a price, in words. */
export const unpricedText = ({ code, provider, model, bucket, reports }: Unpriced): string => {
  const route = model === null ? "no model named" : `${model} of ${provider ?? "no provider"}`
  const tokens =
    bucket === null ? "" : `, ${bucket === "cacheRead" ? "cache reads" : "cache writes"}`
  return `${code}: ${printableLine(route)}${tokens}: ${reports} report${reports === 1 ? "" : "s"}`
}
