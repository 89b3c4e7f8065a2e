import type { LineRange } from "../log/line-range.ts"

/** An event that tells of tools: a request header, or a developer message. */
export interface ToolEvent extends LineRange {
  readonly seq: number
  readonly isHeader: boolean
}
