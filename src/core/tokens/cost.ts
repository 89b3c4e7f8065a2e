import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import type { PricedRoute, PriceFinding, PriceRow, PriceTable } from "./price-table.ts"
import { priceAt } from "./price-table.ts"
import type { Usage } from "./usage.ts"

/** What the buckets of a call cost, each in 10⁻¹² USD. */
export interface BucketCosts {
  readonly input: bigint
  readonly output: bigint
  readonly cacheRead: bigint
  readonly cacheWrite: bigint
}

/** What a call cost, and the row that says so. */
export interface Cost {
  /** 10⁻¹² USD, all buckets together. */
  readonly picoUsd: bigint
  readonly buckets: BucketCosts
  readonly row: PriceRow
}

const times = (tokens: number, price: number): bigint => BigInt(tokens) * BigInt(price)

/**
 * The cost of reported usage at the time of its call.
 *
 * shape   exact: whole numbers, no rounding. Reasoning is a part of the output
 * errors  price-model-unknown, price-time-unknown; price-bucket-unknown where cached tokens were
 *         reported and the row has no price for them
 */
export const costOf = (
  table: PriceTable,
  route: PricedRoute,
  usage: Usage,
  timeMs: number,
): Either<PriceFinding, Cost> => {
  const found = priceAt(table, route, timeMs)
  if (isLeft(found)) return found
  const row = found.right
  const { provider, model } = route
  const input = times(usage.inputTokens, row.input)
  const output = times(usage.outputTokens, row.output)
  const cached = { cacheRead: 0n, cacheWrite: 0n }
  for (const bucket of ["cacheRead", "cacheWrite"] as const) {
    const tokens = usage[`${bucket}Tokens`]
    if (tokens === 0) continue
    const price = row[bucket]
    if (price === null) return left({ code: "price-bucket-unknown", provider, model, bucket })
    cached[bucket] = times(tokens, price)
  }
  const picoUsd = input + output + cached.cacheRead + cached.cacheWrite
  return right({ picoUsd, buckets: { input, output, ...cached }, row })
}
