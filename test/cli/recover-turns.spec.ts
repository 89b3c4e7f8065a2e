import { readdirSync } from "node:fs"
import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import type { RecoveryRecord } from "#shell/report/recovery-record"
import { temporaryFolder } from "../shell/folder.ts"
import {
  assistant,
  sessionLog,
  stepEnd,
  stepStart,
  turnStart,
  user,
} from "../shell/session-logs.ts"
import { refold } from "./run.ts"
import { contentOf, outPlaces } from "./out-places.ts"

const folder = temporaryFolder()

const newPlace = outPlaces(folder)

const size = (text: string): number => Buffer.byteLength(text)

const ended = async (
  ...args: readonly string[]
): Promise<{ readonly record: RecoveryRecord; readonly status: number | null }> => {
  const { stdout, status } = await refold(["recover", "--json", ...args])
  return { record: JSON.parse(stdout) as RecoveryRecord, status }
}

const recovered = async (...args: readonly string[]): Promise<RecoveryRecord> =>
  (await ended(...args)).record

const nothing = { outputs: [], dropped: [], tail: null, containerDamage: null }

const s = (...rows: readonly (string | JsonObject)[]): string => sessionLog("s", ...rows)

describe.concurrent("refold recover, of a log that ends in a turn", () => {
  const open = [turnStart(0, 1), stepStart(1, 1, 1), user(2, "hi")]
  const call = {
    ...assistant(3, 1, 1, "let me see"),
    data: {
      turn: 1,
      step: 1,
      message: {
        id: "a",
        role: "assistant",
        content: [{ type: "tool-call", id: "c", name: "ls", arguments: "{}" }],
        source: { kind: "model", provider: "p", model: "m" },
      },
    },
  }
  const started = {
    type: "tool/call",
    seq: 4,
    time: 4,
    data: { turn: 1, step: 1, callId: "c", name: "ls", arguments: "{}" },
  }
  const done = [...open, stepEnd(3, 1, 1)]
  const again = [stepStart(4, 1, 2), user(5, "more")]

  it("RC9: a turn that the log ends in is kept, and told, unless it is asked for", async () => {
    const out = newPlace()
    const path = folder.file("kept.jsonl", `${s(...open)}{`)
    expect(await recovered(path, "--out", out)).toMatchObject({
      outputs: [{ openTurn: { turn: 1, done: "kept", events: 0, byteCount: 0 }, status: "ok" }],
    })
    expect(contentOf(out)).toStrictEqual({ "kept.jsonl": s(...open) })
    // nothing is wrong with one
    const whole = folder.file("open.jsonl", s(...open))
    expect(await recovered(whole, "--out", newPlace())).toMatchObject({ status: "whole" })
  })

  it("RC10: --open-turn cut takes rows off behind the last complete step, into a file", async () => {
    const [out, early] = [newPlace(), newPlace()]
    const path = folder.file("cut.jsonl", s(...done, ...again))
    const kept = s(...done)
    const rows = s(...done, ...again).slice(kept.length)
    expect(await recovered(path, "--open-turn", "cut", "--out", out)).toMatchObject({
      status: "recovered",
      outputs: [
        {
          kind: "log",
          byteCount: size(kept),
          eventCount: 4,
          openTurn: { turn: 1, done: "cut", events: 2, byteCount: size(rows) },
        },
        { kind: "removed", eventCount: 2, byteCount: size(rows), status: null, openTurn: null },
      ],
    })
    expect(contentOf(out)).toStrictEqual({ "cut.jsonl": kept, "cut.removed.jsonl": rows })
    // without a complete step the turn goes as a whole
    const first = folder.file("first.jsonl", s(...open))
    await recovered(first, "--open-turn", "cut", "--out", early)
    expect(contentOf(early)["first.jsonl"]).toBe(s())
    // and behind a complete step there is nothing to take
    const step = folder.file("step.jsonl", s(...done))
    const none = newPlace()
    expect(await recovered(step, "--open-turn", "cut", "--out", none)).toMatchObject({
      status: "whole",
    })
    expect(readdirSync(none)).toStrictEqual([])
  })

  it("RC11: --open-turn close ends it as the agent does after a crash", async () => {
    const out = newPlace()
    const path = folder.file("close.jsonl", s(...open, call, started))
    expect(await recovered(path, "--open-turn", "close", "--out", out)).toMatchObject({
      status: "recovered",
      outputs: [
        { eventCount: 8, status: "ok", findingCounts: {}, openTurn: { done: "closed", events: 3 } },
      ],
    })
    const lines = (contentOf(out)["close.jsonl"] ?? "").split("\n")
    expect(lines.slice(0, 6).join("\n")).toBe(s(...open, call, started).trimEnd())
    expect(lines.slice(6, -1).map((line) => JSON.parse(line) as JsonObject)).toMatchObject([
      {
        type: "tool/result",
        seq: 5,
        time: 4,
        sourceEventSeqs: [4],
        surfaceOp: "append",
        data: {
          message: {
            id: "interrupted-tool-result-c-5",
            role: "user",
            content: [{ type: "tool-result", toolCallId: "c", isError: true }],
          },
          error: { name: "ToolOutcomeUnknownError", code: "TOOL_OUTCOME_UNKNOWN" },
        },
      },
      { type: "step/end", seq: 6, time: 4, data: { turn: 1, step: 1 } },
      { type: "turn/end", seq: 7, time: 4, data: { turn: 1, reason: { kind: "interrupted" } } },
    ])
    expect((await refold(["check", `${out}/close.jsonl`])).status).toBe(0)
  })

  it("RC12: a call that was never started needs the text that readers know", async () => {
    const out = newPlace()
    const path = folder.file("unstarted.jsonl", s(...open, call))
    const close = [path, "--open-turn", "close", "--out", out]
    const { record, status } = await ended(...close)
    expect(status).toBe(1)
    expect(record).toMatchObject({
      status: "refused",
      ...nothing,
      refusalCode: "not-started-text-missing",
      refusalDetail: { turn: 1 },
    })
    for (const file of [folder.file("text", "The tool was not started."), folder.at("no-text")]) {
      const wrong = await refold(["recover", ...close, "--not-started-text", file])
      expect(wrong).toMatchObject({ status: 3, stdout: "" })
      expect(wrong.stderr).toContain(file)
    }
    expect(readdirSync(out)).toStrictEqual([])
  })
})
