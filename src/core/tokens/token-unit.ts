import type { ProjectionDefinition } from "../projection/definition.ts"
import { tokenEvent } from "./token-event.ts"
import type { TokenProjection } from "./token-projection.ts"

/** A token projection as a unit of the registry: it prices the events that it is given. */
export const tokenUnit = <State, View>(
  projection: TokenProjection<State, View>,
): ProjectionDefinition<State, View> => {
  const { key, stateVersion, codec, viewCodec, reads, init, apply, view } = projection
  return {
    key,
    stateVersion,
    codec,
    reads,
    init,
    apply: (state, facts, data) => apply(state, tokenEvent(facts, data ?? null)),
    wire: { codec: viewCodec, view },
  }
}
