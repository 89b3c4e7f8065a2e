import { shapesV3 } from "../log/payload-shapes.ts"
import type { FormatRules } from "./format.ts"
import { surfaceKind } from "./surface-kind.ts"
import { headerWithMarker } from "./v0.ts"
import { rulesV2 } from "./v2.ts"
import { revise } from "./vocabulary.ts"

/** The system prompt is a node of the surface, and images are offloaded by a projection. */
export const rulesV3: FormatRules = {
  ...rulesV2,
  version: 3,
  header: headerWithMarker(3),
  vocabulary: revise(rulesV2.vocabulary, {
    retired: ["tool/code-dispatch-start", "tool/code-dispatch"],
    added: [
      "system/message",
      "tool/ptc-dispatch-start",
      "tool/ptc-dispatch",
      "image/offload",
      "deliverables/presented",
      "workspace/changes",
      "subagent/catalog",
    ],
  }),
  surface: { ...rulesV2.surface, "system/message": surfaceKind.system },
  endpoints: ["startSeq", "endSeq"],
  projections: ["image/offload"],
  payloads: shapesV3,
}
