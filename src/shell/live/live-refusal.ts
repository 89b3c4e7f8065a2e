import type { SessionRefusal } from "../../core/session/refusal.ts"
import type { StoreRefusal } from "../store/store-refusal.ts"

/** Why something did not happen to a live session; it is as it was. */
export type LiveRefusal =
  | SessionRefusal
  /** A listener cannot append while the event that it is told of is being told. */
  | { readonly code: "append-reentrant"; readonly seq: number }
  | { readonly code: "session-closed" }
  /** Its log could not be written: what is appended now would stand behind a hole. */
  | { readonly code: "session-not-durable"; readonly cause: StoreRefusal }
  /** A log that did not grow from that of the session as it is now. */
  | { readonly code: "session-diverged"; readonly seq: number }
