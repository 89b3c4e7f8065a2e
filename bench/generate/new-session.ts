import { Agent, type Profile } from "./agent.ts"
import type { FormatVersion } from "./dialect.ts"
import type { LineSink } from "./line-sink.ts"
import type { Prng } from "./prng.ts"
import { systemPrompt } from "./request-state.ts"
import { SessionLog, type SessionHeader } from "./session-log.ts"

/** When the first generated session began, Unix milliseconds. */
export const firstCreatedAt = 1_770_000_000_000

/** A fresh agent with its prompt, whose log holds nothing but the header. */
export const newAgent = (
  format: FormatVersion,
  header: SessionHeader,
  sink: LineSink,
  prng: Prng,
  profile: Profile,
): Agent => {
  const log = new SessionLog(format, header, sink, prng.split("pace"))
  const agent = new Agent(log, prng, profile)
  agent.systemText = systemPrompt(agent, 500)
  return agent
}

/** Marks a session as the work of a subagent, as its first events do. */
export const describeSubagent = (agent: Agent, version: number, label: string): void => {
  agent.log.event("approval/policy", { policy: "never", source: "delegation" })
  agent.log.event("subagent/descriptor", { version, mode: "one-shot", provider: "spawn", label })
}
