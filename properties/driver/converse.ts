import type { SessionEvent } from "#core/log/envelope"
import { forkSession } from "#core/session/fork"
import { restoreSession, resumeSession } from "#core/session/restore"
import type { Session } from "#core/session/session"
import { createSession } from "#core/session/session"
import { builtInProjections } from "#core/surface/image-offload"
import { rightOf } from "../../test/core/surface/events.ts"
import { SimulatedAgent, World } from "./agent.ts"
import { compact, offload } from "./compacting.ts"
import type { Sent } from "./mock-adapter.ts"
import { sentWithin } from "./mock-adapter.ts"
import type { Command } from "./script.ts"
import { runTurn } from "./turn.ts"

/** A session as it was left, with its log as it is stored and the requests that it tells of. */
export interface Conversation {
  readonly session: Session
  /** Its lines, each with its newline; the header first. */
  readonly lines: readonly string[]
  /** In order, those that it inherited included. */
  readonly sent: readonly Sent[]
}

const texts = { notStarted: "n", outcomeUnknown: "u" }

/** A session read from its stored lines, as they stand there. */
export const storedSession = ([header = "", ...rows]: readonly string[]): Session =>
  rightOf(
    restoreSession(
      JSON.parse(header),
      rows.map((row) => JSON.parse(row) as SessionEvent),
      builtInProjections,
    ),
  )

const conversationOf = ({ session, lines, sent }: SimulatedAgent): Conversation => ({
  session,
  lines: [...lines],
  sent: [...sent],
})

const restarted = (agent: SimulatedAgent, lostEvents: number): SimulatedAgent => {
  const kept = Math.max(agent.storedWhole, agent.length - lostEvents)
  const restored = storedSession(agent.lines.slice(0, 1 + kept))
  const again = new SimulatedAgent(agent.world, restored, {
    storedWhole: agent.storedWhole,
    sent: sentWithin(agent.sent, kept),
    before: agent,
  })
  again.commit(rightOf(resumeSession(restored, { timeMs: agent.world.nowMs(), texts })))
  return again
}

const forked = (agent: SimulatedAgent, at: number): SimulatedAgent => {
  const { world, session } = agent
  const inheritedEvents = Math.round((agent.length * at) / 100)
  const draft = { id: world.newId("session"), createdAtMs: world.nowMs() }
  const [child] = rightOf(forkSession(session, { draft, inheritedEvents, texts }))
  return new SimulatedAgent(world, child, {
    storedWhole: child.firstLiveSeq,
    sent: sentWithin(agent.sent, inheritedEvents),
    before: agent,
  })
}

/**
 * Runs a script: an agent that talks to an adapter which answers as the script says.
 *
 * shape   a conversation for each session: the one that the script ends in last. A value of the
 *         script: the same one leads to the same texts
 */
export const converse = (script: readonly Command[]): readonly Conversation[] => {
  const world = new World()
  const draft = { id: "session-0", createdAtMs: world.nowMs() }
  const left: Conversation[] = []
  const session = rightOf(createSession(draft, builtInProjections))
  let agent = new SimulatedAgent(world, session, { storedWhole: 0, sent: [], before: null })
  for (const command of script) {
    switch (command.is) {
      case "turn":
        runTurn(agent, command.steps)
        break
      case "change":
        agent.change(command.change)
        break
      case "compact":
        compact(agent, null, command.retainTokens)
        break
      case "offload":
        offload(agent)
        break
      case "restart":
        agent = restarted(agent, command.lostEvents)
        break
      case "fork": {
        const child = forked(agent, command.at)
        left.push(conversationOf(command.goesOn === "child" ? agent : child))
        if (command.goesOn === "child") agent = child
        break
      }
    }
  }
  return [...left, conversationOf(agent)]
}
