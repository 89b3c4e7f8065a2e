import { describe, expect, it } from "vitest"
import type { TurnEnding } from "#core/request/turn-end"
import { turnEnd } from "#core/request/turn-end"

const reason = (ending: TurnEnding): unknown => {
  const { type, data, ...rest } = turnEnd(7, ending)
  expect([type, rest]).toEqual(["turn/end", {}])
  expect(data).toMatchObject({ turn: 7 })
  return (data as { readonly reason: unknown }).reason
}

describe("the end of a turn", () => {
  it("LS33: says how it ended", () => {
    for (const is of ["completed", "blocked", "max-tokens"] as const)
      expect(reason({ is })).toEqual({ kind: is })
  })

  it("LS33: has who cancelled it, in an object of its own", () => {
    for (const kind of ["user", "parent", "disposed"] as const) {
      const cause = { kind, more: 1 }
      expect(reason({ is: "cancelled", cause })).toEqual({ kind: "aborted", reason: { kind } })
    }
    const cause = { kind: "hook", reason: "not now", more: 1 } as const
    expect(reason({ is: "cancelled", cause })).toEqual({
      kind: "aborted",
      reason: { kind: "hook", reason: "not now" },
    })
  })

  it("LS33: has what it failed for, with a code in any case", () => {
    expect(reason({ is: "failed", failure: { message: "no" } })).toEqual({
      kind: "error",
      error: { message: "no", code: "UNKNOWN" },
    })
    const failure = {
      message: "no",
      code: "RATE_LIMIT",
      status: 429,
      providerRetryAfterMs: 5,
      requestId: "r",
    }
    expect(reason({ is: "failed", failure: { ...failure, ...{ more: 1 } } })).toEqual({
      kind: "error",
      error: failure,
    })
  })
})
