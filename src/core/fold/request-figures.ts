import type { RequestPoint } from "../request/request-points.ts"
import type { SurfaceTokens } from "./log-fold-options.ts"
import type { LogFoldView } from "./log-fold-options.ts"

/** What one request put before the model, in numbers. */
export interface RequestFigures {
  readonly point: RequestPoint
  readonly nodeCount: number
  readonly messageCount: number
  readonly tokens: SurfaceTokens
}

/** The figures of a request at the time it was sent. */
export const requestFigures = (point: RequestPoint, fold: LogFoldView): RequestFigures => ({
  point,
  nodeCount: fold.surface.size,
  messageCount: fold.surface.messageCount,
  tokens: fold.tokens(),
})
