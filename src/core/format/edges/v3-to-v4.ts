import type { JsonArray, JsonObject, JsonValue } from "../../data/json.ts"
import { isJsonArray, isJsonObject, ownValue } from "../../data/json.ts"
import { checkOf } from "../../log/shape-check.ts"
import { arrayOf, count, object } from "../../log/shape.ts"
import { endSeedType, isInheritedMarker } from "../../log/inherited-marker.ts"
import { catalogType, ChildCatalog } from "./child-catalog.ts"
import { producerTag } from "./content-tags.ts"
import { Deliveries, deliveryType } from "./deliveries.ts"
import type { Edge, EdgeRun, Evidence } from "./edge.ts"
import { headerWith } from "./edge-header.ts"
import { EdgeLog } from "./edge-log.ts"
import { InheritedCut } from "./inherited-cut.ts"
import { liftToolResult } from "./lift-tool-result.ts"
import { mapContent, mapMessages, withKey } from "./message-slots.ts"
import { producerMessage } from "./producer-message.ts"
import type { SeqMap } from "./seq-map.ts"
import { oldSeqOf } from "./seq-map.ts"
import type { SourceEvent } from "./source-event.ts"
import { knownFormat } from "./target-writer.ts"
import { interrupted } from "./turns.ts"

const offloadCheck = checkOf(object({ targets: arrayOf(object({ seq: count })) }))

const renameTag = (block: JsonValue): JsonValue =>
  isJsonObject(block) ? withKey(block, "type", producerTag) : block

const hasToolResult = (blocks: JsonArray): boolean =>
  blocks.some((block) => isJsonObject(block) && block["type"] === "tool-result")

/** Names of tools whose definition says something of a later format's business. */
const deferredTools = (data: JsonObject): readonly string[] => {
  const header = ownValue(data, "header")
  const tools = header !== undefined && isJsonObject(header) ? ownValue(header, "tools") : undefined
  return tools === undefined || !isJsonArray(tools)
    ? []
    : tools.flatMap((tool) =>
        isJsonObject(tool) && Object.hasOwn(tool, "deferLoading")
          ? [typeof tool["name"] === "string" ? tool["name"] : ""]
          : [],
      )
}

class V3ToV4 implements EdgeRun {
  private readonly log: EdgeLog
  private readonly evidence: Evidence
  private readonly deliveries: Deliveries
  private readonly inherited: InheritedCut
  private readonly catalog: ChildCatalog
  private lastTimeMs: number

  constructor(log: EdgeLog, evidence: Evidence) {
    this.log = log
    this.evidence = evidence
    this.inherited = new InheritedCut(log)
    this.catalog = new ChildCatalog(log)
    this.lastTimeMs = log.header.createdAtMs
    const rules = {
      own: 3,
      foreign: "malformed",
      future: { generation: 4, as: "unsupported" },
    } as const
    this.deliveries = new Deliveries(rules, log.header, (...cause) => log.refuse(...cause))
  }

  step(row: JsonValue, isSound = true): void {
    const { log } = this
    const type = isJsonObject(row) ? ownValue(row, "type") : undefined
    const isOpaque =
      isJsonObject(row) &&
      typeof type === "string" &&
      !knownFormat(3).kinds.has(type) &&
      ownValue(row, "ignorable") === true
    if (isOpaque) {
      // what nobody knows is read as format 4 reads it, under a name that nobody can have
      const name = `plugin:${type}`
      const event = log.place({ ...row, type: name }, isSound, knownFormat(4))
      log.turns.note(name, {})
      this.lastTimeMs = event.facts.lastTimeMs
      return log.out.keepOpaque(event, name)
    }
    const taken = log.take(row, isSound)
    const { facts, data } = taken
    this.note(facts.type, facts.seq, data)
    const event = this.restarted(taken)
    log.turns.note(facts.type, data)
    this.lastTimeMs = facts.lastTimeMs
    const next = this.next(event)
    if (next === null) log.out.copy({ ...event, isSound: false })
    else log.out.keep(event, facts.type, next)
  }

  end(): SeqMap {
    const { log } = this
    this.inherited.end()
    this.deliveries.end()
    const anchor = log.count === 0 ? null : log.count - 1
    for (const data of this.catalog.missing(this.evidence.children))
      log.out.insert(anchor, { type: catalogType, timeMs: this.lastTimeMs, data })
    return log.out.map.seal()
  }

  sourceSeq(newSeq: number): number | null {
    return oldSeqOf(this.log.out.map, newSeq)
  }

  private note(type: string, seq: number, data: JsonObject): void {
    if (type === catalogType) this.catalog.note(seq, data)
    if (type !== endSeedType || !isInheritedMarker(data)) return
    this.inherited.mark(seq)
    this.deliveries.inherited()
    this.catalog.inherited()
  }

  private restarted(event: SourceEvent): SourceEvent {
    const { turns, out } = this.log
    const { type, seq, timeMs } = event.facts
    const { turn } = turns
    if (type === "turn/start" && turn !== null && turns.before(event.data) === "interrupted")
      out.insert(seq, { type: "turn/end", timeMs, data: interrupted(turn) })
    return event
  }

  /** The payload as format 4 has it; null where a cause was told of the event. */
  private next(event: SourceEvent): JsonObject | null {
    const { log } = this
    if (!event.isSound) return null
    const { type, seq } = event.facts
    let { data } = event
    let isSound = true
    const refuse: EdgeLog["refuse"] = (...cause) => {
      log.refuse(...cause)
      isSound = false
    }
    const misshapen = (path: readonly (string | number)[], expected: string): void =>
      refuse("malformed", seq, { code: "payload-shape", type, fault: { path, expected } })
    if (type === deliveryType && !this.deliveries.take(seq, data)) isSound = false
    if (type === "request/header")
      for (const name of deferredTools(data))
        refuse("unsupported", seq, { code: "deferred-tool", name })
    const targets = type === "image/offload" ? offloadCheck.fault(data) : null
    if (targets !== null) misshapen(targets.path, targets.expected)
    if (type === "tool/result")
      data = mapMessages(type, data, (message) => {
        const lifted = liftToolResult(message)
        if (lifted.fault !== null) misshapen(lifted.fault.path, lifted.fault.expected)
        return lifted.message
      })
    if (!isSound) return null
    data = mapMessages(type, data, (message) => {
      const owned = producerMessage(message)
      if (owned.fault !== null) misshapen(owned.fault.path, owned.fault.expected)
      return owned.message
    })
    let isNested = false
    data = mapContent(type, data, {
      blocks: (blocks) => {
        isNested ||= hasToolResult(blocks)
        return blocks.map(renameTag)
      },
      tag: (tag) => {
        isNested ||= tag === "tool-result"
        return producerTag(tag)
      },
    })
    if (isNested) refuse("unsupported", seq, { code: "nested-tool-result" })
    return isSound ? data : null
  }
}

/** Tool results become messages of their own role; what belongs to a plugin says so. */
export const v3ToV4: Edge = {
  from: 3,
  to: 4,
  header: (header) => headerWith(header, { version: 4 }),
  begin: (header, evidence, outlet) => new V3ToV4(new EdgeLog(header, 3, 4, outlet), evidence),
}
