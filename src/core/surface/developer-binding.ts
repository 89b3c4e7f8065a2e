import type { JsonValue } from "../data/json.ts"
import { isJsonArray, isJsonObject, ownValue } from "../data/json.ts"
import { isCount } from "../data/count.ts"
import type { SurfaceRefusal } from "../data/refusal.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import { contentOf, eventMessage } from "../messages/event-message.ts"

const additionsOf = (data: JsonValue): readonly string[] => {
  const message = eventMessage(surfaceKind.developer, data)
  const names: string[] = []
  for (const block of message === null ? [] : contentOf(message)) {
    if (!isJsonObject(block) || block["type"] !== "tool-addition") continue
    const name = block["toolName"]
    if (typeof name === "string") names.push(name)
  }
  return names
}

// exactly one tool of that name, defined to the last part
const isDefined = (header: JsonValue, name: string): boolean => {
  const inner = isJsonObject(header) ? ownValue(header, "header") : undefined
  const tools = isJsonObject(inner) ? ownValue(inner, "tools") : undefined
  if (!isJsonArray(tools)) return false
  const named = tools.filter((tool) => isJsonObject(tool) && tool["name"] === name)
  const tool = named[0]
  return (
    named.length === 1 &&
    isJsonObject(tool) &&
    typeof tool["description"] === "string" &&
    isJsonObject(tool["parameters"]) &&
    (!Object.hasOwn(tool, "deferLoading") || tool["deferLoading"] === true)
  )
}

/**
 * A developer message that adds tools names the request header that defines them; any other names
 * none. The refusal where it does not hold, or null.
 */
export const developerBinding = (
  seq: number,
  data: JsonValue,
  headerAt: (seq: number) => JsonValue | null,
): SurfaceRefusal | null => {
  const additions = additionsOf(data)
  const headerSeq = isJsonObject(data) ? ownValue(data, "headerSeq") : undefined
  if (additions.length === 0)
    return headerSeq === undefined ? null : { code: "header-seq-shape", seq }
  if (!isCount(headerSeq)) return { code: "header-seq-shape", seq }
  const header = headerSeq < seq ? headerAt(headerSeq) : null
  if (header === null) return { code: "header-seq-not-header", seq, headerSeq }
  for (const toolName of additions)
    if (!isDefined(header, toolName))
      return { code: "tool-definition-missing", seq, headerSeq, toolName }
  return null
}
