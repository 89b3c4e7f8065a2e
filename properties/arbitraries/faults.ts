import type { JsonArray, JsonObject, JsonValue } from "#core/data/json"
import type { Choice, SessionBuilder } from "./builder.ts"
import {
  addition,
  assistantData,
  blocks,
  developerData,
  headerData,
  systemData,
  systemText,
  tool,
  toolResultData,
  userData,
  withContent,
} from "./dialect.ts"
import type { Verb } from "./verbs.ts"
import { imageNodes, toolRun } from "./verbs.ts"

/** A way to spoil a row; one that does not apply leaves the row as it was. */
type Spoil = (row: JsonObject, b: SessionBuilder, n: number) => JsonObject

const seqOf = (row: JsonObject): number => row["seq"] as number

const without = (row: JsonObject, key: string): JsonObject => {
  const { [key]: _, ...rest } = row
  return rest
}

const marker = (row: JsonObject): JsonObject | null =>
  typeof row["surfaceOp"] === "object" ? (row["surfaceOp"] as JsonObject) : null

const withMarker = (row: JsonObject, change: (op: JsonObject) => JsonValue): JsonObject => {
  const op = marker(row)
  return op === null ? row : { ...row, surfaceOp: change(op) }
}

const keysOf = (b: SessionBuilder): readonly [string, string] =>
  b.version < 3 ? ["start", "end"] : ["startSeq", "endSeq"]

const sourcesOf = (row: JsonObject): JsonArray => {
  const sources = row["sourceEventSeqs"]
  return Array.isArray(sources) ? (sources as JsonArray) : []
}

const withEnd = (row: JsonObject, b: SessionBuilder, which: number, seq: JsonValue): JsonObject =>
  withMarker(row, (op) => ({ ...op, [keysOf(b)[which % 2] ?? ""]: seq }))

// a seq before the next one that is not on the surface
const absentSeq = (b: SessionBuilder, n: number): number | undefined => {
  const absent = Array.from({ length: b.nextSeq }, (_, seq) => seq).filter(
    (seq) => !b.model.nodes.includes(seq),
  )
  return absent[n % absent.length]
}

const gap: Spoil = (row, _, n) => ({
  ...row,
  seq: Math.max(0, seqOf(row) + ([1, -1, 2, 1_000][n % 4] ?? 1)),
})

const markers: readonly JsonValue[] = ["prepend", "", true, null, [], { op: "replace" }, {}, 0]
const badMarker: Spoil = (row, _, n) => ({ ...row, surfaceOp: markers[n % markers.length] ?? null })

const forgedMarker: Spoil = (row, b, n) =>
  withMarker(row, (op) => {
    const [startKey, endKey] = keysOf(b)
    const start = op[startKey] ?? 0
    const end = op[endKey] ?? 0
    const forged: readonly JsonObject[] = [
      { ...op, why: "more" },
      { ...op, op: "splice" },
      { ...op, [startKey]: -1 },
      { ...op, [endKey]: `${JSON.stringify(end)}` },
      { ...op, [endKey]: 0.5 },
      b.version < 3
        ? { op: "replace", startSeq: start, endSeq: end }
        : { op: "replace", start, end },
      without(op, endKey),
    ]
    return forged[n % forged.length] ?? {}
  })

const dropMarker: Spoil = (row) => without(row, "surfaceOp")
const addMarker: Spoil = (row) => ({ ...row, surfaceOp: "append" })
const dropSources: Spoil = (row) => without(row, "sourceEventSeqs")
const emptySources: Spoil = (row) => ({ ...row, sourceEventSeqs: [] })
const addSources: Spoil = (row, b) => (b.nextSeq > 0 ? { ...row, sourceEventSeqs: [0] } : row)

const misciting: Spoil = (row, b, n) => {
  const sources = sourcesOf(row)
  const numbers = sources.filter((each) => typeof each === "number")
  const some = numbers[0] ?? 0
  const next = b.nextSeq
  const lists: readonly JsonArray[] = [
    sources.slice(1),
    sources.slice(0, -1),
    [...numbers, some, some],
    [...numbers, next],
    [...numbers, next + 7],
    [...numbers, -1],
    [...numbers, 1.5],
    [...numbers, "0"],
  ]
  const pairs: readonly JsonArray[] = [
    [[0, next]],
    [[0, Math.max(0, next - 1)], some],
    [[1, 0]],
    [...sources, [0, 0]],
    [[0, 1, 2]],
    [null],
  ]
  const all = b.isPlain ? lists : [...lists, ...pairs]
  return { ...row, sourceEventSeqs: all[n % all.length] ?? [] }
}

const swapEnds: Spoil = (row, b) =>
  withMarker(row, (op) => {
    const [startKey, endKey] = keysOf(b)
    return { ...op, [startKey]: op[endKey] ?? 0, [endKey]: op[startKey] ?? 0 }
  })

const deadEnd: Spoil = (row, b, n) => {
  const seq = absentSeq(b, n >> 1)
  return seq === undefined ? row : withEnd(row, b, n, seq)
}

const lateEnd: Spoil = (row, b, n) => withEnd(row, b, n, b.nextSeq + ((n >> 1) % 3))

const coverHead: Spoil = (row, b, n) => {
  const to = n % b.model.nodes.length
  return marker(row) === null || b.model.nodes.length === 0
    ? row
    : {
        ...row,
        surfaceOp: b.replacing(0, to, 1).op,
        sourceEventSeqs: b.replacing(0, to, 1).sources,
      }
}

// the same span, by an event of another kind
const otherKind: Spoil = (row, b, n) => {
  const id = `m${b.nextSeq}`
  const kinds: readonly (readonly [string, JsonObject])[] = [
    ["tool/result", toolResultData(b.version, b.place, "cx", blocks(n))],
    ["assistant/message", assistantData(b.version, b.place, id, blocks(n))],
    ["system/message", systemData(b.version, b.place, id, systemText(n))],
  ]
  const [type, data] = kinds[n % kinds.length] ?? ["user/message", {}]
  return { ...row, type, data }
}

const changeTool: Spoil = (row, _, n) => {
  if (row["type"] !== "tool/result") return row
  const data = row["data"] as JsonObject
  const message = data["message"] as JsonObject
  const changed: readonly JsonObject[] = [
    { ...data, step: 99 },
    { ...data, meta: { why: "more" } },
    { ...data, message: { ...message, id: "another" } },
    { ...data, message: { ...message, source: { kind: "tool", callId: "another" } } },
  ]
  return { ...row, data: changed[n % changed.length] ?? data }
}

const spoilMessage: Spoil = (row, _, n) => {
  const data = row["data"] as JsonObject
  const isBare = row["type"] === "user/message"
  const message = (isBare ? data : data["message"]) as JsonObject | undefined
  if (message === undefined) return { ...row, data: [null, [], "text"][n % 3] ?? null }
  const spoilt: readonly JsonObject[] = [
    { ...message, content: null },
    { ...message, role: "robot" },
    { ...message, id: "" },
  ]
  const next = spoilt[n % spoilt.length] ?? message
  return { ...row, data: isBare ? next : { ...data, message: next } }
}

const spoilType: Spoil = (row) => ({ ...row, type: "x/required" })

const spoilTargets: Spoil = (row, b, n) => {
  const targets = (row["data"] as JsonObject)["targets"] as readonly JsonObject[] | undefined
  const [first] = targets ?? []
  if (targets === undefined || first === undefined) return row
  const wrong = b.model.nodes.find((seq) => b.model.kindOf(seq) === "assistant")
  const spoilt: readonly JsonValue[] = [
    [],
    [...targets, first],
    [{ ...first, imageIndexes: [9] }],
    [...targets, { ...first, seq: absentSeq(b, n >> 3) ?? 0 }],
    [{ ...first, imageIndexes: [] }],
    [{ ...first, imageIndexes: [0, 0] }],
    [{ ...first, why: "more" }],
    [{ ...first, seq: wrong ?? b.nextSeq }],
  ]
  return { ...row, data: { targets: spoilt[n % spoilt.length] ?? null } }
}

const spoilBinding: Spoil = (row, b, n) => {
  if (row["type"] !== "developer/message") return row
  const headerSeq = b.headers[n % Math.max(1, b.headers.length)]?.seq
  const spoilt: readonly JsonObject[] = [
    developerData(b.place, "d", [addition("ls")]),
    developerData(b.place, "d", [addition("nowhere")], headerSeq ?? 0),
    developerData(b.place, "d", [addition("ls")], b.nextSeq),
    developerData(b.place, "d", [addition("ls")], absentSeq(b, n >> 3) ?? 0),
    developerData(b.place, "d", [], headerSeq ?? 0),
    developerData(b.place, "d", [addition("ls")], "0"),
  ]
  return { ...row, data: spoilt[n % spoilt.length] ?? null }
}

type RightRow = (b: SessionBuilder, choice: Choice) => JsonObject

const idOf = (b: SessionBuilder): string => `m${b.nextSeq}`

const appended: RightRow = (b, { a }) =>
  b.event("user/message", userData(idOf(b), blocks(a)), { op: "append" })

const answered: RightRow = (b, { a }) => {
  const usage = { inputTokens: 1 + a, outputTokens: 2 }
  const data = assistantData(b.version, b.place, idOf(b), blocks(a), usage)
  return b.event("assistant/message", data, { op: "append" })
}

const replacing: RightRow = (b, choice) => {
  const span = b.span(choice.b, choice.c)
  return span === null
    ? appended(b, choice)
    : b.event("user/message", userData(idOf(b), blocks(choice.a)), b.replacing(...span, choice.c))
}

const noted: RightRow = (b) => b.event("plan/mode", { active: false })

const later: RightRow = (b, { a }) => {
  const isMarked = b.version === 4 && b.nextSeq > 0 && a % 2 === 0
  const extra = isMarked ? { op: "prepend", sources: b.citing([0], a) } : {}
  return b.event("x/later", [null], { ignorable: true, ...extra })
}

const rewritten: RightRow = (b, choice) => {
  if (b.positions(0, ["tool"]).length === 0) toolRun(b, choice)
  const choices = b.positions(choice.a, ["tool"])
  const position = choices[choice.b % choices.length] ?? 0
  const before = b.model.events.get(b.model.nodes[position] ?? -1)?.["data"] as JsonObject
  const data = withContent(b.version, before, blocks(choice.b))
  return b.event("tool/result", data, b.replacing(position, position, 1))
}

const offloading: RightRow = (b, choice) => {
  if (b.version < 3) return replacing(b, choice)
  if (imageNodes(b).length === 0) b.append("user/message", userData(idOf(b), blocks(3)))
  const nodes = imageNodes(b)
  const [seq, images] = nodes[choice.a % nodes.length] ?? [0, 1]
  return b.event("image/offload", { targets: [{ seq, imageIndexes: [images - 1] }] })
}

const prompted: RightRow = (b, choice) => {
  if (!b.hasHead) return replacing(b, choice)
  const data = systemData(b.version, b.place, idOf(b), systemText(choice.a))
  return b.event("system/message", data, b.replacing(0, 0, choice.c))
}

const developed: RightRow = (b, choice) =>
  b.version < 4
    ? replacing(b, choice)
    : b.event("developer/message", developerData(b.place, idOf(b), []), { op: "append" })

interface Fault {
  readonly spoil: Spoil
  readonly of: readonly RightRow[]
  /** What no writer of format 0 could do wrong, or what the public fold does not look at. */
  readonly isLater?: true
}

const faults: readonly Fault[] = [
  { spoil: gap, of: [appended, replacing, noted, later, rewritten] },
  { spoil: badMarker, of: [appended, replacing, answered] },
  { spoil: forgedMarker, of: [replacing, rewritten] },
  { spoil: dropMarker, of: [appended, replacing, answered, developed] },
  { spoil: addMarker, of: [noted, later, offloading] },
  { spoil: dropSources, of: [replacing, rewritten] },
  { spoil: emptySources, of: [appended, answered, replacing, noted] },
  { spoil: addSources, of: [noted, answered, later, offloading] },
  { spoil: misciting, of: [replacing] },
  { spoil: misciting, of: [replacing, rewritten, later] },
  { spoil: swapEnds, of: [replacing] },
  { spoil: swapEnds, of: [replacing] },
  { spoil: deadEnd, of: [replacing] },
  { spoil: deadEnd, of: [replacing, rewritten] },
  { spoil: lateEnd, of: [replacing, rewritten] },
  { spoil: coverHead, of: [replacing, rewritten, prompted] },
  { spoil: otherKind, of: [replacing] },
  { spoil: changeTool, of: [rewritten] },
  { spoil: spoilMessage, of: [appended, replacing, answered, noted, rewritten], isLater: true },
  { spoil: spoilType, of: [appended, later], isLater: true },
  { spoil: spoilTargets, of: [offloading] },
  { spoil: spoilTargets, of: [offloading] },
  { spoil: spoilBinding, of: [developed] },
]

const plainFaults = faults.filter(({ isLater }) => isLater !== true)

/** Offers one row that is wrong, or that at least looks so. */
export const fault: Verb = (b, choice) => {
  const all = b.isPlain ? plainFaults : faults
  const { spoil, of } = all[choice.a % all.length] ?? { spoil: gap, of: [appended] }
  const make = of[Math.floor(choice.a / all.length) % of.length] ?? appended
  b.offer(spoil(make(b, choice), b, choice.c))
}

/** A request header that developer messages cannot be bound to. */
export const brokenHeader: Verb = (b, { a }) => {
  const half = { name: "ls", description: "does ls", parameters: { type: "object" } }
  const tools: readonly (readonly JsonObject[])[] = [
    [tool("ls"), tool("ls")],
    [{ ...half, description: 1 }],
    [{ ...half, parameters: [] }],
    [without(half, "description")],
  ]
  b.headers.push({ seq: b.nextSeq, tools: ["ls"] })
  b.emit("request/header", headerData(b.version, tools[a % tools.length] ?? [], a))
}
