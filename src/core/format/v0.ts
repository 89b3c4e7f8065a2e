import { shapesV0 } from "../log/payload-shapes.ts"
import { count, exactly, leaf, object, oneOf, string } from "../log/shape.ts"
import type { ObjectShape, Shape } from "../log/shape.ts"
import type { FormatRules } from "./format.ts"
import { surfaceKind } from "./surface-kind.ts"
import { firstVocabulary } from "./vocabulary.ts"

const absolutePath: Shape = leaf(
  "absolute path",
  (value) => typeof value === "string" && /^(\/|[A-Za-z]:[\\/]|\\\\)/.test(value),
)

const requiredKeys = (version: number): Readonly<Record<string, Shape>> => ({
  type: oneOf("session"),
  version: oneOf(version),
  id: string,
  createdAt: count,
  delegationDepth: count,
})

const optionalKeys: Readonly<Record<string, Shape>> = {
  cwd: absolutePath,
  parentSession: string,
  origin: oneOf("subagent"),
  agentPreset: string,
}

/** Header keys with the number of inherited events; from version 1 on no other key is allowed. */
export const headerWithLength = (version: number): ObjectShape =>
  (version === 0 ? object : exactly)(requiredKeys(version), { ...optionalKeys, seedLength: count })

/** Header keys since version 2: a flag, and a marker event that tells where. */
export const headerWithMarker = (version: number): ObjectShape =>
  exactly({ ...requiredKeys(version), isSeeded: oneOf(true, false) }, optionalKeys)

/** The first format: deltas of a stream as events, or packed into runs. */
export const rulesV0: FormatRules = {
  version: 0,
  header: headerWithLength(0),
  retiredHeaderKeys: ["sandboxMode", "approvalPolicy"],
  inheritedCut: "header",
  vocabulary: firstVocabulary,
  packedRuns: "typed",
  surface: {
    "user/message": surfaceKind.user,
    "assistant/message": surfaceKind.assistant,
    "tool/result": surfaceKind.toolResult,
  },
  endpoints: ["start", "end"],
  assistantSources: true,
  opaqueSurfaceFields: false,
  projections: [],
  toolResultContent: "block",
  payloads: shapesV0,
}
