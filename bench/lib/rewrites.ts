import type { JsonValue } from "#core/data/json"
import type { SessionEvent } from "#core/log/envelope"

/** Numbers from a seed: the same on every machine. */
const randomOf = (seed: number): ((below: number) => number) => {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const message = (
  seq: number,
  surface: { readonly surfaceOp: JsonValue; readonly sourceEventSeqs?: JsonValue },
): SessionEvent => ({
  type: "user/message",
  seq,
  time: 1,
  data: { id: "m", role: "user", content: [], source: { kind: "user" } },
  ...surface,
})

/**
 * A format-0 log in memory of which a share of the events replaces one live node, picked evenly;
 * nothing is ever compacted, so the surface grows with the log.
 */
export const rewrites = (eventCount: number, percent: number, seed: number): SessionEvent[] => {
  const random = randomOf(seed)
  const events: SessionEvent[] = []
  const surface: number[] = []
  for (let seq = 0; seq < eventCount; seq++) {
    const isRewrite = surface.length > 0 && random(100) < percent
    if (isRewrite) {
      const place = random(surface.length)
      const node = surface[place] ?? 0
      surface[place] = seq
      const surfaceOp = { op: "replace", start: node, end: node }
      events.push(message(seq, { sourceEventSeqs: [node], surfaceOp }))
    } else {
      surface.push(seq)
      events.push(message(seq, { surfaceOp: "append" }))
    }
  }
  return events
}
