import type { PassFigures } from "../../workers/task-protocol.ts"

const keys = ["byteCount", "lineCount", "eventCount", "nodeCount", "messageTokens"] as const

const add = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : a + b

/** What passes over several logs found together; at least one. */
export const sumOf = (figures: readonly PassFigures[]): PassFigures =>
  figures.reduce((sum, next) => ({
    byteCount: add(sum.byteCount, next.byteCount),
    lineCount: add(sum.lineCount, next.lineCount),
    eventCount: add(sum.eventCount, next.eventCount),
    nodeCount: add(sum.nodeCount, next.nodeCount),
    messageTokens: add(sum.messageTokens, next.messageTokens),
  }))

/** Holds all cases over the same logs to the same figures: who finds others measures nothing. */
export class Agreement {
  private readonly found = new Map<(typeof keys)[number], { name: string; value: number }>()

  /** errors  an Error for a figure that another case found otherwise */
  readonly take = (name: string, figures: PassFigures): void => {
    for (const key of keys) {
      const value = figures[key]
      if (value === null) continue
      const before = this.found.get(key)
      if (before === undefined) this.found.set(key, { name, value })
      else if (before.value !== value)
        throw new Error(`${key}: ${before.value} by ${before.name}, ${value} by ${name}`)
    }
  }

  /** All that is agreed on; null where no case looked. */
  figures(): PassFigures {
    const valueOf = (key: (typeof keys)[number]): number | null =>
      this.found.get(key)?.value ?? null
    return {
      byteCount: valueOf("byteCount"),
      lineCount: valueOf("lineCount"),
      eventCount: valueOf("eventCount"),
      nodeCount: valueOf("nodeCount"),
      messageTokens: valueOf("messageTokens"),
    }
  }
}
