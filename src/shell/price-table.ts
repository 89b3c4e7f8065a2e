import { createHash } from "node:crypto"
import { isLeft } from "fp-ts/lib/Either.js"
import type { JsonValue } from "../core/data/json.ts"
import type { PriceFileRefusal } from "../core/tokens/price-file.ts"
import { pricesOf } from "../core/tokens/price-file.ts"
import type { PriceTable } from "../core/tokens/price-table.ts"
import { readOptionFile } from "./archive/option-file.ts"
import { UsageError } from "./border.ts"
import { priceFileText } from "./report/price-text.ts"

/** A table of prices, and what tells it from any other. */
export interface LoadedPrices {
  readonly table: PriceTable
  /** Hex SHA-256 of the file. */
  readonly sha256: string
}

const parsed = (path: string, bytes: Buffer): JsonValue => {
  try {
    return JSON.parse(bytes.toString("utf8")) as JsonValue
  } catch {
    throw new UsageError(`${path}: not JSON`)
  }
}

// of a file that is wrong everywhere a screenful is enough
const shownFaults = 20

const faultsText = (path: string, faults: readonly PriceFileRefusal[]): string => {
  const lines = faults.slice(0, shownFaults).map((fault) => `${path}: ${priceFileText(fault)}`)
  const more = faults.length - shownFaults
  return [...lines, ...(more > 0 ? [`${path}: and ${more} more`] : [])].join("\n")
}

/**
 * Reads a file of prices.
 *
 * errors  a UsageError with what is wrong with it, the first twenty faults of many
 */
export const loadPrices = (path: string): LoadedPrices => {
  const bytes = readOptionFile(path)
  const table = pricesOf(parsed(path, bytes))
  if (isLeft(table)) throw new UsageError(faultsText(path, table.left))
  return { table: table.right, sha256: createHash("sha256").update(bytes).digest("hex") }
}
