import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import type { JsonObject, JsonValue } from "../data/json.ts"
import { arrayOf, nonempty, object, oneOf, positive } from "../log/shape.ts"
import { checkOf } from "../log/shape-check.ts"
import type { RouteRefusal } from "./refusal.ts"

/** A model takes a system message anywhere, and obeys the latest one alone. */
export type SystemPromptUpdate = "in-history"

/** A model can be told of tools within its history: of new and gone ones, or of new ones alone. */
export type ToolUpdateMode = "in-history" | "addition-only"

/** What is known of a model. A capability that is absent is one that it lacks. */
export interface ModelInfo extends JsonObject {
  readonly id: string
  readonly inputModalities?: readonly ("text" | "image")[]
  readonly contextWindow?: number
  readonly systemPromptUpdate?: SystemPromptUpdate
  readonly toolUpdate?: ToolUpdateMode
}

/** The models of one adapter by their exact name. A deployment may have another one. */
export type ModelCatalog = ReadonlyMap<string, ModelInfo>

const infoCheck = checkOf(
  object(
    { id: nonempty },
    {
      inputModalities: arrayOf(oneOf("text", "image")),
      contextWindow: positive,
      systemPromptUpdate: oneOf("in-history"),
      toolUpdate: oneOf("in-history", "addition-only"),
    },
  ),
)

/** Reads what is said of a model. Errors: INVALID_MODEL_INFO with the place of the first fault. */
export const modelInfoOf = (
  value: JsonValue,
  index: number | null = null,
): Either<RouteRefusal, ModelInfo> => {
  const fault = infoCheck.fault(value)
  return fault === null
    ? right(value as ModelInfo)
    : left({ code: "INVALID_MODEL_INFO", index, fault })
}

/** Loads a catalogue. Errors: those of its entries, and model-repeated. */
export const modelCatalogOf = (
  entries: readonly JsonValue[],
): Either<RouteRefusal, ModelCatalog> => {
  const catalog = new Map<string, ModelInfo>()
  for (const [index, entry] of entries.entries()) {
    const info = modelInfoOf(entry, index)
    if (isLeft(info)) return info
    const model = info.right.id
    if (catalog.has(model)) return left({ code: "model-repeated", index, model })
    catalog.set(model, info.right)
  }
  return right(catalog)
}

/** The one built-in model that is known to take prompts in its history. Source: dsh 0.1.7. */
export const builtInCatalog: ModelCatalog = new Map([
  [
    "deepseek-flash",
    {
      id: "deepseek-flash",
      inputModalities: ["text", "image"],
      systemPromptUpdate: "in-history",
    } as const,
  ],
])

/** What is known of a model by that very name; of any other, nothing, whatever its name is like. */
export const modelInfoIn = (catalog: ModelCatalog, model: string): ModelInfo =>
  catalog.get(model) ?? { id: model }
