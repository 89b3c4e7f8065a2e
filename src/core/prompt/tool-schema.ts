import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import type { JsonObject, JsonValue } from "../data/json.ts"
import { losslessCopy } from "../data/lossless-json.ts"
import { plainCopy } from "../data/plain-copy.ts"
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
  let parameters = plainCopy(tool.parameters)
  if (parameters === undefined) {
    const copy = losslessCopy(tool.parameters)
    if (isLeft(copy)) return left({ code: "tool-parameters", name, fault: copy.left })
    parameters = copy.right
  }
  return right(
    deferLoading === true
      ? { name, description, parameters, deferLoading }
      : { name, description, parameters },
  )
}
