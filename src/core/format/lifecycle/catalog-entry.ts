import type { JsonObject } from "../../data/json.ts"
import { ownValue } from "../../data/json.ts"
import type { SessionRefusal } from "../../data/relation-refusal.ts"
import { endSeedType, isInheritedMarker } from "../../log/inherited-marker.ts"
import { countField, textField } from "./fields.ts"
import type { LifecycleRule } from "./rule.ts"

interface CatalogDraft {
  /** Children listed since the last inherited event. */
  readonly children: Set<string>
}

type Field = (SessionRefusal & { readonly code: "catalog-field" })["field"]

const modes: Readonly<Record<number, ReadonlySet<string | null>>> = {
  0: new Set(["continuable", "one-shot"]),
  1: new Set(["continuable", "one-shot", "unknown"]),
}

const wrongField = (data: JsonObject): Field | null => {
  const version = countField(data, "version")
  const allowed = version === null ? undefined : modes[version]
  if (allowed === undefined) return "version"
  if (textField(data, "childId") === null) return "childId"
  const mode = textField(data, "mode")
  if (!allowed.has(mode)) return "mode"
  const isLabelled = ownValue(data, "label") !== undefined || mode === "continuable"
  if (isLabelled && textField(data, "label") === null) return "label"
  return countField(data, "childCreatedAt") === null ? "childCreatedAt" : null
}

/**
 * A session lists each of its own children once; what it inherited speaks of another's children.
 * Which events were inherited shows when the log ends.
 *
 * cost    keeps the ids of the children
 * source  rules R34 and R35 of the format
 */
export const catalogEntryRule: LifecycleRule<CatalogDraft> = {
  since: 4,
  reads: new Set(["subagent/catalog", endSeedType]),
  begin: () => ({ children: new Set() }),
  step: ({ children }, { facts, data }, _before, findings) => {
    if (facts.type === endSeedType) {
      if (!isInheritedMarker(data)) return
      findings.drop()
      return children.clear()
    }
    const { seq } = facts
    const field = wrongField(data)
    const childId = textField(data, "childId")
    if (field !== null) findings.hold({ code: "catalog-field", seq, field })
    else if (childId !== null && children.has(childId))
      findings.hold({ code: "catalog-child-repeated", seq, childId })
    if (childId !== null) children.add(childId)
  },
}
