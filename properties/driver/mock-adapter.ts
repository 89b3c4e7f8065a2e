import type { ModelRequest } from "#core/request/model-request"
import type { Route } from "#core/request/route"
import type { ProviderTools } from "#core/request/tool-update"
import { projectToolUpdates } from "#core/request/tool-update"

/** A request as an adapter got it, and where its log stood. */
export interface Sent {
  readonly turn: number
  readonly step: number
  /** 1 for the first attempt of the step. */
  readonly attempt: number
  /** Events of the log at that time: the last one that the model was told of is the one before. */
  readonly logLength: number
  readonly route: Route
  readonly request: ModelRequest
  /** The text of the request without its signal, at that time. */
  readonly text: string
  /** What the provider is told, after the projection of tool changes. */
  readonly told: ProviderTools
  /** Seq of the event that says how it ended; null where no event of the log does. */
  readonly settledSeq: number | null
}

/** What an adapter gets: a call to a model, which never leaves the process. */
export const received = (
  request: ModelRequest,
  route: Route,
  at: Pick<Sent, "turn" | "step" | "attempt" | "logLength">,
): Sent => ({
  ...at,
  route,
  request,
  text: JSON.stringify(request),
  told: projectToolUpdates(
    request.messages,
    request.tools ?? [],
    route.toolUpdate,
    request.toolHistory,
  ),
  settledSeq: null,
})

/** The requests that a log tells of which has no more than its first events. */
export const sentWithin = (sent: readonly Sent[], logLength: number): readonly Sent[] =>
  sent
    .filter((each) => each.logLength <= logLength)
    .map((each) => ({
      ...each,
      settledSeq: each.settledSeq !== null && each.settledSeq < logLength ? each.settledSeq : null,
    }))
