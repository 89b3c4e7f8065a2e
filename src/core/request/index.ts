export type { Address } from "./address.ts"
export { addressOf, addressText, pointAt } from "./address.ts"
export type { Admission, AgentMemory, AttemptInput, PreparedStep } from "./admission.ts"
export { admitAttempt, memoryOf, startsPromptSeries } from "./admission.ts"
export type { AdapterDefaults, RequestConfig, RequestHeader } from "./header.ts"
export { canonicalHeader, canonicalLoggedHeader, headerEquals } from "./header.ts"
export { requestHeaderFold } from "./header-fold.ts"
export type {
  ModelCatalog,
  ModelInfo,
  SystemPromptUpdate,
  ToolUpdateMode,
} from "./model-catalog.ts"
export { builtInCatalog, modelCatalogOf, modelInfoIn, modelInfoOf } from "./model-catalog.ts"
export type { ModelRequest } from "./model-request.ts"
export type { HeaderReason, HeaderRecord } from "./records.ts"
export { contextRecord, headerRecord } from "./records.ts"
export type { RouteRefusal } from "./refusal.ts"
export type { RequestFault } from "./request-fault.ts"
export { requestFault } from "./request-fault.ts"
export type { EventDraft, RequestLog } from "./request-log.ts"
export { appendDraft, emptyRequestLog, takeEvent, withHistory } from "./request-log.ts"
export type { RequestPoint, RequestPoints } from "./request-points.ts"
export { allPoints, requestPointsFold } from "./request-points.ts"
export type { AgentOptions, DefaultValues, Route, ServedModel } from "./route.ts"
export { proposedConfig, routeOf } from "./route.ts"
export type { StepDecision, StepOpening } from "./step.ts"
export { defaultDecision, preparedStep, stepOpening } from "./step.ts"
export type {
  ToolChanges,
  ToolHistory,
  ToolHistoryState,
  ToolsAt,
  ToolUpdate,
} from "./tool-history.ts"
export {
  loggedTools,
  noToolHistory,
  stepToolHistory,
  toolChanges,
  toolHistoryOf,
} from "./tool-history.ts"
export type { ProviderTools } from "./tool-update.ts"
export { projectToolUpdates } from "./tool-update.ts"
export type {
  BlameCause,
  BlameRow,
  Break,
  CacheCheck,
  RequestPart,
  SharedPrefix,
} from "./blame-row.ts"
export { cacheCheck, cacheTolerance, cacheToleranceTokens } from "./blame-row.ts"
export { Blame } from "./blame.ts"
export type { RequestHeaderAt } from "./logged-request.ts"
export { HeaderWalk, systemInEffect } from "./logged-request.ts"
export type { RequestAt } from "./request-at.ts"
export { requestAt } from "./request-at.ts"
export type { PickedRequests, RequestPick, RequestSnapshot } from "./request-collector.ts"
export { RequestCollector } from "./request-collector.ts"
export type { Difference, RequestDiff } from "./request-diff.ts"
export { firstDifference, requestDiff } from "./request-diff.ts"
export type { ToolEvent } from "./tool-events.ts"
export type { ToolUpdateOption } from "./tool-update.ts"
