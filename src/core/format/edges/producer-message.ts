import type { JsonObject } from "../../data/json.ts"
import { isJsonObject, ownValue } from "../../data/json.ts"
import type { ShapeFault } from "../../data/refusal.ts"
import { producerKind, producerSource } from "./source-kinds.ts"

/**
 * A message as its producer's own: the shared kind of plugins is gone.
 *
 * errors  a source without a kind, a plugin without a name, a role that only later messages have
 */
export const producerMessage = (
  message: JsonObject,
): { readonly message: JsonObject; readonly fault: ShapeFault | null } => {
  const failed = (key: string, path: readonly string[], expected: string) => ({
    message,
    fault: { path: [...path, key], expected },
  })
  const role = ownValue(message, "role")
  if (role === "developer") return failed("role", [], "role of format 3")
  const source = ownValue(message, "source")
  if (source === undefined || !isJsonObject(source)) return failed("source", [], "object")
  const kind = ownValue(source, "kind")
  if (typeof kind !== "string" || kind === "") return failed("kind", ["source"], "nonempty string")
  if (kind !== "plugin") return { message, fault: null }
  const plugin = ownValue(source, "plugin")
  if (typeof plugin !== "string") return failed("plugin", ["source"], "string")
  return {
    message: { ...message, source: producerSource(source, producerKind(plugin, role)) },
    fault: null,
  }
}
