import type { JsonObject, JsonValue } from "../../data/json.ts"
import { isJsonArray, isJsonObject, ownValue } from "../../data/json.ts"
import { endSeedType, isInheritedMarker } from "../../log/inherited-marker.ts"
import { surfaceKind } from "../surface-kind.ts"
import type { CauseClass, CauseDetail } from "./cause.ts"
import { Deliveries, deliveryType } from "./deliveries.ts"
import type { Edge, EdgeRun, Evidence } from "./edge.ts"
import { headerWith } from "./edge-header.ts"
import { EdgeLog } from "./edge-log.ts"
import { InheritedCut } from "./inherited-cut.ts"
import { mapMessages, messagesOf, withKey } from "./message-slots.ts"
import type { SeqMap } from "./seq-map.ts"
import { oldSeqOf } from "./seq-map.ts"
import type { SourceEvent } from "./source-event.ts"
import { renamedPlugins } from "./source-kinds.ts"
import type { PromptAnchor } from "./system-prompt.ts"
import { promptIdPrefix, promptMessage } from "./system-prompt.ts"
import { auditV2, textAt } from "./v2-audit.ts"

const renamedTypes: ReadonlyMap<string, string> = new Map([
  ["tool/code-dispatch-start", "tool/ptc-dispatch-start"],
  ["tool/code-dispatch", "tool/ptc-dispatch"],
])

// code mode and its preset got another name
const presetOf = (preset: JsonValue): JsonValue => (preset === "code" ? "ptc" : preset)

// the messages whose plugin is renamed; those of tools and models have no plugin
const hasPlugins: ReadonlySet<string> = new Set([
  "user/message",
  "agent/inbox/spliced",
  "session/title-llm-request",
])

const renamePlugin = (source: JsonValue): JsonValue =>
  isJsonObject(source) && ownValue(source, "kind") === "plugin"
    ? withKey(source, "plugin", (plugin) =>
        typeof plugin === "string" ? (renamedPlugins.get(plugin) ?? plugin) : plugin,
      )
    : source

const isEmpty = (value: JsonValue): boolean =>
  isJsonArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0

/** A request header without its prompt, and without what later writers leave out when empty. */
const withoutPrompt = (header: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(header).filter(
      ([key, value]) =>
        key !== "system" && !((key === "tools" || key === "adapterDefaults") && isEmpty(value)),
    ),
  )

class V2ToV3 implements EdgeRun {
  private readonly log: EdgeLog
  private readonly evidence: Evidence
  private readonly deliveries: Deliveries
  private readonly inherited: InheritedCut
  private hasStep = false
  /** Seq of the node that holds the prompt, in the new log; −1 before the first step. */
  private head = -1
  private prompt = ""
  /** Ids that made system messages have, and those of others that begin like one. */
  private readonly madeIds = new Set<string>()
  private readonly likeIds = new Set<string>()

  constructor(log: EdgeLog, evidence: Evidence) {
    this.log = log
    this.evidence = evidence
    this.inherited = new InheritedCut(log)
    const rules = {
      own: 2,
      foreign: "malformed",
      future: { generation: 3, as: "malformed" },
    } as const
    this.deliveries = new Deliveries(rules, log.header, (...cause) => log.refuse(...cause))
  }

  step(row: JsonValue, isSound = true): void {
    const { log } = this
    const taken = log.take(row, isSound)
    const { facts, data } = taken
    const { type, seq } = facts
    if (type === endSeedType && isInheritedMarker(data)) {
      this.inherited.mark(seq)
      this.deliveries.inherited()
    }
    log.turns.note(type, data)
    const event = this.checked(taken)
    if (type === "request/header") this.reach(event)
    if (event.isSound) log.out.keep(event, renamedTypes.get(type) ?? type, this.next(type, data))
    else log.out.copy(event)
    if (type === "step/start" && !this.hasStep) {
      this.hasStep = true
      this.head = this.say({ seq, type }, "", event, "append")
    }
  }

  end(): SeqMap {
    this.inherited.end()
    this.deliveries.end()
    return this.log.out.map.seal()
  }

  sourceSeq(newSeq: number): number | null {
    return oldSeqOf(this.log.out.map, newSeq)
  }

  private next(type: string, data: JsonObject): JsonObject {
    switch (type) {
      case "agent-preset/selected":
        return withKey(data, "agentPreset", presetOf)
      case "request/header":
        return withKey(data, "header", (header) =>
          isJsonObject(header) ? withoutPrompt(header) : header,
        )
      default:
        return hasPlugins.has(type)
          ? mapMessages(type, data, (message) => withKey(message, "source", renamePlugin))
          : data
    }
  }

  private checked(taken: SourceEvent): SourceEvent {
    if (!taken.isSound) return taken
    const { facts, data } = taken
    const { type, seq } = facts
    let isSound: boolean = taken.isSound
    const tell = (of: CauseClass, detail: CauseDetail): void => {
      this.log.refuse(of, seq, detail)
      isSound = false
    }
    if (facts.kind !== surfaceKind.none && !this.hasStep)
      tell("unsupported", { code: "surface-before-step" })
    auditV2(type, data, tell)
    for (const message of messagesOf(type, data)) {
      const id = textAt(message, "id")
      if (!id.startsWith(promptIdPrefix)) continue
      if (this.madeIds.has(id)) tell("unsupported", { code: "message-id-collision", id })
      this.likeIds.add(id)
    }
    if (type === deliveryType && !this.deliveries.take(seq, data)) isSound = false
    return { ...taken, isSound }
  }

  // the prompt moves from the header to the surface
  private reach(event: SourceEvent): void {
    const { log, head } = this
    const { seq, type } = event.facts
    const prompt = textAt(event.data, "header", "system")
    if (prompt === this.prompt) return
    this.prompt = prompt
    if (log.turns.step === null) {
      if (event.isSound) log.refuse("unsupported", seq, { code: "prompt-outside-step" })
    } else
      this.head = this.say({ seq, type: type as PromptAnchor["type"] }, prompt, event, {
        op: "replace",
        startSeq: head,
        endSeq: head,
      })
  }

  private say(anchor: PromptAnchor, prompt: string, event: SourceEvent, op: JsonValue): number {
    const { log, evidence } = this
    const { turn = null, step = null } = log.turns.step ?? {}
    const message = promptMessage(log.header.id, anchor, prompt, evidence.sha256)
    const id = textAt(message, "id")
    const isTaken = this.likeIds.has(id)
    if (isTaken) log.refuse("unsupported", anchor.seq, { code: "message-id-collision", id })
    this.madeIds.add(id)
    return log.out.insert(
      anchor.seq,
      {
        type: "system/message",
        timeMs: event.facts.timeMs,
        data: { turn, step, message },
        ...(op === "append" ? {} : { sources: [this.head] }),
        surfaceOp: op,
      },
      event.isSound && !isTaken,
    )
  }
}

/** The system prompt becomes a message at the head of the surface; code mode gets its later name. */
export const v2ToV3: Edge = {
  from: 2,
  to: 3,
  header: (header) => {
    const agentPreset = ownValue(header, "agentPreset")
    return headerWith(header, {
      version: 3,
      ...(agentPreset === undefined ? {} : { agentPreset: presetOf(agentPreset) }),
    })
  },
  begin: (header, evidence, outlet) => new V2ToV3(new EdgeLog(header, 2, 3, outlet), evidence),
}
