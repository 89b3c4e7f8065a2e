import { describe, expect, it } from "vitest"
import type { RequestConfig } from "#core/request/header"
import type { ModelRequest } from "#core/request/model-request"
import type { ServedModel } from "#core/request/route"
import type { Adapter, PreparedCall } from "#shell/live/adapters"
import { AdapterRegistry } from "#shell/live/adapters"
import { leftOf, rightOf } from "../../core/surface/events.ts"

const proposed: RequestConfig = { provider: "p", model: "m", stop: ["END"] }
const model: ServedModel = {
  info: { id: "m", contextWindow: 9, systemPromptUpdate: "in-history" },
  defaults: { maxTokens: 5 },
}

const requestOf = (config: RequestConfig): ModelRequest => ({
  ...config,
  messages: [],
  toolHistory: { tools: [], updates: [] },
  sessionId: "s",
})

/** An adapter that says which one it is. */
const named = (name: string, served: ServedModel = model): Adapter<string> => ({
  resolve: () => served,
  stream: ({ model: asked }) => `${name}:${asked}`,
})

/** What comes of a call that takes the request it was prepared for. */
const sent = ({ route, stream }: PreparedCall<string>): string => {
  if (stream === null) throw new RangeError("no adapter")
  return rightOf(stream(requestOf(route.config)))
}

const never = new AbortController().signal

/** An adapter that resolves nothing before it is told to. */
const blocked = (): Adapter<string> & {
  readonly answer: (served: ServedModel) => void
  readonly signals: AbortSignal[]
} => {
  let answer: (served: ServedModel) => void = () => {}
  const signals: AbortSignal[] = []
  return {
    signals,
    answer: (served) => answer(served),
    resolve: (_, signal) => {
      signals.push(signal)
      return new Promise((resolve) => (answer = resolve))
    },
    stream: () => "blocked",
  }
}

describe("a prepared call", () => {
  it("LS24: has the route of its adapter, frozen, whatever becomes of the proposal", async () => {
    const registry = new AdapterRegistry<string>()
    registry.register("p", named("a"))
    const mine = structuredClone(proposed) as { model: string } & RequestConfig
    const preparing = registry.prepare(mine, never)
    mine.model = "other"
    const { route } = rightOf(await preparing)
    expect(route).toEqual({
      config: { ...proposed, maxTokens: 5 },
      adapterDefaults: { maxTokens: true },
      contextWindow: 9,
      systemPromptUpdate: "in-history",
      toolUpdate: null,
    })
    expect(Object.isFrozen(route) && Object.isFrozen(route.config.stop)).toBe(true)
    expect(Object.isFrozen(mine)).toBe(false)
  })

  it("LS24: is refused without a model, and for what is said of one", async () => {
    const registry = new AdapterRegistry<string>()
    const info = { id: "m", toolUpdate: "sometimes" } as unknown as ServedModel["info"]
    registry.register("p", named("a", { info, defaults: {} }))
    expect(leftOf(await registry.prepare({ provider: "p", model: "" }, never)).code).toBe(
      "route-incomplete",
    )
    expect(leftOf(await registry.prepare(proposed, never)).code).toBe("INVALID_MODEL_INFO")
  })

  it("LS24: is none where no adapter serves, and its route is the proposal", async () => {
    const registry = new AdapterRegistry<string>()
    const { route, stream } = rightOf(await registry.prepare(proposed, never))
    expect(stream).toBeNull()
    expect(route).toMatchObject({ config: proposed, adapterDefaults: {}, contextWindow: null })
  })

  it("LS25: sends one request, and the one that it was prepared for", async () => {
    const registry = new AdapterRegistry<string>()
    registry.register("p", named("a"))
    const { route, stream } = rightOf(await registry.prepare(proposed, never))
    if (stream === null) throw new RangeError("no adapter")
    const other = { code: "INVALID_PREPARED_CALL", what: "config" }
    for (const more of [{ model: "n" }, { maxTokens: 6 }, { temperature: 1 }, { stop: ["X"] }])
      expect(leftOf(stream(requestOf({ ...route.config, ...more })))).toEqual(other)
    expect(rightOf(stream(requestOf(route.config)))).toBe("a:m")
    expect(leftOf(stream(requestOf(route.config)))).toEqual({
      code: "INVALID_PREPARED_CALL",
      what: "used",
    })
  })

  it("LS26: stays with the adapter that it found first", async () => {
    const registry = new AdapterRegistry<string>()
    const first = blocked()
    registry.register("p", first)
    const preparing = registry.prepare(proposed, never)
    const second = registry.register("p", named("b"))
    first.answer(model)
    expect(sent(rightOf(await preparing))).toBe("blocked")
    expect(sent(rightOf(await registry.prepare(proposed, never)))).toBe("b:m")
    // the name falls back to who had it
    second[Symbol.dispose]()
    const again = registry.prepare(proposed, never)
    first.answer(model)
    expect(sent(rightOf(await again))).toBe("blocked")
  })

  it("LS26: is given up with its adapter, or by who asked for it", async () => {
    const registry = new AdapterRegistry<string>()
    const adapter = blocked()
    const registration = registry.register("p", adapter)
    const asking = new AbortController()
    const cause = { kind: "user" }
    const cancelled = registry.prepare(proposed, asking.signal)
    asking.abort(cause)
    await expect(cancelled).rejects.toBe(cause)
    const disposed = registry.prepare(proposed, never)
    registration[Symbol.dispose]()
    await expect(disposed).rejects.toMatchObject({ name: "AbortError" })
    expect(adapter.signals.map(({ aborted }) => aborted)).toEqual([true, true])
    // and nobody is asked for one that was given up before
    await expect(registry.prepare(proposed, asking.signal)).rejects.toBe(cause)
    expect(rightOf(await registry.prepare(proposed, never)).stream).toBeNull()
  })

  it("LS26: fails with what its adapter throws", async () => {
    const registry = new AdapterRegistry<string>()
    const resolve = (): never => {
      throw new Error("no model")
    }
    registry.register("p", { ...named("a"), resolve })
    await expect(registry.prepare(proposed, never)).rejects.toThrow("no model")
    registry.register("p", { ...named("b"), resolve: () => Promise.reject(new Error("none")) })
    await expect(registry.prepare(proposed, never)).rejects.toThrow("none")
  })
})
