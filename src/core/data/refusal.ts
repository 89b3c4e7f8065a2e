import type { LosslessFault } from "./lossless-json.ts"

/** Where in a payload a shape was not met. */
export interface ShapeFault {
  /** Keys and indexes from the payload's outermost value. */
  readonly path: readonly (string | number)[]
  /** Name of what was expected there, such as `nonempty string`. */
  readonly expected: string
}

/** A row that is no row of this format: text, JSON or header. */
export type RowRefusal =
  | { readonly code: "blank-line" }
  | { readonly code: "byte-order-mark" }
  | { readonly code: "invalid-utf8" }
  | { readonly code: "invalid-json" }
  | { readonly code: "line-too-long"; readonly limitBytes: number }
  | { readonly code: "too-many-values"; readonly limit: number }
  | { readonly code: "not-lossless"; readonly fault: LosslessFault }
  | { readonly code: "not-a-log" }
  | { readonly code: "header-field"; readonly fault: ShapeFault }
  | { readonly code: "version-unsupported"; readonly version: number; readonly newest: number }
  | { readonly code: "version-mismatch"; readonly named: number; readonly version: number }

/** An envelope that is not the one of its format. `seq` is null where the row has none. */
export type EnvelopeRefusal =
  | { readonly code: "row-not-object"; readonly seq: null }
  | { readonly code: "envelope-shape"; readonly seq: number | null; readonly fault: ShapeFault }
  | { readonly code: "run-shape"; readonly seq: number | null; readonly fault: ShapeFault }
  | { readonly code: "event-type-unknown"; readonly seq: number; readonly type: string }
  | { readonly code: "surface-op-shape"; readonly seq: number }
  | { readonly code: "sources-shape"; readonly seq: number }

/** What the surface planner refuses. */
export type SurfaceRefusal =
  | { readonly code: "seq-not-contiguous"; readonly seq: number; readonly expected: number }
  | { readonly code: "surface-op-missing"; readonly seq: number }
  | { readonly code: "surface-op-forbidden"; readonly seq: number }
  | { readonly code: "sources-forbidden"; readonly seq: number }
  | { readonly code: "sources-empty"; readonly seq: number }
  | { readonly code: "sources-repeated"; readonly seq: number; readonly source: number }
  | { readonly code: "source-not-earlier"; readonly seq: number; readonly source: number }
  | { readonly code: "endpoint-not-earlier"; readonly seq: number; readonly endpoint: number }
  | { readonly code: "endpoint-not-on-surface"; readonly seq: number; readonly endpoint: number }
  | {
      readonly code: "range-reversed"
      readonly seq: number
      readonly start: number
      readonly end: number
    }
  | { readonly code: "source-missing"; readonly seq: number; readonly shadowed: number }
  | { readonly code: "head-protected"; readonly seq: number; readonly head: number }
  | { readonly code: "tool-result-range"; readonly seq: number; readonly shadowed: number }
  | { readonly code: "tool-result-changed"; readonly seq: number; readonly shadowed: number }
  | { readonly code: "header-seq-shape"; readonly seq: number }
  | { readonly code: "header-seq-not-header"; readonly seq: number; readonly headerSeq: number }
  | {
      readonly code: "tool-definition-missing"
      readonly seq: number
      readonly headerSeq: number
      readonly toolName: string
    }
  | ProjectionRefusal

/** What a message projection, or the lack of one, refuses. */
export type ProjectionRefusal =
  | { readonly code: "projection-registered"; readonly seq: null; readonly type: string }
  | { readonly code: "projection-missing"; readonly seq: number; readonly type: string }
  | { readonly code: "projection-removed"; readonly seq: null; readonly type: string }
  | { readonly code: "projection-shape"; readonly seq: number; readonly fault: ShapeFault }
  | { readonly code: "projection-target"; readonly seq: number; readonly target: number }
  | {
      readonly code: "projection-image"
      readonly seq: number
      readonly target: number
      readonly imageIndex: number
      readonly imageCount: number
    }
  | { readonly code: "projection-identity"; readonly seq: number; readonly target: number }

/** A payload that does not have the shape of its type. */
export interface PayloadRefusal {
  readonly code: "payload-shape"
  readonly seq: number
  readonly type: string
  readonly fault: ShapeFault
}

/** What holds for a whole log and shows only at its end or at an inherited marker. */
export type CutRefusal =
  | { readonly code: "inherited-marker-unexpected"; readonly seq: number }
  | { readonly code: "inherited-marker-missing"; readonly seq: null }
  | {
      readonly code: "inherited-cut-beyond-end"
      readonly seq: null
      readonly cut: number
      readonly eventCount: number
    }

/** A log that was to be read as one of a later format, and cannot be written so. */
interface UpgradeRefusal {
  readonly code: "upgrade-refused"
  readonly seq: number | null
  /** Code of the first cause; `check --as` tells them all. */
  readonly cause: string
  readonly from: number
  readonly to: number
  readonly causeCount: number
}

/**
 * Why something was not accepted: a code and the numbers involved, never prose.
 *
 * Text for people is made at the edge, from these fields.
 */
export type Refusal =
  RowRefusal | EnvelopeRefusal | SurfaceRefusal | PayloadRefusal | CutRefusal | UpgradeRefusal

export type RefusalCode = Refusal["code"]

/** The event a refusal names, or null where there is none. */
export const refusalSeq = (refusal: Refusal): number | null =>
  "seq" in refusal ? refusal.seq : null
