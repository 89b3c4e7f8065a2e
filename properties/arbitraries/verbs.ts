import type { JsonObject } from "#core/data/json"
import type { Choice, SessionBuilder } from "./builder.ts"
import {
  addition,
  assistantData,
  blocks,
  developerData,
  headerData,
  removal,
  systemData,
  systemText,
  tool,
  toolNames,
  toolResultData,
  userData,
  withContent,
} from "./dialect.ts"

/** One thing that happens in a session. */
export type Verb = (b: SessionBuilder, choice: Choice) => void

const idOf = (b: SessionBuilder): string => `m${b.nextSeq}`

const user: Verb = (b, { a }) => {
  b.append("user/message", userData(idOf(b), blocks(a)))
}

const chunks: Verb = (b, { a, c }) => {
  b.openStep()
  if (b.version >= 2) {
    const usage = { inputTokens: a, outputTokens: c }
    const stream = [{ type: "chunk", time: 1, chunk: { type: "usage", usage } }]
    b.emit("assistant/attempt", { ...b.place, stream })
    return
  }
  const first = b.nextSeq
  if (b.isPlain || a % 3 === 0) {
    const chunk =
      a % 2 === 0 ? { type: "usage", usage: { inputTokens: a } } : { type: "text-delta" }
    b.emit("assistant/chunk", { ...b.place, chunk })
  } else {
    const texts = ["one", "", "three", "four"].slice(0, 1 + (c % 4))
    const dt = texts.slice(1).map((_, i) => i - 1)
    const rest = { ...b.place, index: 0, dt }
    const row: JsonObject =
      a % 3 === 1
        ? { type: "text-chunks", seq0: first, time0: 1_000 + a, data: { ...rest, texts } }
        : {
            type: "tool-call-chunks",
            seq0: first,
            time0: 1_000 + a,
            data: { ...rest, id: "call", args: texts },
          }
    b.offer(row)
  }
  for (let seq = first; seq < b.nextSeq; seq++) b.chunkSeqs.push(seq)
}

const answer = (b: SessionBuilder, { a, b: n }: Choice): JsonObject => {
  const calls = a % 4 === 3 ? [{ type: "tool-call", id: `c${a}`, name: "ls", arguments: "{}" }] : []
  const usage = n % 3 === 0 ? { inputTokens: n, outputTokens: a, cacheReadTokens: 1 } : undefined
  return assistantData(b.version, b.place, idOf(b), [...blocks(a), ...calls], usage)
}

const assistant: Verb = (b, choice) => {
  b.openStep()
  const { c } = choice
  const hasSources = b.version < 2 && c % 3 > 0
  const sources = c % 3 === 1 ? [] : b.citing(b.chunkSeqs, c)
  b.append("assistant/message", answer(b, choice), hasSources ? sources : undefined)
}

/** A tool call and its result. */
export const toolRun: Verb = (b, { a, c }) => {
  b.openStep()
  const callId = `c${b.nextSeq}`
  const called = b.nextSeq
  b.emit("tool/call", { ...b.place, callId, name: "ls", arguments: "{}" })
  const data = toolResultData(b.version, b.place, callId, blocks(a))
  b.append("tool/result", data, c % 2 === 0 ? [called] : undefined)
}

const notes: readonly (readonly [string, JsonObject])[] = [
  ["todo/write", { todos: [] }],
  ["plan/mode", { active: true }],
  ["session/title", { title: "t", messageSeqs: [0], source: { kind: "user" } }],
  ["hook/invoked", { turn: 1, point: "p", dialect: "codex", handlerId: "h" }],
  ["request/context", { provider: "p", model: "m" }],
  ["session/end-seed", {}],
]

const note: Verb = (b, { a }) => {
  const [type, data] = notes[a % notes.length] ?? ["todo/write", {}]
  b.emit(type, data)
}

// an event of a later reader: whatever it holds, it takes part in nothing
const unknown: Verb = (b, { a, c }) => {
  if (b.isPlain) return note(b, { a, b: 0, c })
  const data = [null, "text", { deep: [1, { "": true }] }, [0]][a % 4] ?? null
  const isMarked = b.version === 4 && c % 2 === 0
  const extra = isMarked ? { op: { op: "reverse", of: a }, sources: b.citing([0], c) } : {}
  b.emit(`x/${a % 3}`, data, { ignorable: true, ...(b.nextSeq > 0 ? extra : {}) })
}

const header: Verb = (b, { a, c }) => {
  const names = toolNames.filter((_, i) => (a >> i) % 2 === 0)
  b.headers.push({ seq: b.nextSeq, tools: names })
  b.emit("request/header", headerData(b.version, names.map(tool), c))
}

const retry: Verb = (b, { a }) => {
  b.openStep()
  const facts = { ...b.place, retryId: `y${a}`, retry: 1 }
  b.emit("llm/retry", { ...facts, provider: "p", mode: "always" })
  if (a % 4 > 0) b.emit("llm/retry-started", facts)
}

const closeStep: Verb = (b) => b.closeStep()
const closeTurn: Verb = (b) => b.closeTurn()

const replace: Verb = (b, { a, b: n, c }) => {
  const span = b.span(a, n)
  if (span === null) return user(b, { a, b: n, c })
  b.emit("user/message", userData(idOf(b), blocks(c)), b.replacing(...span, c))
}

const answerAgain: Verb = (b, choice) => {
  const span = b.version < 2 ? b.span(choice.a, choice.b) : null
  if (span === null) return assistant(b, choice)
  b.openStep()
  b.emit("assistant/message", answer(b, choice), b.replacing(...span, choice.c))
}

const rewriteTool: Verb = (b, { a, b: n, c }) => {
  const choices = b.positions(a, ["tool"])
  const position = choices[(a >> 1) % choices.length]
  if (position === undefined) return toolRun(b, { a, b: n, c })
  const before = b.model.events.get(b.model.nodes[position] ?? -1)?.["data"] as JsonObject
  const data = withContent(b.version, before, blocks(n))
  b.emit("tool/result", data, b.replacing(position, position, c))
}

/** A round of compaction: the older part of the surface becomes one message. */
const compact: Verb = (b, { a, b: n, c }) => {
  const floor = b.hasHead ? 1 : 0
  const { nodes } = b.model
  if (nodes.length <= floor + 1) return
  const to = floor + (a % (nodes.length - floor))
  const shadowedSeqs = nodes.slice(floor, to + 1)
  const shadowedRange = { start: shadowedSeqs[0] ?? 0, end: nodes[to] ?? 0 }
  const compactionId = `k${n}`
  b.emit("compaction/start", { compactionId, turn: null })
  b.emit("compaction/summary", { compactionId, summary: [], shadowedRange, shadowedSeqs })
  b.emit("user/message", userData(idOf(b), blocks(1)), b.replacing(floor, to, c))
  b.emit("compaction/end", { compactionId, turn: null })
}

const system: Verb = (b, { a, b: n, c }) => {
  if (b.version < 3) return header(b, { a, b: n, c })
  const data = (text: number): JsonObject =>
    systemData(b.version, b.place, idOf(b), systemText(text))
  const later = b.positions(a, ["system"], 1)
  const position = later[(a >> 2) % later.length]
  if (a % 4 === 0 && b.hasHead) b.emit("system/message", data(c), b.replacing(0, 0, c))
  else if (a % 4 === 1 && position !== undefined)
    b.emit("system/message", data(n * 3), b.replacing(position, position, c))
  else b.append("system/message", data(c))
}

const developer: Verb = (b, { a, b: n, c }) => {
  if (b.version < 4) return system(b, { a, b: n, c })
  const bound = b.headers[a % Math.max(1, b.headers.length)]
  const name = bound?.tools[n % Math.max(1, bound.tools.length)]
  const isAddition = bound !== undefined && name !== undefined && c % 3 > 0
  const content = isAddition
    ? [addition(name), ...(c % 3 === 1 ? [removal("edit")] : [])]
    : [[], [removal("ls")], [{ type: "text", text: "note" }]][c % 3]
  const data = developerData(b.place, idOf(b), content ?? [], isAddition ? bound.seq : undefined)
  const span = a % 4 === 3 ? b.span(n, c) : null
  b.emit("developer/message", data, span === null ? { op: "append" } : b.replacing(...span, c))
}

const imageCount = (value: unknown): number => {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + imageCount(each), 0)
  if (typeof value !== "object" || value === null) return 0
  const block = value as JsonObject
  return block["type"] === "image" ? 1 : imageCount(block["content"])
}

/** The live nodes with images, and how many each of them has. */
export const imageNodes = (
  b: SessionBuilder,
): readonly (readonly [seq: number, images: number])[] =>
  b.model.nodes.flatMap((seq) => {
    const live = b.model.live(seq)
    const isTarget = live !== null && (live.kind === "user" || live.kind === "tool")
    const images = isTarget ? imageCount(live.message["content"]) : 0
    return images > 0 ? [[seq, images] as const] : []
  })

const offload: Verb = (b, { a, b: n, c }) => {
  const nodes = b.version < 3 ? [] : imageNodes(b)
  if (nodes.length === 0) return user(b, { a: 3 + (a % 2), b: n, c })
  const targets = nodes
    .filter((_, i) => i === a % nodes.length || (n >> i) % 2 === 1)
    .map(([seq, images]) => ({
      seq,
      imageIndexes: Array.from({ length: images }, (_, i) => i).filter(
        (i) => i === c % images || (c >> i) % 2 === 0,
      ),
    }))
  b.emit("image/offload", { targets })
  // once more, so that what was put aside before must be remembered
  const [seq, images] = nodes[a % nodes.length] ?? [0, 0]
  if (n % 3 === 0 && images > 1)
    for (const i of [0, images - 1])
      b.emit("image/offload", { targets: [{ seq, imageIndexes: [i] }] })
}

/** What happens, and how often. */
export const verbs: readonly { readonly verb: Verb; readonly weight: number }[] = [
  { verb: user, weight: 5 },
  { verb: chunks, weight: 3 },
  { verb: assistant, weight: 4 },
  { verb: toolRun, weight: 4 },
  { verb: note, weight: 2 },
  { verb: unknown, weight: 2 },
  { verb: header, weight: 1 },
  { verb: retry, weight: 1 },
  { verb: closeStep, weight: 1 },
  { verb: closeTurn, weight: 1 },
  { verb: replace, weight: 5 },
  { verb: answerAgain, weight: 1 },
  { verb: rewriteTool, weight: 4 },
  { verb: compact, weight: 2 },
  { verb: system, weight: 2 },
  { verb: developer, weight: 2 },
  { verb: offload, weight: 2 },
]
