import type { Either } from "fp-ts/lib/Either.js"
import { left, right } from "fp-ts/lib/Either.js"
import { byCodeUnits } from "../data/code-units.ts"
import type { AssemblyRefusal, ToolOrderRefusal } from "./refusal.ts"
import type { ToolSchema } from "./tool-schema.ts"

/** Stands in a tool order for all tools that it does not list. */
export const unlistedTools = "<unlisted-tools>"

/** A configured order of tools: each name once, the marker for the rest among them. */
export interface ToolOrder {
  readonly names: readonly string[]
}

/**
 * Checks a configured order, as far as that is possible before any tool is known.
 *
 * errors  tool-order-repeated for the first name that is there twice, tool-order-rest-missing
 */
export const toolOrderOf = (names: readonly string[]): Either<ToolOrderRefusal, ToolOrder> => {
  const seen = new Set<string>()
  for (const name of names) {
    if (seen.has(name)) return left({ code: "tool-order-repeated", name })
    seen.add(name)
  }
  return seen.has(unlistedTools)
    ? right({ names: [...names] })
    : left({ code: "tool-order-rest-missing" })
}

const byName = (a: ToolSchema, b: ToolSchema): number => byCodeUnits(a.name, b.name)

/**
 * The tools in the order that a model sees: by name, or as configured. Tools of one name keep the
 * order in which they were collected.
 *
 * errors  tool-name-reserved, then tool-order-unknown
 */
export const orderedTools = (
  collected: readonly ToolSchema[],
  knownNames: ReadonlySet<string>,
  order: ToolOrder | null,
): Either<AssemblyRefusal, ToolSchema[]> => {
  if (collected.some(({ name }) => name === unlistedTools))
    return left({ code: "tool-name-reserved", name: unlistedTools })
  const sorted = collected.toSorted(byName)
  if (order === null) return right(sorted)
  const unknown = order.names.filter((name) => name !== unlistedTools && !knownNames.has(name))
  if (unknown.length > 0)
    return left({
      code: "tool-order-unknown",
      unknown,
      known: [...knownNames].sort(byCodeUnits),
    })
  const listed = new Map<string, ToolSchema[]>()
  for (const name of order.names) listed.set(name, [])
  const rest = listed.get(unlistedTools) ?? []
  for (const tool of sorted) (listed.get(tool.name) ?? rest).push(tool)
  return right([...listed.values()].flat())
}
