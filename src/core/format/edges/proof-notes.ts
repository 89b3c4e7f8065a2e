import type { JsonValue } from "../../data/json.ts"
import { isJsonObject, ownValue } from "../../data/json.ts"

interface Nameless {
  readonly start: number
  /** Seq of the event that ended it; Infinity while it is open. */
  end: number
}

const startTypes: ReadonlySet<string> = new Set(["compaction/start", "compact/start"])
const endTypes: ReadonlySet<string> = new Set(["compaction/end", "compact/end", "session/end-seed"])

/**
 * What the expected messages of a migration depend on beside the messages: noted while the rows of
 * the old log pass by.
 */
export class ProofNotes {
  /** The prompt in effect at the end, and the seq of the header that set it. */
  promptText = ""
  promptSeq = 0
  private readonly nameless: Nameless[] = []

  step(row: JsonValue): void {
    if (!isJsonObject(row)) return
    const type = ownValue(row, "type")
    const seq = ownValue(row, "seq")
    const data = ownValue(row, "data")
    if (typeof type !== "string" || typeof seq !== "number" || !isJsonObject(data)) return
    const open = this.nameless.at(-1)
    if (startTypes.has(type)) {
      if (!Object.hasOwn(data, "compactionId")) this.nameless.push({ start: seq, end: Infinity })
    } else if (endTypes.has(type) && open?.end === Infinity) open.end = seq
    if (type !== "request/header") return
    const header = ownValue(data, "header")
    const system = isJsonObject(header) ? ownValue(header, "system") : undefined
    const text = typeof system === "string" ? system : ""
    if (text === this.promptText) return
    this.promptText = text
    this.promptSeq = seq
  }

  /** The compaction without an id that was open before an event, or null. */
  namelessBefore(seq: number): number | null {
    for (let i = this.nameless.length - 1; i >= 0; i--) {
      const { start, end } = this.nameless[i] as Nameless
      if (start < seq) return seq <= end ? start : null
    }
    return null
  }
}
