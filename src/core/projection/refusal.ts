import type { LosslessFault } from "../data/lossless-json.ts"
import type { Refusal, ShapeFault } from "../data/refusal.ts"

/** Why a unit cannot take an event: an event that contradicts what the unit knows. */
export interface UnitRefusal {
  readonly code: string
  readonly seq: number
}

/**
 * Why a stored row cannot seed a fold of the events at hand: there is none, it is of another state
 * version, events are missing between it and them, or it has seen events that are not there.
 */
export type RowFault = "row-missing" | "row-version" | "row-behind" | "row-ahead"

/** Why a command on the registry, or on the cells of a session, did nothing. */
export type RegistryRefusal =
  | { readonly code: "state-version-invalid"; readonly key: string; readonly stateVersion: number }
  | {
      readonly code: "state-version-conflict"
      readonly key: string
      readonly registered: number
      readonly offered: number
    }
  | { readonly code: "key-unregistered"; readonly key: string }
  /** `found` is the seq of the event in its place, null where there is none. */
  | { readonly code: "event-missing"; readonly seq: number; readonly found: number | null }
  | { readonly code: "event-refused"; readonly seq: number; readonly refusal: Refusal }
  /** The log ends before an event that the unit has already seen. */
  | {
      readonly code: "log-behind"
      readonly key: string
      readonly observedSeq: number
      readonly endSeq: number
    }
  | {
      readonly code: "unit-refused"
      readonly key: string
      readonly seq: number
      readonly cause: UnitRefusal
    }
  | { readonly code: "view-shape"; readonly key: string; readonly fault: ShapeFault }
  | { readonly code: "state-shape"; readonly key: string; readonly fault: ShapeFault }
  | { readonly code: "state-not-lossless"; readonly key: string; readonly fault: LosslessFault }
  /** The events must be read again from seq 0. */
  | {
      readonly code: "row-unusable"
      readonly key: string
      readonly baseSeq: number
      readonly cause: RowFault
    }
