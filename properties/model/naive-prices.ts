import type { JsonObject } from "#core/data/json"
import type { FormatVersion } from "#core/format/format"
import { surfaceKind } from "#core/format/surface-kind"
import { messageTokens, toolsTokens } from "#core/tokens/estimate"
import { isArray, isObject, messageOf } from "./naive-row.ts"
import { NaiveSurface } from "./naive-surface.ts"

const kinds = { ...surfaceKind, tool: surfaceKind.toolResult }

/** A live node and its price, looked up anew each time. */
export interface NaivePrice {
  readonly seq: number
  readonly isSystem: boolean
  readonly tokens: number
}

/** Prices read off the naive surface: each message by itself, and plain sums. */
export class NaivePrices {
  readonly surface: NaiveSurface
  private tools = 0

  constructor(version: FormatVersion) {
    this.surface = new NaiveSurface(version)
  }

  take(row: JsonObject): void {
    const code = this.surface.offer(row)
    if (code !== null) throw new RangeError(`a right row is refused: ${code}`)
    const data = row["data"]
    if (row["type"] !== "request/header" || !isObject(data) || !isObject(data["header"])) return
    const tools = data["header"]["tools"]
    this.tools = isArray(tools) ? toolsTokens(tools) : 0
  }

  nodes(): readonly NaivePrice[] {
    return this.surface.nodes.map((seq) => {
      const kind = this.surface.kindOf(seq) ?? "user"
      const message = messageOf(kind, this.surface.events.get(seq) ?? {}) ?? {}
      return { seq, isSystem: kind === "system", tokens: messageTokens(kinds[kind], message) }
    })
  }

  /** The price of some live nodes. */
  sumOf(seqs: readonly number[]): number {
    return this.nodes().reduce((sum, { seq, tokens }) => sum + (seqs.includes(seq) ? tokens : 0), 0)
  }

  breakdown(): {
    readonly systemTokens: number
    readonly toolsTokens: number
    readonly messageTokens: number
  } {
    const nodes = this.nodes()
    const prompt = nodes.findLast((node) => node.isSystem && node.tokens > 0)
    const systemTokens = prompt?.tokens ?? 0
    const total = nodes.reduce((sum, { tokens }) => sum + tokens, 0)
    return { systemTokens, toolsTokens: this.tools, messageTokens: total - systemTokens }
  }
}
