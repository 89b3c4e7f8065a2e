import { shapesV4 } from "../log/payload-shapes.ts"
import type { FormatRules } from "./format.ts"
import { surfaceKind } from "./surface-kind.ts"
import { headerWithMarker } from "./v0.ts"
import { rulesV3 } from "./v3.ts"
import { revise } from "./vocabulary.ts"

/** Tool results are messages of their own role; developer messages carry tool changes. */
export const rulesV4: FormatRules = {
  ...rulesV3,
  version: 4,
  header: headerWithMarker(4),
  vocabulary: revise(rulesV3.vocabulary, { added: ["developer/message"] }),
  surface: { ...rulesV3.surface, "developer/message": surfaceKind.developer },
  opaqueSurfaceFields: true,
  toolResultContent: "message",
  payloads: shapesV4,
}
