import type { Either } from "fp-ts/lib/Either.js"
import { left, right } from "fp-ts/lib/Either.js"
import type { SurfaceRefusal } from "../data/refusal.ts"
import type { EventFacts } from "../log/event-facts.ts"
import type { SurfaceView } from "./view.ts"

/** The range of a replacement that is not on the surface, or not in its order. */
export type RangeRefusal = Extract<
  SurfaceRefusal,
  { readonly code: "endpoint-not-on-surface" | "range-reversed" }
>

/** Places of the first and the last node that a replacement shadows. */
export interface PlacedRange {
  readonly from: number
  readonly to: number
}

/** Where the endpoints of a replacement stand now. */
export const placedRange = (
  view: Pick<SurfaceView, "placeOf">,
  { seq, start, end }: Pick<EventFacts, "seq" | "start" | "end">,
): Either<RangeRefusal, PlacedRange> => {
  const from = view.placeOf(start)
  if (from < 0) return left({ code: "endpoint-not-on-surface", seq, endpoint: start })
  const to = start === end ? from : view.placeOf(end)
  if (to < 0) return left({ code: "endpoint-not-on-surface", seq, endpoint: end })
  // endpoints are identities: their order on the surface counts, not that of their seqs
  return from > to ? left({ code: "range-reversed", seq, start, end }) : right({ from, to })
}
