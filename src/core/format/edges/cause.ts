import type { Refusal, ShapeFault } from "../../data/refusal.ts"
import type { FormatVersion } from "../format.ts"

/**
 * What stands against a migration: `malformed` data contradicts its own format, `unsupported` data
 * may be intact, but nothing in the next format means the same.
 */
export type CauseClass = "malformed" | "unsupported"

type WithoutSeq<T> = T extends unknown ? Omit<T, "seq"> : never

/** What only a migration refuses. */
type EdgeDetail =
  | { readonly code: "event-type-retired"; readonly type: string }
  | { readonly code: "request-fallback" }
  | { readonly code: "descriptor-version"; readonly version: number }
  | { readonly code: "delivery-foreign"; readonly sessionId: string }
  | { readonly code: "delivery-generation"; readonly generation: number }
  | { readonly code: "delivery-coordinates" }
  | { readonly code: "reference-consumed"; readonly cited: number }
  | { readonly code: "reference-unresolved"; readonly cited: number }
  | { readonly code: "attempt-spans-cut"; readonly cut: number }
  | { readonly code: "attempt-citation"; readonly turn: number; readonly step: number }
  | { readonly code: "attempt-uncited"; readonly turn: number; readonly step: number }
  | { readonly code: "turn-open"; readonly openTurn: number }
  | { readonly code: "surface-before-step" }
  | { readonly code: "prompt-outside-step" }
  | { readonly code: "message-id-collision"; readonly id: string }
  | { readonly code: "source-kind"; readonly kind: string }
  | { readonly code: "content-tag"; readonly tag: string }
  | { readonly code: "repair-id"; readonly id: string }
  | { readonly code: "error-without-flag" }
  | { readonly code: "nested-tool-result" }
  | { readonly code: "deferred-tool"; readonly name: string }
  | { readonly code: "child-evidence-missing" }
  | { readonly code: "child-descriptor"; readonly childId: string }
  | { readonly code: "catalog-duplicate"; readonly childId: string }
  | {
      readonly code: "catalog-conflict"
      readonly childId: string
      readonly field: "childCreatedAt" | "mode" | "label"
    }
  | { readonly code: "target-shape"; readonly type: string; readonly fault: ShapeFault }

/** A code with its numbers and names; those of refusals mean what they mean there. */
export type CauseDetail = WithoutSeq<Refusal> | EdgeDetail

/**
 * Why a log cannot be migrated, never prose.
 *
 * shape   `seq` and `cited` count the events of the log that was read, also where a later edge of
 *         a path found the cause; null where no event is at fault. `from` and `to` name that edge
 */
export type MigrationCause = CauseDetail & {
  readonly class: CauseClass
  readonly seq: number | null
  readonly from: FormatVersion
  readonly to: FormatVersion
}

export type CauseCode = MigrationCause["code"]

/** A cause with its seqs counted anew. */
export const causeAt = (
  cause: MigrationCause,
  sourceSeq: (seq: number) => number,
): MigrationCause => {
  const seq = cause.seq === null ? null : sourceSeq(cause.seq)
  return "cited" in cause ? { ...cause, seq, cited: sourceSeq(cause.cited) } : { ...cause, seq }
}
