import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { isLeft } from "fp-ts/lib/Either.js"
import type { JsonValue } from "../core/data/json.ts"
import { pricesOf } from "../core/tokens/price-file.ts"
import type { PriceTable } from "../core/tokens/price-table.ts"
import { errnoOf } from "../core/fold/source-fault.ts"
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
    throw new UsageError(`${path}: no JSON`)
  }
}

const read = (path: string): Buffer => {
  try {
    return readFileSync(path)
  } catch (cause) {
    const errno = errnoOf(cause)
    if (errno === null) throw cause
    throw new UsageError(`${path}: cannot be read (${errno})`)
  }
}

/**
 * Reads a file of prices.
 *
 * errors  a UsageError with all that is wrong with it
 */
export const loadPrices = (path: string): LoadedPrices => {
  const bytes = read(path)
  const table = pricesOf(parsed(path, bytes))
  if (isLeft(table))
    throw new UsageError(table.left.map((fault) => `${path}: ${priceFileText(fault)}`).join("\n"))
  return { table: table.right, sha256: createHash("sha256").update(bytes).digest("hex") }
}
