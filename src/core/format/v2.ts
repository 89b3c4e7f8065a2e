import { shapesV2 } from "../log/payload-shapes.ts"
import type { FormatRules } from "./format.ts"
import { headerWithMarker } from "./v0.ts"
import { rulesV1 } from "./v1.ts"
import { revise } from "./vocabulary.ts"

/** One row an event: streams are embedded in the message or the failed attempt. */
export const rulesV2: FormatRules = {
  ...rulesV1,
  version: 2,
  header: headerWithMarker(2),
  inheritedCut: "marker",
  vocabulary: revise(rulesV1.vocabulary, {
    retired: ["assistant/chunk"],
    added: ["assistant/attempt", "feedback/message-put", "feedback/message-delete"],
  }),
  packedRuns: "none",
  assistantSources: false,
  payloads: shapesV2,
}
