import type { RequestConfig } from "#core/request/header"
import type { ServedModel } from "#core/request/route"

/** A model that a simulated agent may be switched to. */
export interface Model {
  /** What the owner asks for; the adapter adds its defaults. */
  readonly asked: RequestConfig
  /** Null for a model that no adapter serves. */
  readonly served: ServedModel | null
}

const served = (
  info: ServedModel["info"],
  defaults: ServedModel["defaults"] = {},
): ServedModel => ({
  info,
  defaults,
})

/** One model of each capability, of two providers, one that nobody serves, and none. */
export const models: readonly Model[] = [
  { asked: { provider: "p", model: "plain" }, served: served({ id: "plain" }) },
  {
    asked: { provider: "p", model: "prompts", stop: ["END"] },
    served: served({ id: "prompts", contextWindow: 64_000, systemPromptUpdate: "in-history" }),
  },
  {
    asked: { provider: "p", model: "both" },
    served: served(
      {
        id: "both",
        contextWindow: 128_000,
        systemPromptUpdate: "in-history",
        toolUpdate: "in-history",
      },
      { reasoningEffort: "high", maxTokens: 4_096 },
    ),
  },
  {
    asked: { provider: "q", model: "additions", temperature: 0.5 },
    served: served({
      id: "additions",
      systemPromptUpdate: "in-history",
      toolUpdate: "addition-only",
    }),
  },
  {
    asked: { provider: "q", model: "tools", maxTokens: 512 },
    served: served({ id: "tools", toolUpdate: "in-history" }),
  },
  { asked: { provider: "x", model: "nobody" }, served: null },
  // nothing is chosen: there is no route
  { asked: { provider: "", model: "" }, served: null },
]
