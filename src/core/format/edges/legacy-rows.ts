import type { JsonObject, JsonValue } from "../../data/json.ts"
import { isJsonObject, ownValue } from "../../data/json.ts"
import { checkOf } from "../../log/shape-check.ts"
import {
  any,
  arrayOf,
  exactly,
  nonempty,
  object,
  oneOf,
  positive,
  record,
  safeInt,
} from "../../log/shape.ts"
import { endSeedType } from "../../log/inherited-marker.ts"
import type { NormalRow } from "./legacy-turn-end.ts"
import { normalEnd, normalHeader } from "./legacy-turn-end.ts"

const renamed: ReadonlyMap<string, string> = new Map(
  ["start", "summary", "end", "prune"].map((part) => [`compact/${part}`, `compaction/${part}`]),
)

const triggered = checkOf(exactly({ turn: positive, trigger: object({ kind: nonempty }) }))
const wrappedSteering = checkOf(exactly({ turn: safeInt, message: record }))
const flatSteering = checkOf(exactly({ turn: safeInt, content: arrayOf(any), source: record }))
const flatUser = checkOf(exactly({ content: arrayOf(any), source: record }))
const flatAssistant = checkOf(object({ content: arrayOf(any), provenance: record }))
const flatResult = checkOf(
  object({ callId: nonempty, content: arrayOf(any), isError: oneOf(true, false) }),
)

const lacks = (data: JsonObject, ...keys: readonly string[]): boolean =>
  !keys.some((key) => Object.hasOwn(data, key))

const textOr = (value: JsonValue | undefined, otherwise: string): string =>
  typeof value === "string" ? value : otherwise

/** Gives rows from before the freeze the shape and the identities of format 1, in order. */
export class LegacyRows {
  private readonly sessionId: string
  // a transaction that began without an id, until it ends
  private compactionId: string | null = null
  // the retry ids of the chains of one turn
  private readonly chains = new Map<string, string>()
  // ids of tool results that may still be rewritten, but for those that tell themselves by seq
  private readonly resultIds = new Map<number, string>()

  constructor(sessionId: string) {
    this.sessionId = sessionId
  }

  normal(type: string, data: JsonObject, seq: number, replaced: number | null): NormalRow {
    const name = renamed.get(type) ?? type
    const right = (next: JsonObject, as = name): NormalRow => ({
      type: as,
      data: next,
      fault: null,
    })
    switch (name) {
      case "compaction/start":
        return right(this.startOf(data, seq))
      case "compaction/summary":
        return right(this.inCompaction(data))
      case "compaction/end": {
        const next = right(this.inCompaction(data))
        this.compactionId = null
        return next
      }
      case endSeedType:
        this.compactionId = null
        return right(data)
      case "llm/retry":
        return right(this.retryOf(data, seq))
      case "subagent/descriptor":
        // version 2 differs from the frozen one in nothing but its number
        return right(data["version"] === 2 ? { ...data, version: 3 } : data)
      case "steering/message":
        return this.steering(data, seq)
      case "turn/start":
        this.chains.clear()
        return Object.hasOwn(data, "trigger")
          ? { type: name, data: { turn: data["turn"] ?? null }, fault: triggered.fault(data) }
          : right(data)
      case "turn/end":
        return normalEnd(data)
      case "request/header":
        return normalHeader(data)
      case "user/message":
        return lacks(data, "id", "role", "message")
          ? { ...this.flatUser(data, seq), fault: flatUser.fault(data) }
          : right(this.compactSource(data))
      case "assistant/message":
        return Object.hasOwn(data, "message") ? right(data) : this.flatAssistant(data, seq)
      case "tool/result":
        return this.result(data, seq, replaced)
      default:
        return right(data)
    }
  }

  private idOf(seq: number): string {
    return `legacy-message:${this.sessionId}:${seq}`
  }

  private startOf(data: JsonObject, seq: number): JsonObject {
    if (Object.hasOwn(data, "compactionId")) {
      this.compactionId = null
      return data
    }
    this.compactionId = `legacy-compaction:${this.sessionId}:${seq}`
    return { compactionId: this.compactionId, ...data }
  }

  private inCompaction(data: JsonObject): JsonObject {
    return this.compactionId === null || Object.hasOwn(data, "compactionId")
      ? data
      : { compactionId: this.compactionId, ...data }
  }

  private compactSource(data: JsonObject): JsonObject {
    const source = ownValue(data, "source")
    const isCompact =
      source !== undefined &&
      isJsonObject(source) &&
      ownValue(source, "kind") === "plugin" &&
      ownValue(source, "plugin") === "compact"
    if (!isCompact || this.compactionId === null || Object.hasOwn(source, "compactionId"))
      return data
    return { ...data, source: { ...source, compactionId: this.compactionId } }
  }

  private retryOf(data: JsonObject, seq: number): JsonObject {
    const chain = JSON.stringify([data["turn"], data["step"], data["provider"], data["policyKey"]])
    const own = ownValue(data, "retryId")
    const id = this.chains.get(chain) ?? textOr(own, `legacy-retry:${this.sessionId}:${seq}`)
    this.chains.set(chain, id)
    return own === undefined ? { retryId: id, ...data } : data
  }

  private steering(data: JsonObject, seq: number): NormalRow {
    const type = "user/message"
    const message = ownValue(data, "message")
    if (message !== undefined && isJsonObject(message))
      return { type, data: this.compactSource(message), fault: wrappedSteering.fault(data) }
    const flat = this.flatUser(data, seq)
    return { ...flat, fault: flatSteering.fault(data) }
  }

  private flatUser(data: JsonObject, seq: number): NormalRow {
    const message: JsonObject = {
      id: this.idOf(seq),
      role: "user",
      content: data["content"] ?? null,
      source: data["source"] ?? null,
    }
    return { type: "user/message", data: this.compactSource(message), fault: null }
  }

  private flatAssistant(data: JsonObject, seq: number): NormalRow {
    const { turn, step, content, provenance, ...rest } = data
    const message: JsonObject = {
      id: this.idOf(seq),
      role: "assistant",
      content: content ?? null,
      source: {
        ...(provenance !== undefined && isJsonObject(provenance) ? provenance : {}),
        kind: "model",
      },
    }
    const next = { turn: turn ?? null, step: step ?? null, message, ...rest }
    return { type: "assistant/message", data: next, fault: flatAssistant.fault(data) }
  }

  private result(data: JsonObject, seq: number, replaced: number | null): NormalRow {
    const type = "tool/result"
    const inherited =
      replaced === null ? null : (this.resultIds.get(replaced) ?? this.idOf(replaced))
    if (replaced !== null) this.resultIds.delete(replaced)
    const message = ownValue(data, "message")
    if (message !== undefined) {
      const id = isJsonObject(message) ? ownValue(message, "id") : undefined
      this.remember(seq, textOr(id, ""))
      return { type, data, fault: null }
    }
    const { turn, step, callId, content, isError, ...rest } = data
    const id = inherited ?? this.idOf(seq)
    this.remember(seq, id)
    const block: JsonObject = {
      type: "tool-result",
      toolCallId: callId ?? null,
      content: content ?? null,
      isError: isError ?? null,
    }
    const lifted: JsonObject = {
      id,
      role: "user",
      source: { kind: "tool", callId: callId ?? null },
      content: [block],
    }
    const next = { turn: turn ?? null, step: step ?? null, message: lifted, ...rest }
    return { type, data: next, fault: flatResult.fault(data) }
  }

  private remember(seq: number, id: string): void {
    if (id !== this.idOf(seq)) this.resultIds.set(seq, id)
  }
}
