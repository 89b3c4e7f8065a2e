import { isCount } from "../../data/count.ts"
import type { JsonObject, JsonValue } from "../../data/json.ts"
import { ownValue } from "../../data/json.ts"
import { checkOf } from "../../log/shape-check.ts"
import type { Shape } from "../../log/shape.ts"
import { count, never, object, oneOf, string, tagged } from "../../log/shape.ts"
import type { ChildEvidence } from "./child-evidence.ts"
import type { EdgeLog } from "./edge-log.ts"

export const catalogType = "subagent/catalog"

const keys = { version: oneOf(0, 1), childId: string, childCreatedAt: count, mode: string }
const oneShot: Shape = object(keys, { label: string })
const entryCheck = checkOf(
  tagged(
    "mode",
    {
      "one-shot": oneShot,
      continuable: object({ ...keys, label: string }),
      // the first version had no such mode
      unknown: object({ ...keys, version: oneOf(1) }, { label: string }),
    },
    never,
  ),
)

interface Known {
  readonly mode: string
  readonly label: JsonValue | undefined
}

const lacksProvider = (descriptor: JsonObject): boolean =>
  descriptor["version"] === 3 && !Object.hasOwn(descriptor, "provider")

// what the only descriptor of a child says of it; null where it says nothing that is understood
const knownOf = ({ descriptorCount, descriptor }: ChildEvidence): Known | null => {
  if (descriptorCount !== 1 || descriptor === null) return null
  const version = ownValue(descriptor, "version")
  const mode = version === 1 ? "continuable" : ownValue(descriptor, "mode")
  const label = ownValue(descriptor, "label")
  const hasLabel = typeof label === "string"
  if (version !== 1 && version !== 2 && version !== 3) return null
  if (mode !== "one-shot" && mode !== "continuable") return null
  if (!hasLabel && (label !== undefined || mode === "continuable")) return null
  return { mode, label }
}

const byCreation = (a: ChildEvidence, b: ChildEvidence): number =>
  a.childCreatedAt - b.childCreatedAt ||
  (a.childId < b.childId ? -1 : a.childId > b.childId ? 1 : 0)

/** The catalog of a session's children: what the log has of its own, and what evidence adds. */
export class ChildCatalog {
  private readonly log: EdgeLog
  // entries behind the last marker of an inherited prefix
  private own: { readonly seq: number; readonly data: JsonObject }[] = []

  constructor(log: EdgeLog) {
    this.log = log
  }

  inherited(): void {
    this.own = []
  }

  note(seq: number, data: JsonObject): void {
    this.own.push({ seq, data })
  }

  /** Entries of the children that are missing, in their order. */
  missing(children: readonly ChildEvidence[] | null): readonly JsonObject[] {
    const { log } = this
    const listed = this.listed()
    if (children === null) {
      log.refuse("unsupported", null, { code: "child-evidence-missing" })
      return []
    }
    const entries: JsonObject[] = []
    for (const child of [...children].sort(byCreation)) {
      const { childId, childCreatedAt, descriptor } = child
      const known = knownOf(child)
      if (descriptor !== null && lacksProvider(descriptor))
        log.refuse("malformed", null, { code: "child-descriptor", childId })
      const entry = listed.get(childId)
      if (entry !== undefined) this.compare(entry, child, known)
      else if (known === null)
        entries.push({ version: 1, childId, childCreatedAt, mode: "unknown" })
      else {
        const { mode, label } = known
        const labelled = label === undefined ? {} : { label }
        entries.push({ version: 0, childId, childCreatedAt, mode, ...labelled })
      }
    }
    return entries
  }

  private listed(): Map<string, { readonly seq: number; readonly data: JsonObject }> {
    const listed = new Map<string, { readonly seq: number; readonly data: JsonObject }>()
    for (const entry of this.own) {
      const { seq, data } = entry
      const fault = entryCheck.fault(data)
      const childId = data["childId"]
      if (fault !== null)
        this.log.refuse("malformed", seq, { code: "payload-shape", type: catalogType, fault })
      else if (typeof childId === "string" && listed.has(childId))
        this.log.refuse("unsupported", seq, { code: "catalog-duplicate", childId })
      if (typeof childId === "string") listed.set(childId, entry)
    }
    return listed
  }

  private compare(
    { seq, data }: { readonly seq: number; readonly data: JsonObject },
    { childId, childCreatedAt }: ChildEvidence,
    known: Known | null,
  ): void {
    const conflict = (field: "childCreatedAt" | "mode" | "label"): void =>
      this.log.refuse("unsupported", seq, { code: "catalog-conflict", childId, field })
    if (isCount(data["childCreatedAt"]) && data["childCreatedAt"] !== childCreatedAt)
      conflict("childCreatedAt")
    if (known === null) return
    if (data["mode"] !== known.mode) conflict("mode")
    if (ownValue(data, "label") !== known.label) conflict("label")
  }
}
