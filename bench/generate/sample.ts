import type { Profile } from "./agent.ts"
import type { FormatVersion } from "./dialect.ts"
import type { Session } from "./fork.ts"
import { MemorySink } from "./line-sink.ts"
import { logPath } from "./log-path.ts"
import { firstCreatedAt, newAgent } from "./new-session.ts"
import { Prng } from "./prng.ts"
import type { SessionHeader } from "./session-log.ts"
import type { SessionSummary } from "./session-summary.ts"

/** One committed sample log. */
export type Sample = {
  /** Below samples/, with `/` between its parts. */
  readonly path: string
  readonly bytes: Buffer
  readonly summary: SessionSummary
  /** What a reader can find in it. */
  readonly note: string
}

/** Small sessions without chance incidents: what happens in them is written down. */
const sampleProfile: Profile = {
  prompt: { median: 100, spread: 0.5, cap: 400 },
  answer: { median: 45, spread: 0.5, cap: 300 },
  toolResult: { median: 150, spread: 0.7, cap: 1_500 },
  deltasPerStep: 6,
  unicodeShare: 0.12,
  reasoningShare: 0.25,
  parallelShare: 0.08,
  hookPairs: 0,
  incidentShare: 0,
}

/** A session with that id, ready to be scripted; its seed is its id. */
export const sampleSession = (
  format: FormatVersion,
  header: Omit<SessionHeader, "createdAt" | "delegationDepth"> & {
    readonly delegationDepth?: number
    readonly minute: number
  },
): Session => {
  const { minute, ...rest } = header
  const sink = new MemorySink()
  const full = {
    delegationDepth: 0,
    ...rest,
    createdAt: firstCreatedAt + minute * 60_000,
  }
  const prng = new Prng(`sample ${header.id}`)
  return { agent: newAgent(format, full, sink, prng, sampleProfile), sink }
}

/** The finished sample of a session; `torn` says that its sink was torn. */
export const finishSample = ({ agent, sink }: Session, note: string, torn = false): Sample => {
  const { format, header } = agent.log
  return {
    path: logPath(format, header.id, header.cwd),
    bytes: sink.toBuffer(),
    summary: agent.log.summary(torn),
    note,
  }
}
