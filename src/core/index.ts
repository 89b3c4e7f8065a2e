// data
export { canonicalJson } from "./data/canonical-json.ts"
export type { JsonArray, JsonObject, JsonValue } from "./data/json.ts"
export { isJsonObject, jsonEqual } from "./data/json.ts"
export type { LocatedRefusal } from "./data/located.ts"
export type { LosslessFault } from "./data/lossless-json.ts"
export { losslessCopy, maxDepth } from "./data/lossless-json.ts"
export type { Refusal, RefusalCode, ShapeFault } from "./data/refusal.ts"
export { refusalSeq } from "./data/refusal.ts"
export type { Finding, RelationRefusal } from "./data/relation-refusal.ts"
// format
export { formatOfVersion, formats, newestVersion } from "./format/catalog.ts"
export type { Format, FormatRules, FormatVersion } from "./format/format.ts"
export type { LifecycleCheck } from "./format/lifecycle/check.ts"
export { lifecycleCheck } from "./format/lifecycle/check.ts"
export type { LocatedRelation, RowPlace } from "./format/lifecycle/findings.ts"
export type { Sha256 } from "./format/lifecycle/not-started.ts"
export type { SurfaceKind } from "./format/surface-kind.ts"
export { surfaceKind } from "./format/surface-kind.ts"
export type { Tolerance } from "./format/tolerance.ts"
// migration
export type { CauseClass, CauseCode, CauseDetail, MigrationCause } from "./format/edges/cause.ts"
export type { ChildEvidence } from "./format/edges/child-evidence.ts"
export { ChildEvidenceDraft } from "./format/edges/child-evidence.ts"
export type { Edge, EdgeRun, Evidence, Outlet } from "./format/edges/edge.ts"
export type { LoggedPrompt, MessageOrigin } from "./format/edges/message-transform.ts"
export { migratedMessage, migratedPrompt } from "./format/edges/message-transform.ts"
export { upgradePath } from "./format/edges/path.ts"
export type { InsertedSeq, SeqMap, SeqRun } from "./format/edges/seq-map.ts"
export { newSeqOf, oldSeqOf } from "./format/edges/seq-map.ts"
export type { PromptAnchor } from "./format/edges/system-prompt.ts"
// log
export type { SessionEvent } from "./log/envelope.ts"
export { envelopeFacts } from "./log/envelope.ts"
export type { EventFacts, SurfaceOp } from "./log/event-facts.ts"
export { surfaceOp } from "./log/event-facts.ts"
export type { LogHeader } from "./log/header.ts"
export { headerOf } from "./log/header.ts"
export { payloadRefusal } from "./log/payload.ts"
export type { LogRow } from "./log/row.ts"
export { parseLine, readRow, rowOf } from "./log/row.ts"
export type { SourceRuns } from "./log/source-runs.ts"
// surface
export type { EventWindow, LiveSurface } from "./surface/live.ts"
export { catchUp, liveSurface, readNodes, validateNext } from "./surface/live.ts"
export { builtInProjections, imageOffload } from "./surface/image-offload.ts"
export type {
  MessageProjection,
  MessageProjections,
  MessageUpdate,
  ProjectedNode,
} from "./surface/message-projection.ts"
export {
  noProjections,
  registerProjection,
  removeProjection,
} from "./surface/message-projection.ts"
export type { NodeDetail, SurfaceNode } from "./surface/node.ts"
export type { SurfacePlan } from "./surface/plan.ts"
export { planSurfaceEvent } from "./surface/plan.ts"
export { SurfaceDraft } from "./surface/draft.ts"
export type { SurfaceState } from "./surface/state.ts"
export { applySurfacePlan, emptySurface, nodesOf, stepSurface, viewOf } from "./surface/state.ts"
export { isSameToolResult } from "./surface/tool-result.ts"
export type { SurfaceRest, SurfaceView } from "./surface/view.ts"
// messages
export { deriveEventMessage } from "./messages/derive.ts"
export type { DerivedHistory } from "./messages/derived-history.ts"
export { deriveHistory, messagesOf, noHistory } from "./messages/derived-history.ts"
export type { Hash } from "./messages/digest.ts"
export { messagesDigest } from "./messages/digest.ts"
export type { Message } from "./messages/event-message.ts"
export { isTranscriptEvent } from "./messages/transcript.ts"
// tokens: prices of events, and figures over a session
export type { Breakdown } from "./tokens/breakdown.ts"
export type {
  CompactBreakdown,
  CompactView,
  RetainedPrompt,
} from "./tokens/compact-breakdown-projection.ts"
export { compactBreakdown } from "./tokens/compact-breakdown-projection.ts"
export { eventTokens, messageTokens, toolsTokens } from "./tokens/estimate.ts"
export type { PositionalBreakdown, PricedNode } from "./tokens/positional-breakdown-projection.ts"
export { positionalBreakdown } from "./tokens/positional-breakdown-projection.ts"
export { PositionalDraft } from "./tokens/positional-draft.ts"
export type { Pressure, PressureView } from "./tokens/pressure-projection.ts"
export { contextPressure } from "./tokens/pressure-projection.ts"
export type { ClaimRefusal, ShadowClaim } from "./tokens/shadow-price.ts"
export type { TokenEvent } from "./tokens/token-event.ts"
export { tokenEvent } from "./tokens/token-event.ts"
export type {
  StoredState,
  StoredStateRefusal,
  TokenProjection,
  TokenRefusal,
} from "./tokens/token-projection.ts"
export { applyAll, restoredState } from "./tokens/token-projection.ts"
export type { Usage } from "./tokens/usage.ts"
export type { UsageState } from "./tokens/usage-fold.ts"
export { usageFold } from "./tokens/usage-fold.ts"
export { tokenUnit } from "./tokens/token-unit.ts"
// tokens: the meter, how large the next request would be
export type { Baseline, MeasuredNode, Measurement } from "./tokens/measure.ts"
export { measure } from "./tokens/measure.ts"
export type { ImagePrice, ImagePricesRefusal, RoutePricing } from "./tokens/media.ts"
export type { MeterAnchor, MeterRefusal, MeterState } from "./tokens/meter.ts"
export { noMeter, stepMeter } from "./tokens/meter.ts"
// tokens: money, turns and tokenisers
export * from "./tokens/index.ts"
// compaction: plans of events, and what must hold for them
export * from "./compaction/index.ts"
// folds
export type { Activity } from "./fold/activity-fold.ts"
export { activityFold } from "./fold/activity-fold.ts"
export type { FindingCode, Layer } from "./fold/code-layer.ts"
export { findingCodes, layerOf } from "./fold/code-layer.ts"
export type { Fold } from "./fold/fold.ts"
export { stepFold } from "./fold/fold.ts"
export { product } from "./fold/product.ts"
export type { LineRange } from "./log/line-range.ts"
export type {
  LogFoldOptions,
  Projected,
  Replacement,
  SurfaceTokens,
} from "./fold/log-fold-options.ts"
export type { RequestFigures } from "./fold/request-figures.ts"
export { requestFigures } from "./fold/request-figures.ts"
export { LogFold } from "./fold/log-fold.ts"
export type { LogOutcome, LogReadingOptions, Tail } from "./fold/log-reading.ts"
export { LogReading } from "./fold/log-reading.ts"
// prompt
export { completeAssembly, prepareAssembly } from "./prompt/assemble.ts"
export type { PreparedAssembly } from "./prompt/assemble.ts"
export type { AssembledContext, AssembledSection, PromptAssembly } from "./prompt/assembly.ts"
export { assemblyFault } from "./prompt/assembly-fault.ts"
export type { PromptConfig } from "./prompt/built-ins.ts"
export { builtInLayers } from "./prompt/built-ins.ts"
export type {
  AssembleContext,
  ContextDefinition,
  Contribution,
  OfferedTools,
  PromptText,
  SectionDefinition,
  ToolDefinition,
  ToolsProvider,
  VariableProvider,
} from "./prompt/contribution.ts"
export { interpolated } from "./prompt/interpolate.ts"
export type { PromptLayers, Registration } from "./prompt/layers.ts"
export { contribute, noLayers, withdraw } from "./prompt/layers.ts"
export { contextOrders, sectionOrders } from "./prompt/orders.ts"
export type {
  AssemblyFault,
  AssemblyRefusal,
  ContributionRefusal,
  RenderRefusal,
  ScopeRefusal,
  TextOwner,
  ToolOrderRefusal,
} from "./prompt/refusal.ts"
export type { ContextSection } from "./prompt/render.ts"
export { joinContextSections, renderContextSections, renderPrompt } from "./prompt/render.ts"
export type { RuntimeContextCandidate, RuntimeContextState } from "./prompt/runtime-context.ts"
export {
  neverTold,
  restoreRuntimeContext,
  runtimeContextCandidate,
  runtimeContextMessage,
  stepRuntimeContext,
} from "./prompt/runtime-context.ts"
export type { ScopeKey, ScopeParents } from "./prompt/scope.ts"
export { bindScopeParent, noParents, rebindScopeParent, scopeChainOf } from "./prompt/scope.ts"
export type { SystemNode, SystemPromptCommit } from "./prompt/system-prompt.ts"
export {
  effectivePrompt,
  reconcileSystemPrompt,
  systemNodesOf,
  systemPromptMessage,
} from "./prompt/system-prompt.ts"
export type { ToolOrder } from "./prompt/tool-order.ts"
export { toolOrderOf, unlistedTools } from "./prompt/tool-order.ts"
export type { ToolSchema } from "./prompt/tool-schema.ts"
export type { AssemblyListener, ScopedListener } from "./prompt/waterfall.ts"
export { listenersFor, throughListeners } from "./prompt/waterfall.ts"
// session: a live session as a value
export * from "./session/index.ts"
// requests: of a live session, and as a log tells of them
export * from "./request/index.ts"
// presentation: prompts and requests as readers show them
export * from "./presentation/index.ts"
// projections: states folded from a log, the registry that drives them, and what is stored of them
export * from "./projection/index.ts"
