import type { Refusal } from "../../core/data/refusal.ts"
import type { SessionRefusal } from "../../core/session/refusal.ts"
import type { StoreRefusal } from "../store/store-refusal.ts"
import { sentenceOf } from "./refusal-text.ts"

type OwnRefusal = StoreRefusal | Exclude<SessionRefusal, Refusal>

const ownCodes: ReadonlySet<string> = new Set<OwnRefusal["code"]>([
  "log-exists",
  "log-unreadable",
  "log-locked",
  "log-unwritten",
  "log-changed",
  "log-closed",
  "event-refused",
  "session-outdated",
  "closer-text-missing",
])

const isOwn = (refusal: SessionRefusal | StoreRefusal): refusal is OwnRefusal =>
  ownCodes.has(refusal.code)

/** Why a session, or its log, is not there, in a sentence. */
export const storeText = (refusal: SessionRefusal | StoreRefusal): string => {
  if (!isOwn(refusal)) return sentenceOf(refusal)
  switch (refusal.code) {
    case "log-exists":
      return `${refusal.path}: there is a file already`
    case "log-unreadable":
      return `${refusal.path}: cannot be opened (${refusal.errno})`
    case "log-locked":
      return refusal.isHere
        ? `${refusal.path}: process ${refusal.pid} writes to it`
        : `${refusal.path}: a process of another machine or container may write to it; if it is gone, remove ${refusal.lock}`
    case "log-unwritten":
      return `${refusal.path}: cannot be written (${refusal.errno})`
    case "log-changed":
      return `${refusal.path}: somebody else wrote to it: ${refusal.foundBytes} bytes instead of ${refusal.expectedBytes}`
    case "log-closed":
      return `${refusal.path}: the session is closed`
    case "event-refused":
      return `event ${refusal.index}: ${sentenceOf(refusal.refusal)}`
    case "session-outdated":
      return `a log of format ${refusal.version} must be migrated to format ${refusal.newest} first`
    case "closer-text-missing":
      return `turn ${refusal.turn} has a call that was never started, and the text that says so is not at hand`
  }
}
