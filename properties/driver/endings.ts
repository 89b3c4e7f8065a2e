import type { TurnEnding } from "#core/request/turn-end"

export const cancelled: TurnEnding = { is: "cancelled", cause: { kind: "user" } }

export const brokenBy = (code: string): TurnEnding => ({
  is: "failed",
  failure: { message: code, code },
})
