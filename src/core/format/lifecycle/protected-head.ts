import { surfaceKind } from "../surface-kind.ts"
import type { LifecycleRule } from "./rule.ts"

interface HeadDraft {
  /** Seq of the first node, where that is no system message; −1 while nothing is wrong with it. */
  first: number
  hasNode: boolean
  isReported: boolean
}

/**
 * A log has system messages only if its very first node was one.
 *
 * shape   said once a log: what is wrong is the first node, and it stays first
 * source  rule R76 of the format, which formats since 3 check over whole logs
 */
export const protectedHeadRule: LifecycleRule<HeadDraft> = {
  since: 3,
  reads: new Set([
    "user/message",
    "system/message",
    "developer/message",
    "assistant/message",
    "tool/result",
  ]),
  begin: () => ({ first: -1, hasNode: false, isReported: false }),
  step: (draft, { facts }, _before, findings) => {
    const { seq, kind } = facts
    const isSystem = kind === surfaceKind.system
    if (!draft.hasNode) {
      draft.hasNode = true
      if (!isSystem) draft.first = seq
    } else if (isSystem && draft.first >= 0 && !draft.isReported) {
      draft.isReported = true
      findings.report({ code: "head-absent", seq, first: draft.first })
    }
  },
}
