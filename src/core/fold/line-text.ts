import type { RowRefusal } from "../data/refusal.ts"

/** A line as the byte layer found it: its text, or why it has none. */
export type LineText = string | (RowRefusal & { readonly code: "invalid-utf8" | "line-too-long" })
