import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, right } from "fp-ts/lib/Either.js"
import type { LogHeader } from "../log/header.ts"
import type { ProjectionRows } from "./checkpoint.ts"
import { rowOfUnit, viewCheckpoint } from "./checkpoint.ts"
import type { Snapshot } from "./read.ts"
import type { RecordFault } from "./record.ts"
import { recordOf } from "./record.ts"
import type { RegistryRefusal } from "./refusal.ts"
import type { ProjectionRegistry } from "./registry.ts"
import type { IdentityRefusal, SessionIdentity } from "./session-identity.ts"
import { identityDifference, sessionIdentity } from "./session-identity.ts"

/** Why what is stored of a session is not gone on from. */
export type Distrust =
  | RecordFault
  | IdentityRefusal
  | { readonly code: "record-missing" }
  /** It is of another session under the same id: the first field in which they differ. */
  | { readonly code: "record-identity"; readonly field: keyof SessionIdentity }

/** Rows to restore from, and the count of inherited events that they were folded with. */
export interface Believed {
  readonly rows: ProjectionRows
  /** That of the record where the caller does not know it; null where nobody does. */
  readonly inheritedEventCount: number | null
  readonly distrust: Distrust | null
}

/**
 * What of a stored text is believed of a session: all its rows, or none. Whether a single row can be
 * gone on from is asked where it is restored.
 *
 * shape   `text` is null where nothing is stored; the count is null where it is not known yet: from
 *         format 2 on only the log says it. That of the record is believed then
 */
export const believedRows = (
  text: string | null,
  header: LogHeader,
  inheritedEventCount: number | null,
): Believed => {
  const none = (distrust: Distrust): Believed => ({ rows: {}, inheritedEventCount, distrust })
  if (text === null) return none({ code: "record-missing" })
  const record = recordOf(text)
  if (isLeft(record)) return none(record.left)
  const { identity, rows } = record.right
  const known = inheritedEventCount ?? identity.inheritedEventCount
  const asked = sessionIdentity(header, known)
  if (isLeft(asked)) return none(asked.left)
  const field = identityDifference(asked.right, identity)
  return field === null
    ? { rows, inheritedEventCount: known, distrust: null }
    : none({ code: "record-identity", field })
}

/**
 * What a stored text shows of a session without any log.
 *
 * shape   `asOfSeq` is the lowest watermark among the values, which may be at different events; null
 *         where nothing is shown
 * errors  view-shape
 */
export const storedSnapshot = (
  registry: ProjectionRegistry,
  text: string | null,
  header: LogHeader,
  keys?: readonly string[],
): Either<RegistryRefusal, Snapshot | null> => {
  const { rows } = believedRows(text, header, null)
  const values = viewCheckpoint(registry, rows, keys)
  if (isLeft(values)) return values
  let asOfSeq = Infinity
  for (const [key, { unit }] of registry.units)
    if (Object.hasOwn(values.right, key))
      asOfSeq = Math.min(asOfSeq, rowOfUnit(rows, unit)?.seq ?? Infinity)
  return right(asOfSeq === Infinity ? null : { asOfSeq, values: values.right })
}
