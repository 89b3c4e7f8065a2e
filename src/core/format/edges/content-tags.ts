import type { JsonValue } from "../../data/json.ts"

/** The content tags of formats 2 and 3. */
export const contentTags: ReadonlySet<JsonValue> = new Set([
  "text",
  "reasoning",
  "image",
  "file",
  "tool-call",
  "tool-result",
])

/** A tag as format 4 has it: one that is nobody's but a plugin's says so. */
export const producerTag = (tag: JsonValue): JsonValue =>
  typeof tag === "string" && !contentTags.has(tag) ? `plugin:${tag}` : tag
