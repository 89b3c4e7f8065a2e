import type { Refusal } from "../data/refusal.ts"

/** Why a session was not made, or does not go on; it is as it was then. */
export type SessionRefusal =
  | Refusal
  /** One of several events; none of them was taken. */
  | { readonly code: "event-refused"; readonly index: number; readonly refusal: Refusal }
  /** A session lives in the newest format alone; older logs are migrated before. */
  | { readonly code: "session-outdated"; readonly version: number; readonly newest: number }
  /** A call was never started, and the text that says so is not at hand. */
  | { readonly code: "closer-text-missing"; readonly turn: number }
