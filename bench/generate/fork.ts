import type { Agent } from "./agent.ts"
import { closeOpen, takeOver } from "./closers.ts"
import { hasChunkEvents } from "./dialect.ts"
import { MemorySink } from "./line-sink.ts"
import { SessionLog, type SessionHeader } from "./session-log.ts"

/** An agent, its log and the memory that log lies in. */
export type Session = {
  readonly agent: Agent
  readonly sink: MemorySink
}

/**
 * A child log that begins with everything the parent holds now.
 *
 * shape   the parent is left as it is; before format 4 it must have no open turn
 */
export const forkSession = (parent: Session, header: SessionHeader): Session => {
  const { log } = parent.agent
  if (log.format < 4 && parent.agent.isTurnOpen) {
    throw new RangeError(`a turn is open: format ${log.format} cannot fork here`)
  }
  const sink = new MemorySink()
  const prng = parent.agent.prng.split(`fork ${header.id}`)
  const child = new SessionLog(log.format, header, sink, prng.split("pace"), log)
  sink.copyBody(parent.sink)
  const agent = parent.agent.branch(child, `fork ${header.id}`)
  const mark = hasChunkEvents(log.format) ? {} : { inherited: true }
  child.event("session/end-seed", mark, { time: child.clock })
  closeOpen(agent, "forked")
  takeOver(agent)
  return { agent, sink }
}
