import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import { deepFreeze } from "../data/deep-freeze.ts"
import type { JsonObject } from "../data/json.ts"
import { losslessCopy } from "../data/lossless-json.ts"
import { newestVersion } from "../format/catalog.ts"
import type { LogHeader } from "../log/header.ts"
import { headerOf } from "../log/header.ts"
import type { SessionRefusal } from "./refusal.ts"

/** Whose a new session is. */
export interface SessionDraft {
  readonly id: string
  readonly createdAtMs: number
  /** Absolute. */
  readonly cwd?: string
  readonly parentSession?: string
  readonly origin?: "subagent"
  /** 0, which is the default, for a session at the top. */
  readonly delegationDepth?: number
  readonly agentPreset?: string
}

/** The header of a session: read, and as the first row of its log. */
export interface SessionHeader {
  readonly header: LogHeader
  /** Frozen, with its keys in the order in which they are written. */
  readonly headerRow: JsonObject
}

/**
 * Reads the header of a session from a copy.
 *
 * errors  not-lossless, not-a-log, version-unsupported, header-field, session-outdated
 */
export const sessionHeaderOf = (row: unknown): Either<SessionRefusal, SessionHeader> => {
  const copy = losslessCopy(row)
  if (isLeft(copy)) return left({ code: "not-lossless", fault: copy.left })
  const header = headerOf(copy.right)
  if (isLeft(header)) return header
  const { version } = header.right.format
  return version === newestVersion
    ? right({ header: header.right, headerRow: deepFreeze(copy.right as JsonObject) })
    : left({ code: "session-outdated", version, newest: newestVersion })
}

/** The header of a new session; errors as those of `sessionHeaderOf`. */
export const newSessionHeader = (
  draft: SessionDraft,
  isSeeded: boolean,
): Either<SessionRefusal, SessionHeader> => {
  const { id, createdAtMs, cwd, parentSession, origin, delegationDepth, agentPreset } = draft
  return sessionHeaderOf({
    type: "session",
    version: newestVersion,
    id,
    createdAt: createdAtMs,
    ...(cwd === undefined ? {} : { cwd }),
    ...(parentSession === undefined ? {} : { parentSession }),
    isSeeded,
    ...(origin === undefined ? {} : { origin }),
    delegationDepth: delegationDepth ?? 0,
    ...(agentPreset === undefined ? {} : { agentPreset }),
  })
}
