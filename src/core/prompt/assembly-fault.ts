import type { PromptAssembly } from "./assembly.ts"
import { variableName } from "./interpolate.ts"
import type { AssemblyFault } from "./refusal.ts"

const textsFault = (
  of: "section" | "context",
  parts: readonly { readonly name: string; readonly text: unknown }[],
): AssemblyFault | null => {
  const names = new Set<string>()
  for (const [index, { name, text }] of parts.entries()) {
    if (name === "") return { code: "assembly-name-empty", of, index }
    if (names.has(name)) return { code: "assembly-name-repeated", of, name }
    if (typeof text !== "string") return { code: "assembly-text", of, name }
    names.add(name)
  }
  return null
}

/**
 * The first thing that is wrong with what listeners answered, before anything is restored; null
 * where nothing is. Tools of one name are allowed.
 */
export const assemblyFault = (assembly: PromptAssembly): AssemblyFault | null => {
  const fault = textsFault("section", assembly.sections) ?? textsFault("context", assembly.contexts)
  if (fault !== null) return fault
  const index = assembly.tools.findIndex(({ name }) => name === "")
  if (index >= 0) return { code: "assembly-name-empty", of: "tool", index }
  for (const [name, value] of Object.entries<unknown>(assembly.variables)) {
    if (!variableName.test(name)) return { code: "assembly-variable-name", name }
    if (value !== undefined && typeof value !== "string")
      return { code: "assembly-variable-value", name }
  }
  return null
}
