import type { RequestHeaderState } from "../request/header-fold.ts"
import { requestHeaderFold } from "../request/header-fold.ts"
import type { UsageState } from "../tokens/usage-fold.ts"
import { usageFold } from "../tokens/usage-fold.ts"
import type { Activity } from "./activity-fold.ts"
import { activityFold } from "./activity-fold.ts"
import type { Fold } from "./fold.ts"
import type { ProductDraft } from "./product.ts"
import { product } from "./product.ts"

/** What is counted beside the surface. */
export interface LogCounts {
  readonly activity: Activity
  readonly usage: UsageState
  readonly request: RequestHeaderState
}

type CountedFolds = {
  readonly activity: typeof activityFold
  readonly usage: typeof usageFold
  readonly request: typeof requestHeaderFold
}

export type LogCountsDraft = ProductDraft<CountedFolds>

/** All that is counted, in one pass. */
export const logCountsFold: Fold<LogCountsDraft, LogCounts> = product({
  activity: activityFold,
  usage: usageFold,
  request: requestHeaderFold,
})
