import type { AcceptanceFinding, ForkFinding } from "./check-finding.ts"
import type { Refusal } from "./refusal.ts"

/** Keys and indexes from the payload's outermost value. */
type Path = readonly (string | number)[]

/** Turns and steps, and where they stand. A number that is none is null; so is one that is not open. */
type TurnStepRefusal =
  | {
      readonly code: "turn-start-open"
      readonly seq: number
      readonly turn: number | null
      readonly openTurn: number
    }
  | {
      readonly code: "turn-start-number" | "turn-end-number"
      readonly seq: number
      readonly turn: number | null
      readonly expected: number
    }
  | { readonly code: "turn-end-unopened"; readonly seq: number; readonly turn: number | null }
  | {
      readonly code: "turn-end-step-open"
      readonly seq: number
      readonly turn: number | null
      readonly openStep: number
    }
  | {
      readonly code: "step-start-outside-turn" | "step-end-unopened"
      readonly seq: number
      readonly turn: number | null
      readonly step: number | null
    }
  | {
      readonly code: "step-start-turn"
      readonly seq: number
      readonly turn: number | null
      readonly openTurn: number
    }
  | {
      readonly code: "step-start-open"
      readonly seq: number
      readonly step: number | null
      readonly openStep: number
    }
  | {
      readonly code: "step-start-number"
      readonly seq: number
      readonly step: number | null
      readonly expected: number
    }
  | {
      readonly code: "step-end-number" | "step-mismatch"
      readonly seq: number
      readonly turn: number | null
      readonly step: number | null
      readonly openTurn: number | null
      readonly openStep: number | null
    }
  | { readonly code: "outside-turn"; readonly seq: number; readonly type: string }

/** Tool calls: advertised, started, answered. */
export type ToolRefusal =
  | {
      readonly code: "tool-id-open"
      readonly seq: number
      readonly callId: string
      readonly openSeq: number
    }
  | {
      readonly code:
        | "tool-call-unadvertised"
        | "tool-call-repeated"
        | "tool-result-unadvertised"
        | "tool-result-unstarted"
      readonly seq: number
      readonly callId: string | null
    }
  | {
      readonly code: "tool-call-changed"
      readonly seq: number
      readonly callId: string
      readonly field: "name" | "arguments"
    }
  | {
      readonly code: "tool-call-unresolved"
      readonly seq: number
      /** The first of them, in order of advertisement. */
      readonly callId: string
      readonly unresolvedCount: number
    }
  | {
      readonly code: "fork-result"
      readonly seq: number
      readonly callId: string | null
      readonly part: "id" | "error" | "content" | "surfaceOp" | "sourceEventSeqs"
    }

/** Calls that a running tool makes of its own. */
type PtcRefusal =
  | {
      readonly code: "ptc-id-empty"
      readonly seq: number
      readonly field: "subCallId" | "rootCallId" | "parentCallId"
    }
  | {
      readonly code: "ptc-root-changed"
      readonly seq: number
      readonly subCallId: string
      readonly rootCallId: string
      readonly expected: string
    }
  | {
      readonly code: "ptc-parent-unknown"
      readonly seq: number
      readonly subCallId: string
      readonly parentCallId: string
    }
  | {
      readonly code: "ptc-start-repeated" | "ptc-settle-unstarted" | "ptc-settle-repeated"
      readonly seq: number
      readonly subCallId: string
    }
  | {
      readonly code: "ptc-settle-changed"
      readonly seq: number
      readonly subCallId: string
      readonly field: "parentCallId" | "name" | "arguments"
    }

/** Attempts of one request, each announced and then started. */
type RetryRefusal =
  | {
      readonly code: "retry-turn"
      readonly seq: number
      readonly turn: number | null
      readonly openTurn: number | null
    }
  | {
      readonly code: "retry-step"
      readonly seq: number
      readonly step: number | null
      readonly expected: number | null
    }
  | {
      readonly code: "retry-provider"
      readonly seq: number
      readonly provider: string | null
      readonly expected: string | null
    }
  | {
      readonly code: "retry-number"
      readonly seq: number
      readonly retry: number | null
      readonly expected: number
    }
  | {
      readonly code: "retry-id-changed"
      readonly seq: number
      readonly retryId: string | null
      readonly expected: string
    }
  | { readonly code: "retry-id-reused"; readonly seq: number; readonly retryId: string }
  | {
      readonly code: "retry-start-unscheduled" | "retry-start-repeated"
      readonly seq: number
      readonly retryId: string | null
      readonly retry: number | null
    }
  | {
      readonly code: "retry-start-step"
      readonly seq: number
      readonly turn: number | null
      readonly step: number | null
      readonly scheduledTurn: number | null
      readonly scheduledStep: number | null
    }

/** Titles and the messages that they were made of. */
export type TitleRefusal =
  | { readonly code: "title-citations-missing"; readonly seq: number }
  | { readonly code: "title-citations-unexpected"; readonly seq: number }
  | {
      readonly code: "title-citation-later" | "title-citation-repeated" | "title-citation-other"
      readonly seq: number
      /** The cited seq; null where it is no count. */
      readonly cited: number | null
    }
  | {
      readonly code: "title-request-message"
      readonly seq: number
      readonly part: "count" | "role" | "source" | "content"
    }

/** Commands of the user and how they were done. */
export type CommandRefusal =
  | {
      readonly code: "command-run-repeated" | "command-done-unknown"
      readonly seq: number
      readonly commandId: string | null
    }
  | {
      readonly code: "command-source-later" | "command-source-kind" | "command-source-command"
      readonly seq: number
      /** The seq in `sourceEventSeq`; null where it is no count. */
      readonly source: number | null
    }

/** Compactions: what they shadow, and in which turn. */
export type CompactionRefusal =
  | { readonly code: "compaction-id-empty"; readonly seq: number }
  | {
      readonly code: "compaction-start-open" | "compaction-turn-boundary"
      readonly seq: number
      /** Seq of the start that is open. */
      readonly openSeq: number
    }
  | {
      readonly code: "compaction-turn"
      readonly seq: number
      readonly turn: number | null
      readonly openTurn: number | null
    }
  | {
      readonly code: "compaction-unmatched" | "compaction-checkpoint"
      readonly seq: number
      readonly compactionId: string | null
      /** Seq of the start that is open, or null where none is. */
      readonly openSeq: number | null
    }
  | {
      readonly code: "compaction-summary-repeated" | "compaction-summary-missing"
      readonly seq: number
      readonly openSeq: number
    }
  | {
      readonly code: "compaction-end-turn"
      readonly seq: number
      readonly turn: number | null
      readonly expected: number | null
    }
  | {
      readonly code: "compaction-range"
      readonly seq: number
      readonly start: number | null
      readonly end: number | null
    }
  | {
      readonly code: "compaction-span"
      readonly seq: number
      readonly start: number
      readonly end: number
      readonly nodeCount: number
    }
  | { readonly code: "compaction-head"; readonly seq: number; readonly head: number }

/** Messages and blocks inside payloads that are no surface messages. */
export type SlotRefusal =
  | {
      readonly code:
        "message-slot-shape" | "developer-role" | "tool-change-misplaced" | "tool-result-block"
      readonly seq: number
      readonly path: Path
    }
  | {
      readonly code: "message-source"
      readonly seq: number
      readonly path: Path
      /** The kind of the source; null where it has none. */
      readonly kind: string | null
    }

/** Events that speak of other sessions. */
export type SessionRefusal =
  | { readonly code: "delivery-version"; readonly seq: number }
  | {
      readonly code: "delivery-through-seq"
      readonly seq: number
      readonly throughSeq: number | null
    }
  | {
      readonly code: "delivery-session"
      readonly seq: number
      /** The session named; null where it is no text. */
      readonly sessionId: string | null
    }
  | {
      readonly code: "catalog-field"
      readonly seq: number
      readonly field: "version" | "childId" | "mode" | "label" | "childCreatedAt"
    }
  | { readonly code: "catalog-child-repeated"; readonly seq: number; readonly childId: string }

/** A system message in a log whose first node was not one. */
interface HeadRefusal {
  readonly code: "head-absent"
  readonly seq: number
  /** Seq of the first node. */
  readonly first: number
}

/**
 * What a log breaks that every event of it keeps alone: a rule between events, or one about a
 * payload that the surface does not rest on. Only a check asks for these; reading does not.
 */
export type RelationRefusal =
  | TurnStepRefusal
  | ToolRefusal
  | PtcRefusal
  | RetryRefusal
  | TitleRefusal
  | CommandRefusal
  | CompactionRefusal
  | SlotRefusal
  | SessionRefusal
  | HeadRefusal

/** What reading alone does not look for. */
export type CheckFinding = RelationRefusal | AcceptanceFinding | ForkFinding

/** All that a check can find in a log. */
export type Finding = Refusal | CheckFinding
