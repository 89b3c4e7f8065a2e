import type { Finding } from "../data/relation-refusal.ts"
import type { ContainerFault } from "./container-fault.ts"

/**
 * Where in a log something is wrong, from the outside in: the container of its bytes, the text of a
 * line as JSON, what kind of row it is, the envelope, the order of seqs, one payload, the relation
 * between events, the surface, the way to a later format, and what a provider takes.
 */
export type Layer =
  | "container"
  | "json"
  | "row"
  | "envelope"
  | "sequence"
  | "payload"
  | "relationship"
  | "surface"
  | "migration"
  | "acceptance"

/** Every code that names what is wrong with a log. */
export type FindingCode = Finding["code"] | ContainerFault["code"]

const layers: Readonly<Record<FindingCode, Layer>> = {
  "not-found": "container",
  "not-permitted": "container",
  "not-a-file": "container",
  "no-logs": "container",
  "container-unsupported": "container",
  "changed-while-reading": "container",
  "read-failed": "container",
  "internal-failure": "container",
  "container-corrupt": "container",
  "container-window": "container",
  "container-schema": "container",
  "container-support-missing": "container",
  "entry-not-found": "container",

  "blank-line": "json",
  "byte-order-mark": "json",
  "invalid-utf8": "json",
  "invalid-json": "json",
  "line-too-long": "json",
  "too-many-values": "json",
  "not-lossless": "json",

  "not-a-log": "row",
  "header-field": "row",
  "version-unsupported": "row",
  "version-mismatch": "row",
  "row-not-object": "row",
  "run-shape": "row",

  "envelope-shape": "envelope",
  "event-type-unknown": "envelope",
  "surface-op-shape": "envelope",
  "sources-shape": "envelope",

  "seq-not-contiguous": "sequence",
  "sequence-fork": "sequence",

  "payload-shape": "payload",
  "projection-shape": "payload",
  "header-seq-shape": "payload",
  "message-slot-shape": "payload",
  "message-source": "payload",
  "developer-role": "payload",
  "tool-change-misplaced": "payload",
  "tool-result-block": "payload",
  "fork-result": "payload",
  "delivery-version": "payload",
  "catalog-field": "payload",
  "title-request-message": "payload",
  "ptc-id-empty": "payload",
  "compaction-id-empty": "payload",

  "inherited-marker-unexpected": "relationship",
  "inherited-marker-missing": "relationship",
  "inherited-cut-beyond-end": "relationship",
  "header-seq-not-header": "relationship",
  "tool-definition-missing": "relationship",
  "turn-start-open": "relationship",
  "turn-start-number": "relationship",
  "turn-end-unopened": "relationship",
  "turn-end-number": "relationship",
  "turn-end-step-open": "relationship",
  "step-start-outside-turn": "relationship",
  "step-start-turn": "relationship",
  "step-start-open": "relationship",
  "step-start-number": "relationship",
  "step-end-unopened": "relationship",
  "step-end-number": "relationship",
  "step-mismatch": "relationship",
  "outside-turn": "relationship",
  "tool-id-open": "relationship",
  "tool-call-unadvertised": "relationship",
  "tool-call-repeated": "relationship",
  "tool-call-changed": "relationship",
  "tool-call-unresolved": "relationship",
  "tool-result-unadvertised": "relationship",
  "tool-result-unstarted": "relationship",
  "ptc-root-changed": "relationship",
  "ptc-parent-unknown": "relationship",
  "ptc-start-repeated": "relationship",
  "ptc-settle-unstarted": "relationship",
  "ptc-settle-repeated": "relationship",
  "ptc-settle-changed": "relationship",
  "retry-turn": "relationship",
  "retry-step": "relationship",
  "retry-provider": "relationship",
  "retry-number": "relationship",
  "retry-id-changed": "relationship",
  "retry-id-reused": "relationship",
  "retry-start-unscheduled": "relationship",
  "retry-start-step": "relationship",
  "retry-start-repeated": "relationship",
  "title-citations-missing": "relationship",
  "title-citations-unexpected": "relationship",
  "title-citation-later": "relationship",
  "title-citation-repeated": "relationship",
  "title-citation-other": "relationship",
  "command-run-repeated": "relationship",
  "command-done-unknown": "relationship",
  "command-source-later": "relationship",
  "command-source-kind": "relationship",
  "command-source-command": "relationship",
  "compaction-start-open": "relationship",
  "compaction-turn-boundary": "relationship",
  "compaction-turn": "relationship",
  "compaction-unmatched": "relationship",
  "compaction-checkpoint": "relationship",
  "compaction-summary-repeated": "relationship",
  "compaction-summary-missing": "relationship",
  "compaction-end-turn": "relationship",
  "compaction-range": "relationship",
  "compaction-span": "relationship",
  "compaction-head": "relationship",
  "delivery-through-seq": "relationship",
  "delivery-session": "relationship",
  "catalog-child-repeated": "relationship",

  "surface-op-missing": "surface",
  "surface-op-forbidden": "surface",
  "sources-forbidden": "surface",
  "sources-empty": "surface",
  "sources-repeated": "surface",
  "source-not-earlier": "surface",
  "endpoint-not-earlier": "surface",
  "endpoint-not-on-surface": "surface",
  "range-reversed": "surface",
  "source-missing": "surface",
  "head-protected": "surface",
  "head-absent": "surface",
  "tool-result-range": "surface",
  "tool-result-changed": "surface",
  "projection-registered": "surface",
  "projection-missing": "surface",
  "projection-removed": "surface",
  "projection-target": "surface",
  "projection-image": "surface",
  "projection-identity": "surface",

  "upgrade-refused": "migration",

  "message-empty": "acceptance",
  "call-without-result": "acceptance",
  "result-without-call": "acceptance",
  "result-not-adjacent": "acceptance",
}

/** Every code, from the outermost layer to the innermost. */
export const findingCodes: readonly FindingCode[] = Object.keys(layers) as FindingCode[]

/** The layer that a code belongs to. */
export const layerOf = (code: FindingCode): Layer => layers[code]
