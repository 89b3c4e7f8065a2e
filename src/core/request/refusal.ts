import type { ShapeFault } from "../data/refusal.ts"

/** Why a route cannot be taken; the first code is the one that adapters use. */
export type RouteRefusal =
  | {
      readonly code: "INVALID_MODEL_INFO"
      /** Place of the entry in a catalogue; null for an entry alone. */
      readonly index: number | null
      readonly fault: ShapeFault
    }
  | { readonly code: "model-repeated"; readonly index: number; readonly model: string }
  | { readonly code: "route-incomplete"; readonly provider: string; readonly model: string }
