import fc from "fast-check"
import type { JsonArray, JsonObject, JsonValue } from "#core/data/json"
import type { FormatVersion } from "#core/format/format"
import type { Choice } from "./builder.ts"
import { SessionBuilder } from "./builder.ts"
import {
  image,
  sessionHeader,
  systemData,
  tool,
  toolNames,
  toolResultData,
  userData,
  withContent,
} from "./dialect.ts"
import type { Verb } from "./verbs.ts"
import { imageNodes } from "./verbs.ts"

/** A session whose every payload is whole, so that nothing stands against its migration. */
export interface Migratable {
  readonly version: FormatVersion
  readonly header: JsonObject
  readonly rows: readonly JsonObject[]
}

const words = ["list the files", "ä€𝄞", "", "\ud83d", "a\nb"]
const text = (n: number): JsonObject => ({ type: "text", text: words[n % words.length] ?? "" })

const content = (b: SessionBuilder, n: number): JsonArray => {
  const own: JsonArray = b.version === 3 ? [{ type: "plugin-block", value: n }] : []
  return [[], [text(n)], [text(n), image(n % 6)], [image(n % 6), ...own]][n % 4] ?? []
}

const sources: readonly JsonObject[] = [
  { kind: "user" },
  { kind: "user", rpcId: "r1" },
  { kind: "plugin", plugin: "tools-code-mode" },
  { kind: "plugin", plugin: "somebody" },
  { kind: "plugin", plugin: "@deepseek-ai/dsh-system-prompt", form: "snapshot", sections: [] },
  { kind: "skill-invocation", name: "s", form: "instructions" },
  { kind: "goal", goalId: "g", revision: 1, round: 2 },
]

// all ways to cite but the one that cites others too: they might be chunks, which go away
const shadowStyle = (n: number): number => (n % 6 === 3 ? 4 : n)

const message = (b: SessionBuilder, n: number): JsonObject => ({
  ...userData(`m${b.nextSeq}`, content(b, n)),
  source: sources[n % sources.length] ?? {},
})

const user: Verb = (b, { a }) => {
  b.append("user/message", message(b, a))
}

const answerContent = (n: number): JsonArray =>
  n % 3 === 0 ? [] : [{ type: "reasoning", text: "hm" }, text(n)]

const answer = (b: SessionBuilder, n: number): JsonObject => ({
  ...b.place,
  message: {
    id: `m${b.nextSeq}`,
    role: "assistant",
    content: answerContent(n),
    source: { kind: "model", provider: "p", model: "m" },
  },
})

const chunk = (b: SessionBuilder, value: JsonObject): void => {
  b.emit("assistant/chunk", { ...b.place, chunk: value })
}

const run = (b: SessionBuilder, members: number, rest: JsonObject): JsonObject => ({
  seq0: b.nextSeq,
  time0: 5,
  data: { ...b.place, index: 0, dt: Array.from({ length: members - 1 }, () => 0), ...rest },
})

// a whole stream, to its finish; the seqs of its chunks
const stream = (b: SessionBuilder, n: number): JsonArray => {
  const first = b.nextSeq
  chunk(b, { type: "block-start", index: 0, blockType: "text" })
  if (n % 2 === 0) chunk(b, { type: "text-delta", index: 0, text: words[n % words.length] ?? "" })
  if (n % 3 > 0)
    b.offer({
      type: "text-chunks",
      ...run(b, 1 + (n % 4), { texts: ["a", "", "b", "c"].slice(0, 1 + (n % 4)) }),
    })
  if (n % 5 > 2)
    b.offer({
      type: "tool-call-chunks",
      ...run(b, 2, { id: "c", ...(n % 2 === 0 ? { name: "" } : {}), args: ["{", "}"] }),
    })
  chunk(b, { type: "finish", reason: { kind: "stop" } })
  return Array.from({ length: b.nextSeq - first }, (_, i) => first + i)
}

const attempt: Verb = (b, { a }) => {
  b.openStep()
  if (b.version < 2) stream(b, a)
  else b.emit("assistant/attempt", { ...b.place, stream: [] })
}

const assistant: Verb = (b, { a, b: n, c }) => {
  b.openStep()
  if (b.version >= 2) {
    const records = [
      { type: "chunk", time: 1, chunk: { type: "block-end", index: 0, block: text(a) } },
    ]
    b.append("assistant/message", { ...answer(b, a), stream: records })
    return
  }
  const cited = c % 4 === 0 ? [] : stream(b, a)
  // what comes between the last chunk and the message waits for its place
  if (n % 3 === 0) b.emit("todo/write", { todos: [] })
  if (n % 5 === 0) user(b, { a: n, b: a, c })
  b.append(
    "assistant/message",
    answer(b, a),
    b.citing(cited as readonly number[], c % 2 === 0 ? 1 : 4),
  )
}

const toolRun: Verb = (b, { a, c }) => {
  b.openStep()
  const callId = `c${b.nextSeq}`
  const called = b.nextSeq
  b.emit("tool/call", { ...b.place, callId, name: "ls", arguments: "{}" })
  const data = toolResultData(b.version, b.place, callId, content(b, a))
  b.append("tool/result", data, c % 2 === 0 ? [called] : undefined)
}

const rewriteTool: Verb = (b, choice) => {
  const position = b.positions(choice.a, ["tool"])[0]
  if (position === undefined) return toolRun(b, choice)
  const before = b.model.events.get(b.model.nodes[position] ?? -1)?.["data"] as JsonObject
  const data = withContent(b.version, before, content(b, choice.b))
  b.emit("tool/result", data, b.replacing(position, position, shadowStyle(choice.c)))
}

const header: Verb = (b, { a, c }) => {
  b.openStep()
  const tools: JsonValue[] = toolNames.filter((_, i) => (a >> i) % 2 === 0).map(tool)
  const prompt = b.version < 3 && c % 3 > 0 ? { system: words[c % words.length] ?? "" } : {}
  const listed = tools.length > 0 || b.version < 3 ? { tools } : {}
  const config = { provider: "p", model: "m" }
  b.emit("request/header", { header: { config, ...prompt, ...listed }, reason: "change" })
}

const compact: Verb = (b, { a, b: n, c }) => {
  const floor = b.hasHead ? 1 : 0
  const { nodes } = b.model
  if (nodes.length <= floor + 1) return
  const to = floor + (a % (nodes.length - floor))
  const shadowedSeqs = nodes.slice(floor, to + 1)
  const compactionId = `k${b.nextSeq}`
  const command = b.nextSeq
  b.emit("command/run", { commandId: compactionId, name: "compact", source: { kind: "user" } })
  b.emit("compaction/start", { compactionId, turn: null })
  b.emit("compaction/summary", {
    compactionId,
    summary: [text(n)],
    shadowedRange: { start: shadowedSeqs[0] ?? 0, end: nodes[to] ?? 0 },
    shadowedSeqs,
    shadowedTokenCount: 1,
    provider: "p",
    model: "m",
  })
  const source = { kind: "plugin", plugin: "compact", compactionId }
  b.emit("user/message", { ...message(b, 1), source }, b.replacing(floor, to, shadowStyle(c)))
  b.emit("compaction/end", { compactionId, turn: null })
  b.emit("command/done", { commandId: compactionId, kind: "success", sourceEventSeq: command + 2 })
}

const replace: Verb = (b, { a, b: n, c }) => {
  const span = b.span(a, n)
  if (span === null) return user(b, { a, b: n, c })
  b.emit("user/message", message(b, c), b.replacing(...span, shadowStyle(c)))
}

const title: Verb = (b, { a }) => {
  const cited = b.model.nodes.filter((seq) => b.model.kindOf(seq) === "user")
  const messageSeqs = cited.slice(0, a % 3)
  b.emit("session/title", { title: "t", messageSeqs, source: { kind: "fallback" } })
}

// a process that ended between two steps, with the next turn queued
const restart: Verb = (b, { a }) => {
  b.openStep()
  b.closeStep()
  b.emit("agent/inbox/spliced", { target: "next-turn", start: 0, inserted: [message(b, a)] })
  b.turn++
  b.step = 0
  b.emit("turn/start", { turn: b.turn })
}

const note: Verb = (b, { a }) => {
  if (b.version === 3 && a % 2 === 0) b.emit("x/note", [a], { ignorable: true })
  else b.emit("agent-preset/selected", { agentPreset: a % 3 === 0 ? "code" : "other" })
}

const offload: Verb = (b, { a }) => {
  const nodes = b.version < 3 ? [] : imageNodes(b)
  const [seq] = nodes[a % nodes.length] ?? [-1]
  if (seq >= 0) b.emit("image/offload", { targets: [{ seq, imageIndexes: [0] }] })
}

const verbs: readonly Verb[] = [
  user,
  user,
  attempt,
  assistant,
  assistant,
  toolRun,
  rewriteTool,
  header,
  compact,
  replace,
  replace,
  title,
  restart,
  note,
  offload,
  (b) => b.closeStep(),
  (b) => b.closeTurn(),
]

interface Command extends Choice {
  readonly verb: Verb
}

const play = (
  version: FormatVersion,
  cutAfter: number | null,
  commands: readonly Command[],
): Migratable => {
  const b = new SessionBuilder({ version, isPlain: false })
  b.openStep()
  const prompt = { kind: "plugin", plugin: "@deepseek-ai/dsh-system-prompt" }
  if (version === 3) {
    const data = systemData(version, b.place, "head", [text(0)])
    const head = { ...(data["message"] as JsonObject), source: prompt }
    b.append("system/message", { ...data, message: head })
  }
  for (const [i, { verb, ...choice }] of commands.entries()) {
    if (i === cutAfter) {
      b.cut = b.nextSeq
      if (version >= 2) b.emit("session/end-seed", { inherited: true })
      else if (i % 2 === 0) b.emit("session/end-seed", {})
    }
    verb(b, choice)
  }
  // each event gets a time of its own, so that it can be found again
  const rows = b.offers.map(({ row }, i) =>
    Object.hasOwn(row, "seq0") ? { ...row, time0: 10 * i } : { ...row, time: 10 * i },
  )
  return { version, header: sessionHeader(version, b.cut), rows }
}

const choice = fc.nat({ max: 9_999 })

/** Sessions of formats 0 to 3 that migrate to format 4. */
export const migratableSessions = (maxLength = 25): fc.Arbitrary<Migratable> =>
  fc
    .record({
      version: fc.constantFrom<FormatVersion>(0, 1, 2, 3),
      cutAfter: fc.option(fc.nat({ max: maxLength }), { freq: 2 }),
      commands: fc.array(
        fc.record({ verb: fc.constantFrom(...verbs), a: choice, b: choice, c: choice }),
        { maxLength, size: "max" },
      ),
    })
    .map(({ version, cutAfter, commands }) => play(version, cutAfter, commands))
