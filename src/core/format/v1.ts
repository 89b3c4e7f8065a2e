import { shapesV1 } from "../log/payload-shapes.ts"
import type { FormatRules } from "./format.ts"
import { headerWithLength, rulesV0 } from "./v0.ts"

/** The first frozen format: the rows of version 0, every message with an identity. */
export const rulesV1: FormatRules = {
  ...rulesV0,
  version: 1,
  header: headerWithLength(1),
  retiredHeaderKeys: [],
  packedRuns: "checked",
  payloads: shapesV1,
}
