import { createHash } from "node:crypto"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { answer, workingBlocks } from "./answer.ts"
import { textBlock } from "./content.ts"
import { descriptorVersion, type FormatVersion } from "./dialect.ts"
import { forkSession, type Session } from "./fork.ts"
import { MemorySink, sha256, type Written } from "./line-sink.ts"
import { drawLength } from "./log-normal.ts"
import { logPath } from "./log-path.ts"
import { workUntil } from "./long-session.ts"
import { describeSubagent, firstCreatedAt, newAgent } from "./new-session.ts"
import { Prng } from "./prng.ts"
import { beginStep } from "./script.ts"
import type { SessionHeader } from "./session-log.ts"
import type { SessionSummary } from "./session-summary.ts"
import { archiveShapeOf, type Shape, type ShapeName } from "./shapes.ts"
import { startCall } from "./tool-run.ts"
import { openTurn, personMessage, promptText } from "./turn.ts"

/** What an archive shall be; `bytes` is the median size of a log. */
export type ArchiveRequest = {
  readonly shape: ShapeName
  readonly format: FormatVersion
  readonly seed: number
  readonly count: number
  readonly bytes: number
}

/** One log of an archive, with the path below its root. */
export type ArchivedLog = Written & {
  readonly path: string
  readonly summary: SessionSummary
}

const directories: readonly (string | undefined)[] = [
  "/srv/code/atlas",
  "/srv/code/tidepool",
  "/home/mira/notes (draft)",
  "/home/mira/βeta",
  "C:\\work\\ledger",
  undefined,
]

const minuteMs = 60_000

// Sessions stop in the middle of things too: with an open call, or within a line.
const leaveOpen = ({ agent, sink }: Session): boolean => {
  const { prng, log } = agent
  const message = personMessage(agent, [textBlock(promptText(agent))])
  openTurn(agent, message)
  beginStep(agent, [message])
  answer(agent, workingBlocks(agent))
  const call = agent.pending[0]
  if (call !== undefined) startCall(agent, call)
  if (prng.chance(0.5)) return false
  const half = `{"type":"tool/result","seq":${log.nextSeq},"time":${log.clock},"data":{"tur`
  sink.tear(Buffer.from(half))
  return true
}

const nextSession = (
  request: ArchiveRequest,
  shape: Shape,
  index: number,
  before: Session | undefined,
): Session => {
  const { format, seed } = request
  const prng = new Prng(`${seed}`).split(`${request.shape} ${format} archive ${index}`)
  const createdAt = firstCreatedAt + index * minuteMs
  const bytes = drawLength(prng, { median: request.bytes, spread: 0.35, cap: request.bytes * 3 })
  const id = prng.uuid()
  const parent = before?.agent.log.header
  const relation = prng.unit()
  if (before !== undefined && parent !== undefined && relation < 0.03) {
    const header = { ...parent, id, createdAt, parentSession: parent.id }
    const child = forkSession(before, header)
    workUntil(child.agent, shape, child.agent.log.byteCount + bytes / 2)
    return child
  }
  const isChild = parent !== undefined && relation > 0.94
  const cwd = isChild ? parent.cwd : prng.pick(directories)
  const header: SessionHeader = {
    id,
    createdAt,
    ...(cwd === undefined ? {} : { cwd }),
    ...(isChild ? { parentSession: parent.id, origin: "subagent" } : {}),
    delegationDepth: isChild ? parent.delegationDepth + 1 : 0,
  }
  const sink = new MemorySink()
  const agent = newAgent(format, header, sink, prng, shape.profile)
  if (isChild) describeSubagent(agent, descriptorVersion(format), "Look around")
  workUntil(agent, shape, bytes)
  return { agent, sink }
}

/**
 * Writes an archive of sessions in several projects and gives its logs in the order of writing.
 *
 * shape   `<root>/<project>/<session>/<log>`; a few forks, subagents, open turns and torn tails
 * errors  those of the file system
 */
export function* writeArchive(root: string, request: ArchiveRequest): Generator<ArchivedLog> {
  const shape = archiveShapeOf(request.shape, request.format)
  let before: Session | undefined
  for (let index = 0; index < request.count; index++) {
    const session = nextSession(request, shape, index, before)
    const { agent, sink } = session
    const isTorn = agent.prng.chance(0.05) && leaveOpen(session)
    const { id, cwd } = agent.log.header
    const path = logPath(request.format, id, cwd)
    const bytes = sink.toBuffer()
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), bytes)
    const summary = agent.log.summary(isTorn)
    yield { path, bytes: bytes.length, sha256: sha256(bytes), summary }
    before = agent.isTurnOpen ? undefined : session
  }
}

/** One digest for many logs: SHA-256 over a line `digest path` for each, sorted by path. */
export const digestOfAll = (logs: readonly { path: string; sha256: string }[]): string => {
  const lines = logs.map((log) => `${log.sha256}  ${log.path}\n`)
  const byPath = lines.toSorted((a, b) => (a.slice(66) < b.slice(66) ? -1 : 1))
  return createHash("sha256").update(byPath.join("")).digest("hex")
}
