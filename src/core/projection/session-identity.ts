import type { Either } from "fp-ts/lib/Either.js"
import { left, right } from "fp-ts/lib/Either.js"
import type { LogHeader } from "../log/header.ts"

/** What a session must have in common with a stored record to be the one that it was made of. */
export interface SessionIdentity {
  readonly createdAtMs: number
  readonly cwd: string | null
  readonly formatVersion: number
  readonly isSeeded: boolean
  readonly inheritedEventCount: number
}

/** A session that inherited events, by its count, and did not, by its header. */
export interface IdentityRefusal {
  readonly code: "inherited-unseeded"
  readonly inheritedEventCount: number
}

/** errors  inherited-unseeded */
export const sessionIdentity = (
  { createdAtMs, cwd, format, isSeeded }: LogHeader,
  inheritedEventCount: number,
): Either<IdentityRefusal, SessionIdentity> =>
  isSeeded || inheritedEventCount === 0
    ? right({ createdAtMs, cwd, formatVersion: format.version, isSeeded, inheritedEventCount })
    : left({ code: "inherited-unseeded", inheritedEventCount })

/** The first field in which two sessions differ; null where they are one. */
export const identityDifference = (
  one: SessionIdentity,
  other: SessionIdentity,
): keyof SessionIdentity | null => {
  const fields = Object.keys(one) as (keyof SessionIdentity)[]
  return fields.find((field) => one[field] !== other[field]) ?? null
}
