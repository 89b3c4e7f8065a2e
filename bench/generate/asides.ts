import type { Agent } from "./agent.ts"
import { sentenceOf } from "./text-source.ts"

type Aside = (agent: Agent) => readonly [type: string, data: object]

const asides: readonly Aside[] = [
  ({ prng }) => ["approval/policy", { policy: prng.pick(["ask", "never"]) }],
  ({ prng }) => ["sandbox/mode", { mode: prng.pick(["read-only", "workspace-write"]) }],
  ({ prng }) => ["permission/preset", { preset: prng.pick(["careful", "workspace"]) }],
  ({ prng }) => ["plan/mode", { active: prng.chance(0.5) }],
  ({ prng }) => [
    "todo/write",
    {
      todos: [
        { content: sentenceOf(prng), status: "completed" },
        { content: sentenceOf(prng), status: "in_progress" },
        { content: sentenceOf(prng), status: "pending" },
      ],
    },
  ],
  ({ prng }) => ["feedback/record", { text: sentenceOf(prng) }],
]

const newerAsides: readonly Aside[] = [
  ({ turn }) => ["workspace/changes", { turn }],
  ({ prng }) => ["approval/policy", { policy: prng.pick(["ask", "never"]), source: "delegation" }],
]

/** One of the many events that are only recorded: settings, notes, lists. */
export const aside = (agent: Agent): void => {
  const { log, prng } = agent
  const [type, data] = prng.pick(log.format < 4 ? asides : [...asides, ...newerAsides])(agent)
  log.event(type, data)
}
