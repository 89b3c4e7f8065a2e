import type { JsonObject } from "#core/data/json"

/** Why a turn ends, as its last event says; null while it goes on. */
export type TurnEnd = JsonObject | null

export const completed: JsonObject = { kind: "completed" }
export const blocked: JsonObject = { kind: "blocked" }
export const aborted: JsonObject = { kind: "aborted", reason: { kind: "user" } }

export const brokenBy = (code: string): JsonObject => ({
  kind: "error",
  error: { message: code, code },
})
