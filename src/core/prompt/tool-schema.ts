import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import type { JsonObject, JsonValue } from "../data/json.ts"
import { losslessCopy } from "../data/lossless-json.ts"
import type { ToolDefinition } from "./contribution.ts"
import type { AssemblyRefusal } from "./refusal.ts"

/** A tool as a model gets to know it. */
export interface ToolSchema extends JsonObject {
  readonly name: string
  readonly description: string
  readonly parameters: JsonValue
  /** Present where the definition is to be loaded only once the model asks for it. */
  readonly deferLoading?: true
}

/**
 * What of a tool reaches a model: nothing but the four fields, and no object of its owner.
 *
 * errors  tool-parameters where they cannot be logged as JSON
 */
export const toolSchemaOf = (tool: ToolDefinition): Either<AssemblyRefusal, ToolSchema> => {
  const { name, description, deferLoading } = tool
  const parameters = losslessCopy(tool.parameters)
  if (isLeft(parameters)) return left({ code: "tool-parameters", name, fault: parameters.left })
  return right(
    deferLoading === true
      ? { name, description, parameters: parameters.right, deferLoading }
      : { name, description, parameters: parameters.right },
  )
}
