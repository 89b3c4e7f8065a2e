import { isLeft } from "fp-ts/lib/Either.js"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import { measure } from "#core/tokens/measure"
import type { MeterState } from "#core/tokens/meter"
import { noMeter, stepMeter } from "#core/tokens/meter"
import type { TokenEvent } from "#core/tokens/token-event"
import { sessions } from "./arbitraries/sessions.ts"
import { headerIn } from "./carriers.ts"
import { expectAllSeen } from "./seen.ts"
import { stepsOf } from "./token-steps.ts"

/** What a meter must come to, kept the plain way. */
class NaiveMeter {
  private header: JsonObject | null = null
  private anchor: { header: string; tokens: number; total: number } | null = null

  take(event: TokenEvent, row: JsonObject, before: number): void {
    const data = row["data"] as JsonObject
    if (event.facts.type === "request/header") this.header = data["header"] as JsonObject
    if (event.facts.type !== "assistant/message") return
    // generated streams are empty: nothing was sent where a call was counted
    const usage = this.header === null ? undefined : (data["usage"] as JsonObject | undefined)
    const answered = usage === undefined || !Array.isArray(data["stream"]) ? event.tokens : 0
    const tokens = before + answered
    const count = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens"].reduce(
      (sum, key) => sum + Number(usage?.[key] ?? 0),
      0,
    )
    const estimate = this.tools + tokens
    this.anchor = { header: this.headerText, tokens, total: Math.max(count, estimate) }
  }

  total(surface: number): number {
    if (this.anchor === null || this.anchor.header !== this.headerText) return this.tools + surface
    return Math.max(0, this.anchor.total + surface - this.anchor.tokens)
  }

  private get tools(): number {
    const tools = this.header?.["tools"]
    const text = JSON.stringify(tools ?? [])
    return text === "[]" ? 0 : Math.ceil(text.length / 4) + 4
  }

  private get headerText(): string {
    const { config, tools, system } = this.header ?? {}
    return JSON.stringify([this.header !== null, config, tools ?? [], system])
  }
}

describe("the meter", () => {
  it("TK15 TK16 TK18: what it measures = counted anew the plain way; older meters stay", () => {
    const seen = { reported: 0, estimated: 0 }
    fc.assert(
      fc.property(sessions(), (session) => {
        let meter = noMeter(headerIn(session.header))
        const naive = new NaiveMeter()
        const measured: (readonly [MeterState, string])[] = []
        let surface = 0
        for (const { event, row, after } of stepsOf(session, [false])) {
          const next = stepMeter(meter, event)
          if (isLeft(next)) throw new RangeError(JSON.stringify(next.left))
          meter = next.right
          naive.take(event, row ?? {}, surface)
          surface = after.systemTokens + after.messageTokens
          const answer = measure(meter)
          if (isLeft(answer)) throw new RangeError(answer.left.code)
          const { surfaceTokens, totalTokens, baseline } = answer.right
          expect([surfaceTokens, totalTokens]).toEqual([surface, naive.total(surface)])
          if (baseline.kind === "usage") seen.reported++
          if (baseline.kind === "estimated") seen.estimated++
          measured.push([meter, JSON.stringify(answer)])
        }
        const last = measure(meter)
        expect(isLeft(last) ? [] : last.right.nodes.map(({ seq }) => seq)).toEqual(session.nodes)
        for (const [state, text] of measured) expect(JSON.stringify(measure(state))).toBe(text)
      }),
    )
    expectAllSeen(seen)
  })
})
