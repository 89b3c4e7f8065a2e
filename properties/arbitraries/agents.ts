import fc from "fast-check"
import type { Admission } from "#core/request/admission"
import type { Route } from "#core/request/route"
import {
  additionOnly,
  Agent,
  capable,
  fullyCapable,
  plain,
  restored,
  schema,
  userMessage,
} from "../../test/core/request/agent.ts"

/** Routes of every capability. */
export const routes: readonly Route[] = [plain, capable, fullyCapable, additionOnly]

/** Something that an agent does, or that is done to its log. */
export type Command =
  | {
      readonly is: "step"
      readonly prompt: string
      readonly route: Route
      readonly retries: readonly Route[]
      readonly tools: readonly string[]
      readonly declares: boolean
      readonly says: boolean
    }
  | { readonly is: "compact"; readonly from: number; readonly length: number }
  | { readonly is: "resume" }

const steps: fc.Arbitrary<Command> = fc.record({
  is: fc.constant("step" as const),
  prompt: fc.constantFrom("", "A", "B", "C"),
  route: fc.constantFrom(...routes),
  retries: fc.array(fc.constantFrom(...routes), { maxLength: 2 }),
  tools: fc.subarray(["a", "b", "c"]),
  declares: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
  says: fc.boolean(),
})

export const commands: fc.Arbitrary<readonly Command[]> = fc.array(
  fc.oneof(
    { arbitrary: steps, weight: 6 },
    {
      arbitrary: fc.record({
        is: fc.constant("compact" as const),
        from: fc.nat(20),
        length: fc.nat(4),
      }),
      weight: 2,
    },
    { arbitrary: fc.constant({ is: "resume" } as const), weight: 1 },
  ),
  { maxLength: 12 },
)

/** A request, and what it was made for. */
export interface Sent {
  readonly agent: Agent
  readonly admission: Admission
  readonly route: Route
  readonly prompt: string
  readonly tools: readonly string[]
  /** The request before, where nothing came between that starts a series. */
  readonly continues: Admission | null
}

/** Runs an agent through commands, and shows every request. */
export const runAll = (list: readonly Command[], see: (sent: Sent) => void): Agent => {
  let agent = new Agent()
  let latest: { readonly admission: Admission; readonly key: string } | null = null
  let count = 0
  for (const command of list) {
    if (command.is === "resume") {
      const turn = agent.turn
      agent = new Agent(restored(agent.log))
      agent.turn = turn
      latest = null
    } else if (command.is === "compact") {
      const { size } = agent.log.surface
      const from = 1 + (command.from % Math.max(1, size - 1))
      if (from >= size) continue
      agent.compact(from, Math.min(size - 1, from + command.length), `summary ${count++}`)
      latest = null
    } else {
      const accepted = command.says ? [userMessage(`${count++}`)] : []
      agent.open({
        prompt: command.prompt,
        tools: command.tools.map((name) => schema(name)),
        accepted,
        declaresSeries: command.declares,
      })
      let isFirst = true
      for (const route of [command.route, ...command.retries]) {
        const key = JSON.stringify([command.tools, route.config])
        const isContinuing = route.systemPromptUpdate !== null && !(isFirst && command.declares)
        const continues: Admission | null =
          isContinuing && command.prompt !== "" && latest?.key === key ? latest.admission : null
        const admission = agent.send(route)
        const { prompt, tools: toolList } = command
        see({ agent, admission, route, prompt, tools: toolList, continues })
        latest = { admission, key }
        isFirst = false
      }
      agent.answer(`${count++}`)
    }
  }
  return agent
}
