import type { TokenEvent } from "#core/tokens/token-event"

interface CopiedNode {
  readonly seq: number
  readonly tokens: number
}

/**
 * A priced surface as a list that is copied for every event, endpoints found by search: the way of
 * `foldSurfaceTokens` of the public token meter, written anew, as that package does not load
 * without the agent around it.
 */
export const copyingFold = (events: Iterable<TokenEvent>): readonly CopiedNode[] => {
  let nodes: readonly CopiedNode[] = []
  for (const { facts, tokens } of events) {
    if (facts.kind === 0) continue
    const node = { seq: facts.seq, tokens }
    const copy = [...nodes]
    if (facts.start < 0) copy.push(node)
    else {
      const from = copy.findIndex(({ seq }) => seq === facts.start)
      const to = copy.findIndex(({ seq }) => seq === facts.end)
      copy.splice(from, to - from + 1, node)
    }
    nodes = copy
  }
  return nodes
}
