import type { JsonArray, JsonObject } from "../../data/json.ts"
import { isJsonObject } from "../../data/json.ts"
import type { SlotRefusal } from "../../data/relation-refusal.ts"
import { arrayField, blockTag, objectField, textField } from "./fields.ts"
import type { LifecycleRule } from "./rule.ts"

type Path = readonly (string | number)[]

const toolChanges: ReadonlySet<string | null> = new Set(["tool-addition", "tool-removal"])

/** The code of a block that may not stand where it does, or null. */
const misplacedTag = (
  tag: string | null,
  takesToolChanges: boolean,
): "tool-result-block" | "tool-change-misplaced" | null => {
  if (tag === "tool-result") return "tool-result-block"
  return !takesToolChanges && toolChanges.has(tag) ? "tool-change-misplaced" : null
}

/** The first block of a list that may not stand there, or null. Only direct members count. */
export const misplacedBlock = (
  seq: number,
  path: Path,
  blocks: JsonArray | null,
  takesToolChanges: boolean,
): SlotRefusal | null => {
  for (const [i, block] of (blocks ?? []).entries()) {
    const code = misplacedTag(blockTag(block), takesToolChanges)
    if (code !== null) return { code, seq, path: [...path, i] }
  }
  return null
}

const chunkTag = (chunk: JsonObject): { readonly tag: string | null; readonly key: string } => {
  const type = textField(chunk, "type")
  if (type === "block-start") return { tag: textField(chunk, "blockType"), key: "blockType" }
  if (type === "block-end") return { tag: blockTag(chunk["block"]), key: "block" }
  return { tag: null, key: "" }
}

const misplacedInStream = (seq: number, stream: JsonArray | null): SlotRefusal | null => {
  for (const [i, record] of (stream ?? []).entries()) {
    if (!isJsonObject(record) || textField(record, "type") !== "chunk") continue
    const chunk = objectField(record, "chunk")
    if (chunk === null) continue
    const { tag, key } = chunkTag(chunk)
    const code = misplacedTag(tag, false)
    if (code !== null) return { code, seq, path: ["stream", i, "chunk", key] }
  }
  return null
}

/** The first block of a payload beside its messages that may not stand there, or null. */
export const misplacedInPayload = (
  seq: number,
  type: string,
  data: JsonObject,
): SlotRefusal | null => {
  switch (type) {
    case "team/message/queued": {
      const message = objectField(data, "message") ?? {}
      return misplacedBlock(seq, ["message", "content"], arrayField(message, "content"), true)
    }
    case "tool/ptc-dispatch":
      return misplacedBlock(seq, ["content"], arrayField(data, "content"), true)
    case "compaction/summary":
      return (
        misplacedBlock(seq, ["summary"], arrayField(data, "summary"), false) ??
        misplacedBlock(seq, ["rawOutput"], arrayField(data, "rawOutput"), false)
      )
    default:
      return misplacedInStream(seq, arrayField(data, "stream"))
  }
}

/**
 * Tool results are no blocks any more, and tool changes stand in developer messages alone: also in
 * what is no message of the surface.
 *
 * source  rules R20 and R23 of the format
 */
export const blockTagsRule: LifecycleRule<null> = {
  since: 4,
  reads: new Set([
    "team/message/queued",
    "tool/ptc-dispatch",
    "compaction/summary",
    "assistant/message",
    "assistant/attempt",
  ]),
  begin: () => null,
  step: (_draft, { facts, data }, _before, findings) => {
    const refusal = misplacedInPayload(facts.seq, facts.type, data)
    if (refusal !== null) findings.report(refusal)
  },
}
