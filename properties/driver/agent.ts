import type { Either } from "fp-ts/lib/Either.js"
import type { JsonObject } from "#core/data/json"
import type { SessionEvent } from "#core/log/envelope"
import type { Message } from "#core/messages/event-message"
import { builtInLayers } from "#core/prompt/built-ins"
import type { Contribution } from "#core/prompt/contribution"
import type { PromptLayers, Registration } from "#core/prompt/layers"
import { contribute, withdraw } from "#core/prompt/layers"
import type { RuntimeContextState } from "#core/prompt/runtime-context"
import { restoreRuntimeContext, stepRuntimeContext } from "#core/prompt/runtime-context"
import type { ToolOrder } from "#core/prompt/tool-order"
import { toolOrderOf } from "#core/prompt/tool-order"
import type { AgentMemory } from "#core/request/admission"
import { memoryOf } from "#core/request/admission"
import type { RequestConfig } from "#core/request/header"
import type { EventDraft } from "#core/request/request-log"
import { eventIn } from "#core/request/request-log"
import type { RouteRefusal } from "#core/request/refusal"
import type { Route } from "#core/request/route"
import { proposedConfig, routeOf } from "#core/request/route"
import { appendEvents } from "#core/session/append"
import type { Session, SessionStep } from "#core/session/session"
import { rightOf } from "../../test/core/surface/events.ts"
import type { Sent } from "./mock-adapter.ts"
import type { Model } from "./models.ts"
import { models } from "./models.ts"
import { switched } from "./payloads.ts"
import type { Change } from "./script.ts"

/** Time and identities, which everything in one conversation takes from the same place. */
export class World {
  private count = 0

  /** A new time, later than all before. */
  nowMs(): number {
    return 1_000 + 10 * this.count++
  }

  newId(kind: string): string {
    return `${kind}-${this.count++}`
  }
}

/** Input that waits, by what it waits for. */
export type InboxTarget = "next-turn" | "next-step"

/** The layers of a new agent; who assembles says which model it is for. */
const firstLayers = (): PromptLayers =>
  rightOf(
    contribute(builtInLayers(), null, {
      is: "variable",
      name: "model",
      provider: ({ model }) => model as string,
    }),
  )[0]

const lineOf = (row: JsonObject): string => `${JSON.stringify(row)}\n`

const contributionOf = (
  change: Exclude<Change, { is: "model" | "order" }>,
  text: string,
): Contribution => {
  const { name } = change
  if (change.is !== "tool") return { is: change.is, definition: { name, order: 1, text } }
  const schema = { name, description: text, parameters: { type: "object" } }
  return { is: "tools", provider: () => ({ schemas: [schema] }) }
}

/** What an agent has of those that were there before it. */
interface Beginning {
  /** Events that are stored for good: a log appears whole with what it was forked with. */
  readonly storedWhole: number
  /** The requests that its log tells of. */
  readonly sent: readonly Sent[]
  /** Whose contributions and model it goes on with; null for the first one. */
  readonly before: SimulatedAgent | null
}

/**
 * An agent as one process runs it: a session that grows, and what the process remembers beside it.
 *
 * shape   `lines` are the stored log: the header, and each event as it was handed out to be written
 */
export class SimulatedAgent {
  readonly world: World
  readonly lines: string[]
  session: Session
  memory: AgentMemory
  context: RuntimeContextState
  layers: PromptLayers
  order: ToolOrder | null
  /** The requests that the log tells of, inherited ones included. */
  sent: Sent[]
  readonly storedWhole: number
  private readonly registrations: Map<string, Registration>
  private readonly inbox: Record<InboxTarget, Message[]> = { "next-turn": [], "next-step": [] }
  private model: Model
  private announces: string | null = null

  /** A process that goes on with a session; of one before it, it has what the owner set. */
  constructor(world: World, session: Session, { storedWhole, sent, before }: Beginning) {
    const { log } = session
    this.world = world
    this.storedWhole = storedWhole
    this.session = session
    this.sent = [...sent]
    this.lines = [lineOf(session.headerRow)]
    this.memory = memoryOf(log)
    this.context = restoreRuntimeContext(log.surface, (seq) => eventIn(log, seq))
    this.layers = before?.layers ?? firstLayers()
    this.order = before?.order ?? null
    this.registrations = new Map(before?.registrations)
    this.model = before?.model ?? (models[0] as Model)
    for (let seq = 0; seq < log.surface.nextSeq; seq++) this.store(eventIn(log, seq))
  }

  private store(event: SessionEvent): void {
    this.lines.push(lineOf(event))
    if (event.type !== "agent/inbox/spliced") return
    const { target, start, removedCount, inserted } = event.data as JsonObject
    this.inbox[target as InboxTarget].splice(
      start as number,
      (removedCount ?? 0) as number,
      ...(inserted as readonly Message[]),
    )
  }

  /** Takes what happened to the session; its events are written and seen in this order. */
  commit([session, events]: SessionStep): void {
    this.session = session
    for (const event of events) {
      this.store(event)
      this.context = stepRuntimeContext(this.context, event)
    }
  }

  /** Appends events at one time; the seq of the first one. */
  append(...drafts: readonly EventDraft[]): number {
    const seq = this.length
    this.commit(rightOf(appendEvents(this.session, drafts, this.world.nowMs())))
    return seq
  }

  /** Appends events that were planned for this place. */
  appendPlanned(events: readonly SessionEvent[]): void {
    this.append(...events.map(({ seq: _seq, time: _time, ...draft }) => draft as EventDraft))
  }

  /** Events so far. */
  get length(): number {
    return this.session.log.surface.nextSeq
  }

  change(change: Change): void {
    if (change.is === "model") {
      const next = models[change.model] ?? this.model
      if (next !== this.model) this.announces = next.asked.model
      this.model = next
      return
    }
    if (change.is === "order") {
      this.order = change.names === null ? null : rightOf(toolOrderOf(change.names))
      return
    }
    const key = `${change.is} ${change.name}`
    const registered = this.registrations.get(key)
    if (registered !== undefined) this.layers = withdraw(this.layers, registered)
    this.registrations.delete(key)
    if (change.text === null) return
    const [layers, registration] = rightOf(
      contribute(this.layers, null, contributionOf(change, change.text)),
    )
    this.layers = layers
    this.registrations.set(key, registration)
  }

  /** The notice of a switch that its model was not told of yet; it is told once. */
  takeNotice(): readonly Message[] {
    const { announces } = this
    this.announces = null
    return announces === null ? [] : [switched(this.world.newId("user"), announces)]
  }

  /** The route of an attempt that is made now. */
  route(): Either<RouteRefusal, Route> {
    const { asked, served } = this.model
    const { provider, model } = asked
    const { header } = this.session.log
    const proposed = proposedConfig(header, this.memory.hasLoggedHeader, { provider, model })
    const isSame = proposed.provider === provider && proposed.model === model
    const config: RequestConfig = isSame ? { ...asked, ...proposed } : asked
    return routeOf(config, served)
  }

  /** Logs that input came, before anything is done with it. */
  receive(target: InboxTarget, message: Message): void {
    const start = this.inbox[target].length
    this.append({ type: "agent/inbox/spliced", data: { target, start, inserted: [message] } })
  }

  /** Takes the input that waits for a step, and logs that it did. */
  claim(isFirst: boolean): readonly Message[] {
    const step = this.take("next-step", this.inbox["next-step"].length)
    return isFirst ? [...step, ...this.take("next-turn", 1)] : step
  }

  private take(target: InboxTarget, count: number): readonly Message[] {
    const taken = this.inbox[target].slice(0, count)
    if (taken.length > 0)
      this.append({
        type: "agent/inbox/spliced",
        data: { target, start: 0, removedCount: taken.length, inserted: [] },
      })
    return taken
  }

  get waiting(): number {
    return this.inbox["next-step"].length
  }

  /** The model that is asked now. */
  get asked(): RequestConfig {
    return this.model.asked
  }

  /** Says how the latest request ended: with the event that comes next. */
  settle(): void {
    const latest = this.sent.pop()
    if (latest !== undefined) this.sent.push({ ...latest, settledSeq: this.length })
  }

  /** The number of the turn that begins next. */
  nextTurn(): number {
    const { events } = this.session.log
    for (let seq = this.length - 1; seq >= 0; seq--) {
      const event = events[seq]
      if (event?.type === "turn/start") return 1 + ((event.data as JsonObject)["turn"] as number)
    }
    return 1
  }
}
