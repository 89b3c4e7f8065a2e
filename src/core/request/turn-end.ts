import type { JsonObject } from "../data/json.ts"
import type { EventDraft } from "./request-log.ts"

/** Who cancelled a turn. */
export type CancelCause =
  | { readonly kind: "user" | "parent" | "disposed" }
  | { readonly kind: "hook"; readonly reason: string }

/** What a call to a model, or anything else in a turn, failed for. */
export interface TurnFailure {
  readonly message: string
  /** `UNKNOWN` where nobody says. */
  readonly code?: string
  /** Of HTTP. */
  readonly status?: number
  readonly providerRetryAfterMs?: number
  readonly requestId?: string
}

/** How a turn ends. */
export type TurnEnding =
  | { readonly is: "completed" | "blocked" | "max-tokens" }
  | { readonly is: "cancelled"; readonly cause: CancelCause }
  | { readonly is: "failed"; readonly failure: TurnFailure }

const causeOf = (cause: CancelCause): JsonObject =>
  cause.kind === "hook" ? { kind: cause.kind, reason: cause.reason } : { kind: cause.kind }

const failureOf = (failure: TurnFailure): JsonObject => {
  const { message, code = "UNKNOWN", status, providerRetryAfterMs, requestId } = failure
  return {
    message,
    code,
    ...(status === undefined ? {} : { status }),
    ...(providerRetryAfterMs === undefined ? {} : { providerRetryAfterMs }),
    ...(requestId === undefined ? {} : { requestId }),
  }
}

const reasonOf = (ending: TurnEnding): JsonObject => {
  switch (ending.is) {
    case "completed":
    case "blocked":
    case "max-tokens":
      return { kind: ending.is }
    case "cancelled":
      return { kind: "aborted", reason: causeOf(ending.cause) }
    case "failed":
      return { kind: "error", error: failureOf(ending.failure) }
  }
}

/**
 * The event that ends a turn.
 *
 * shape   of a cause and a failure the known fields alone, in an object of its own
 * source  log format 3.6; dsh 0.1.7, failure matrix
 */
export const turnEnd = (turn: number, ending: TurnEnding): EventDraft => ({
  type: "turn/end",
  data: { turn, reason: reasonOf(ending) },
})
