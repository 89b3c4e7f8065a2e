import { existsSync, readdirSync, writeFileSync } from "node:fs"
import { basename } from "node:path"
import { fileURLToPath } from "node:url"
import { digestOfAll, writeArchive } from "./archive.ts"
import { writeBigLog } from "./big-log.ts"
import { makeDigests } from "./digests.ts"
import { parseTask, usage, UsageError, type Task } from "./flags.ts"
import { jsonText } from "./json-text.ts"
import { makeSamples, sampleExpectations, writeSamples } from "./samples.ts"
import { expectations, type SessionSummary } from "./session-summary.ts"

const exitUsage = 3

const besideMe = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

const writeExpectations = (
  path: string | null,
  sessions: Readonly<Record<string, SessionSummary>>,
): void => {
  if (path !== null) writeFileSync(path, JSON.stringify(expectations(sessions)))
}

const runLog = (task: Extract<Task, { kind: "log" }>): object => {
  const { out, expect } = task
  const { bytes, sha256, summary } = writeBigLog(out, task)
  writeExpectations(expect, { [basename(out)]: summary })
  return { path: out, files: 1, bytes, events: summary.eventCount, sha256 }
}

const runArchive = (task: Extract<Task, { kind: "archive" }>): object => {
  const { root, expect } = task
  if (existsSync(root) && readdirSync(root).length > 0) {
    throw new UsageError(`--archive: "${root}" is not empty`)
  }
  const digests: { path: string; sha256: string }[] = []
  const sessions: Record<string, SessionSummary> = {}
  let bytes = 0
  let events = 0
  for (const log of writeArchive(root, task)) {
    digests.push({ path: log.path, sha256: log.sha256 })
    bytes += log.bytes
    events += log.summary.eventCount
    if (expect !== null) sessions[log.path] = log.summary
  }
  writeExpectations(expect, sessions)
  return { path: root, files: digests.length, bytes, events, sha256: digestOfAll(digests) }
}

const runSamples = (): object => {
  const samples = makeSamples()
  const digests = makeDigests(samples)
  writeSamples(besideMe("../../samples"), samples)
  writeFileSync(besideMe("samples-expected.json"), jsonText(sampleExpectations(samples)))
  writeFileSync(besideMe("digests.json"), jsonText(digests))
  const logs = Object.entries(digests.samples).map(([path, digest]) => ({ path, ...digest }))
  const sum = (key: "bytes" | "events"): number => logs.reduce((all, log) => all + log[key], 0)
  return {
    path: "samples",
    files: logs.length,
    bytes: sum("bytes"),
    events: sum("events"),
    sha256: digestOfAll(logs),
  }
}

const run = (task: Task): string => {
  switch (task.kind) {
    case "help":
      return usage
    case "log":
      return jsonLine(runLog(task))
    case "archive":
      return jsonLine(runArchive(task))
    case "samples":
      return jsonLine(runSamples())
  }
}

const jsonLine = (result: object): string =>
  JSON.stringify({ schema: "refold.generate/1", ...result }) + "\n"

try {
  process.stdout.write(run(parseTask(process.argv.slice(2))))
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  const hint = error instanceof UsageError ? "\n--help tells the flags" : ""
  process.stderr.write(`generate: ${message}${hint}\n`)
  process.exitCode = exitUsage
}
