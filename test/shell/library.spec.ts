import { describe, expect, it } from "vitest"
import type { ReplayOptions, SessionRecord, StepRecord } from "#shell/index"
import { foldLog, messages, replay, transcript, UsageError } from "#shell/index"
import { ended, recordsIn, refold, samples, start } from "../cli/run.ts"
import { temporaryFolder } from "./folder.ts"
import { mode, sessionLog, user } from "./session-logs.ts"

const folder = temporaryFolder()

// several batches: there is work left whenever somebody stops
const many = folder.folder("many")
for (let i = 0; i < 600; i++)
  folder.file(`many/p/s${i}/session.jsonl`, sessionLog(`s${i}`, mode(0)))

const all = async (
  paths: string | readonly string[],
  options: ReplayOptions = {},
): Promise<readonly (SessionRecord | StepRecord)[]> => {
  const records: (SessionRecord | StepRecord)[] = []
  for await (const record of replay(paths, options)) records.push(record)
  return records
}

describe("replay as a library", () => {
  it("W8: yields what the command prints", async () => {
    const missing = folder.at("missing")
    const found: unknown[] = []
    const records = await all([samples, missing], {
      steps: true,
      digest: true,
      workers: 2,
      onDiscovery: (each) => found.push(each),
    })
    const { stdout } = await refold(["replay", "--ndjson", "--steps", "--digest", samples, missing])
    expect(records).toStrictEqual(recordsIn(stdout))
    expect(found).toStrictEqual([{ logs: 16, skipped: { otherFiles: 1, links: 0, superseded: 0 } }])
    // one path needs no list
    expect(await all(missing)).toMatchObject([{ refusalCode: "not-found" }])
  })

  it("A13: a path that leads nowhere is no part of a project, and is named all the same", async () => {
    const missing = folder.at("missing")
    const plain = folder.file("plain.jsonl", sessionLog("plain"))
    expect(await all([samples, missing, plain], { project: "_no-*" })).toMatchObject([
      { path: missing, refusalCode: "not-found" },
      { session: "chat-without-files" },
      { session: "nothing-said" },
    ])
  })

  it("A16: what makes no sense is told before anything is read", async () => {
    for (const options of [
      { session: "" },
      { project: "" },
      { since: "x" },
      { until: "x" },
      { zone: "x" },
    ])
      await expect(replay(many, options).next(), JSON.stringify(options)).rejects.toThrow(
        UsageError,
      )
  })

  it("W9: a signal that was aborted before ends it at once, with its reason", async () => {
    const reason = new Error("enough")
    await expect(all(many, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  it("W9: a signal that is aborted on the way ends it, whatever has come in already", async () => {
    const reason = new Error("enough")
    const controller = new AbortController()
    const records = replay(many, { signal: controller.signal })
    await records.next()
    await records.next()
    controller.abort(reason)
    await expect(records.next()).rejects.toBe(reason)
    expect(await records.next()).toStrictEqual({ value: undefined, done: true })
  })

  it("W9: a signal that is aborted while workers are busy ends them", async () => {
    const reason = new Error("enough")
    const controller = new AbortController()
    const first = replay(many, { signal: controller.signal }).next()
    controller.abort(reason)
    await expect(first).rejects.toBe(reason)
    const fold = foldLog(`${samples}/_no-cwd/nothing-said/session.jsonl`, {
      signal: controller.signal,
    })
    await expect(fold).rejects.toThrow()
  })

  it("W9: many tasks listen to one signal without a warning", async () => {
    const warnings: Error[] = []
    const listen = (warning: Error): void => void warnings.push(warning)
    process.on("warning", listen)
    const { signal } = new AbortController()
    // two tasks a worker are under way: more than the ten that are not worth a warning
    const paths = Array.from({ length: 6 }, () => many)
    expect(await all(paths, { signal, workers: 6 })).toHaveLength(6 * 600)
    await new Promise((resolve) => setImmediate(resolve))
    process.off("warning", listen)
    expect(warnings).toStrictEqual([])
  })
})

describe("a loop that is left early", () => {
  // in a process of its own: that it ends is the proof that no worker is left
  const script = (body: string): readonly string[] => {
    const library = import.meta.resolve("#shell/index")
    const code = `import { replay } from ${JSON.stringify(library)}
      ${body}`
    const loader = library.endsWith(".ts") ? ["--import", import.meta.resolve("tsx")] : []
    return [process.execPath, ...loader, "--input-type=module", "--eval", code]
  }

  it("W10: stops the workers, as an abort does, and the process ends", async () => {
    const path = JSON.stringify(many)
    const child = start(
      script(`for await (const { session } of replay(${path}, { workers: 3 })) {
        console.log(session)
        break
      }
      const controller = new AbortController()
      try {
        for await (const _ of replay(${path}, { workers: 3, signal: controller.signal }))
          controller.abort(new Error("enough"))
      } catch (cause) {
        console.log(cause.message)
      }`),
    )
    expect(await ended(child)).toStrictEqual({
      status: 0,
      signal: null,
      stdout: "s0\nenough\n",
      stderr: "",
    })
  })
})

describe("one log as a library", () => {
  it("W8: folds, and gives messages and the transcript", async () => {
    const path = folder.file(
      "one/session.jsonl",
      sessionLog(
        "one",
        user(0, "first"),
        user(1, "second", {
          surfaceOp: { op: "replace", start: 0, end: 0 },
          sourceEventSeqs: [0],
        }),
      ),
    )
    expect(await foldLog(path)).toMatchObject({ nodes: [1], messageCount: 1, status: "ok" })
    expect(await messages(path)).toStrictEqual([user(1, "second")["data"]])
    expect(await transcript(path)).toStrictEqual([user(0, "first")["data"]])
  })
})
