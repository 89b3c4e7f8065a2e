export type { BudgetRefusal, CompactionBudget, CompactionSettings } from "./budget.ts"
export { compactionBudget, defaultCompaction, isCompactionDue, settingsRefusal } from "./budget.ts"
export type { CompactableRange } from "./compactable-range.ts"
export { compactableRange } from "./compactable-range.ts"
export type { CompactionNode, NodesRefusal } from "./compaction-node.ts"
export { compactionNodes } from "./compaction-node.ts"
export type {
  CompactionCommit,
  CompactionOwner,
  Summary,
  SummaryRefusal,
} from "./compaction-plan.ts"
export { compactionCommit, compactionFailure, compactionStart } from "./compaction-plan.ts"
export type { LogEnd } from "./planned-events.ts"
export type { PrunedResult, PruneRefusal, PruneSettings } from "./prune-plan.ts"
export {
  defaultPruning,
  prunableResults,
  prunedContent,
  pruneEvents,
  pruneMarker,
} from "./prune-plan.ts"
export type { SummaryInput } from "./summary-input.ts"
export { summaryInput } from "./summary-input.ts"
export type { BalanceRefusal } from "./tool-balance.ts"
export { openCalls } from "./tool-balance.ts"
export type { CompactionLock, LockRefusal } from "./compaction-lock.ts"
export { compactionLock, compactionOpening } from "./compaction-lock.ts"
export type {
  CompactionConfig,
  CompactionPolicy,
  ModelCompaction,
  PolicyRefusal,
} from "./policy.ts"
export { configRefusal, modelCompaction } from "./policy.ts"
export type { RangeRefusal } from "./range-between.ts"
export { rangeBetween } from "./range-between.ts"
export type { SurfaceChanged } from "./stable-range.ts"
export { stableRange } from "./stable-range.ts"
