import { expect, it } from "vitest"
import type { StepRecord } from "#shell/report/session-record"
import { discover, sourceOf } from "#shell/archive/discover"
import blameTask from "#workers/blame-task"
import { recordsIn, refold } from "../cli/run.ts"
import { describeShared } from "../shared.ts"

describeShared("what broke the prefixes of the real logs", (shared) => {
  const archive = `${shared}/archives/dsh-v0`

  it("C64: every log has an answer for each of its requests", async () => {
    const { stdout } = await refold(["replay", archive, "--steps", "--ndjson"])
    const steps = recordsIn<StepRecord>(stdout).filter(({ schema }) => schema === "refold.step/1")
    const places = new Set(
      steps.map(({ path, throughSeq, attempt }) => `${path} ${throughSeq} ${attempt}`),
    )
    let compared = 0
    for (const log of discover([archive]).logs) {
      const { rows } = blameTask({
        source: sourceOf(log),
        tolerance: "default",
        toolUpdate: null,
      })
      for (const { point, cache } of rows) {
        // a step that is still open has its request to come, which a replay does not list
        places.delete(`${log.path} ${point.throughSeq} ${point.attempt}`)
        if (cache !== null) compared++
      }
    }
    expect(steps.length).toBeGreaterThan(150)
    expect([...places]).toEqual([])
    expect(compared).toBe(100)
  })
})
