import type { JsonValue } from "../core/data/json.ts"
import { isJsonObject, ownValue } from "../core/data/json.ts"
import { ChildEvidenceDraft } from "../core/format/edges/child-evidence.ts"
import { DecodedLogs } from "./decoded.ts"
import type { OpenLog } from "./log-file.ts"
import { isFault, withOpenLog } from "./log-file.ts"
import { readLines } from "./log-lines.ts"
import type { EvidenceReply, EvidenceRequest, SessionEvidence } from "./task-protocol.ts"

const parsed = (text: string): JsonValue => {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return null
  }
}

const textOf = (value: JsonValue | undefined): string | null =>
  typeof value === "string" ? value : null

// what a child says of itself stands in few rows; the others need not be parsed
const mayTell = (text: string): boolean =>
  text.includes("subagent/descriptor") || text.includes("session/end-seed")

const nothing: SessionEvidence = { sessionId: null, child: null }

const evidenceIn = (log: OpenLog): SessionEvidence => {
  let sessionId: string | null = null
  let parentId = ""
  let draft: ChildEvidenceDraft | null = null
  readLines(log.descriptor, { from: 0, to: log.byteCount }, (text) => {
    if (draft !== null) {
      if (typeof text === "string" && mayTell(text)) draft.step(parsed(text))
      return true
    }
    const header = typeof text === "string" ? parsed(text) : null
    if (!isJsonObject(header)) return false
    sessionId = textOf(ownValue(header, "id"))
    parentId = textOf(ownValue(header, "parentSession")) ?? ""
    if (ownValue(header, "origin") === "subagent" && parentId !== "")
      draft = new ChildEvidenceDraft(parentId, header)
    return draft !== null
  })
  const evidence = (draft as ChildEvidenceDraft | null)?.seal() ?? null
  return { sessionId, child: evidence === null ? null : { parentId, evidence } }
}

/** What logs say of themselves to the sessions that started them. */
export default async ({ sources, scratch }: EvidenceRequest): Promise<EvidenceReply> => {
  const logs = new DecodedLogs(scratch)
  const found: SessionEvidence[] = []
  try {
    for (const source of sources) {
      const read = await logs.read(
        source,
        (plain) => withOpenLog(plain, null, evidenceIn),
        (evidence) => evidence,
      )
      // a child that cannot be read says nothing, not even whose it is
      found.push(isFault(read) ? nothing : read)
    }
    return found
  } finally {
    logs.close()
  }
}
