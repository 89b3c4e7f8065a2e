import type { SessionRefusal } from "../core/session/refusal.ts"
import { storeText } from "./report/store-text.ts"
import type { StoreRefusal } from "./store/store-refusal.ts"

/** What the user asked for cannot be done as asked: exit status 3, and the message as it stands. */
export class UsageError extends Error {
  override readonly name = "UsageError"
}

/** A log was changed after it was folded: its lines cannot be read again. Exit status 2. */
export class LogChangedError extends Error {
  override readonly name = "LogChangedError"

  constructor(path: string) {
    super(`${path}: unreadable: the file was changed while it was read [changed-while-reading]`)
  }
}

/** Other processes took so much of the machine that what was measured says nothing. Exit status 2. */
export class MachineBusyError extends Error {
  override readonly name = "MachineBusyError"

  constructor(foreignCores: number, limitCores: number) {
    super(
      `other processes take ${foreignCores.toFixed(2)} of a core, more than ${limitCores}: nothing is reported, try again on a quiet machine`,
    )
  }
}

/** A session, or its log, could not be had or written. `refusal` says why, with a code. */
export class SessionStoreError extends Error {
  override readonly name = "SessionStoreError"
  readonly refusal: SessionRefusal | StoreRefusal

  constructor(refusal: SessionRefusal | StoreRefusal) {
    super(`${storeText(refusal)} [${refusal.code}]`)
    this.refusal = refusal
  }
}
