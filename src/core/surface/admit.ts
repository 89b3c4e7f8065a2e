import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import type { PayloadRefusal, SurfaceRefusal } from "../data/refusal.ts"
import { payloadRefusal } from "../log/payload.ts"
import type { LogRow } from "../log/row.ts"
import { derivesMessage, eventMessage } from "../messages/event-message.ts"
import { messageTokens } from "../tokens/estimate.ts"
import type { NodeDetail } from "./node.ts"
import type { SurfacePlan } from "./plan.ts"
import { planSurfaceEvent } from "./plan.ts"
import type { SurfaceRest, SurfaceView } from "./view.ts"

/** An event that may join: its plan, and what is kept with its node. */
export interface Admission {
  readonly plan: SurfacePlan
  readonly detail: NodeDetail
}

/** What is kept with a node that says nothing. */
export const noDetail: NodeDetail = {
  tokens: 0,
  derives: false,
  digest: 0,
  byteOffset: -1,
  byteLength: 0,
}

/**
 * All that is asked of one row before it changes anything: the plan first, then the payload.
 *
 * The order is part of the result: where both would refuse, the plan's refusal is the one shown.
 */
export const admitRow = (
  view: SurfaceView,
  row: LogRow,
  rest: SurfaceRest,
  byteOffset: number,
  byteLength: number,
): Either<SurfaceRefusal | PayloadRefusal, Admission> => {
  const plan = planSurfaceEvent(view, row.facts, rest)
  if (isLeft(plan)) return plan
  const refusal = payloadRefusal(view.format, row.facts, row.data)
  if (refusal !== null) return left(refusal)
  const { kind } = row.facts
  const message = eventMessage(kind, row.data)
  return right({
    plan: plan.right,
    detail:
      message === null
        ? noDetail
        : {
            tokens: messageTokens(kind, message),
            derives: derivesMessage(kind, message),
            digest: 0,
            byteOffset,
            byteLength,
          },
  })
}
