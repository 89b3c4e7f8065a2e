import type { JsonArray, JsonObject } from "../data/json.ts"
import { isJsonArray, isJsonObject, ownValue } from "../data/json.ts"
import { blockOverhead, blockTokens, textTokens } from "./estimate.ts"

/** What a route charges for an image, and the text that goes with it. */
export interface ImagePrice {
  readonly visualTokens: number
  readonly text: string
}

/** How a route prices what is no text; null where it does not say. */
export interface RoutePricing {
  /** Prices of images, one for one. */
  readonly imagePrices: ((images: readonly JsonObject[]) => readonly ImagePrice[]) | null
  /** The text that stands for a file in the request. */
  readonly fileText: ((file: JsonObject) => string) | null
}

/** A pricing that answers with fewer prices than images, or more. */
export interface ImagePricesRefusal {
  readonly code: "image-prices"
  readonly imageCount: number
  readonly priceCount: number
}

/** All blocks of one type, depth first; nested no deeper than a parsed line may be. */
const blocksOfType = (content: JsonArray, type: string, into: JsonObject[]): JsonObject[] => {
  for (const block of content) {
    if (!isJsonObject(block)) continue
    if (ownValue(block, "type") === type) into.push(block)
    else {
      const nested = ownValue(block, "content")
      if (isJsonArray(nested)) blocksOfType(nested, type, into)
    }
  }
  return into
}

export const imagesIn = (content: JsonArray): readonly JsonObject[] =>
  blocksOfType(content, "image", [])

export const filesIn = (content: JsonArray): readonly JsonObject[] =>
  blocksOfType(content, "file", [])

/** What the fixed heuristic charged for some blocks. */
export const structuralTokens = (blocks: readonly JsonObject[]): number => {
  let tokens = 0
  for (const block of blocks) tokens += blockTokens(block)
  return tokens
}

export const fileTokens = (text: string): number => textTokens(text.length) + blockOverhead

export const imageTokens = ({ visualTokens, text }: ImagePrice): number =>
  visualTokens + textTokens(text.length) + blockOverhead
