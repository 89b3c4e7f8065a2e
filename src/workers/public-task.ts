import { fstatSync, readFileSync, readSync } from "node:fs"
import { readFully } from "../core/log/read-fully.ts"
import type { LogSource, PassFigures, PublicRequest } from "./task-protocol.ts"

/** What is asked of a row; nothing of it is checked here. */
interface Row {
  readonly type: string
  readonly seq: number
  readonly seq0?: number
  readonly time0?: number
  readonly data: {
    readonly content?: readonly unknown[]
    readonly message?: Message
    readonly texts?: readonly string[]
    readonly args?: readonly string[]
  }
  sourceEventSeqs?: readonly (number | readonly [number, number])[]
}

interface Message {
  readonly content: readonly unknown[]
}

interface SurfaceModule {
  readonly foldSurface: (events: readonly Row[]) => { readonly nodes: readonly number[] }
}

interface PriceModule {
  readonly estimateMessage: (message: Message) => number
}

const newline = 10

const bytesOf = ({ path, descriptor }: LogSource): Buffer => {
  if (descriptor === null) return readFileSync(path)
  const bytes = Buffer.allocUnsafeSlow(fstatSync(descriptor).size)
  readFully((into, wanted, at) => readSync(descriptor, bytes, into, wanted, at), 0, bytes.length, 0)
  return bytes
}

/** The seqs that a row cites, one by one: the public fold knows no pairs. */
const seqsOf = (sources: NonNullable<Row["sourceEventSeqs"]>): readonly number[] => {
  const seqs: number[] = []
  for (const source of sources) {
    if (typeof source === "number") seqs.push(source)
    else for (let seq = source[0]; seq <= source[1]; seq++) seqs.push(seq)
  }
  return seqs
}

// as little as the public fold asks for: its own decoder makes more of a packed row
const addRow = (events: Row[], row: Row): void => {
  if (row.seq0 !== undefined) {
    const members = row.data.texts ?? row.data.args ?? []
    for (let k = 0; k < members.length; k++)
      events.push({ type: "assistant/chunk", seq: row.seq0 + k, data: row.data })
    return
  }
  const { sourceEventSeqs: sources } = row
  if (sources?.some((source) => typeof source !== "number") === true)
    row.sourceEventSeqs = seqsOf(sources)
  events.push(row)
}

const surfaceTypes: ReadonlySet<string> = new Set([
  "user/message",
  "assistant/message",
  "tool/result",
])

const messageOf = (event: Row): Message =>
  event.type === "user/message" ? (event.data as Message) : (event.data.message as Message)

/** Prices of all messages by seq, and what those of the live nodes add up to. */
const tokensOf = (
  events: readonly Row[],
  nodes: readonly number[],
  { estimateMessage }: PriceModule,
): number => {
  const prices = new Map<number, number>()
  for (const event of events)
    if (surfaceTypes.has(event.type)) {
      const message = messageOf(event)
      const price = estimateMessage(message)
      // an answer without content derives no message
      const derives = event.type !== "assistant/message" || message.content.length > 0
      prices.set(event.seq, derives ? price : 0)
    }
  let tokens = 0
  for (const seq of nodes) tokens += prices.get(seq) ?? 0
  return tokens
}

/**
 * Folds and prices logs of format 0 with the public packages of the agent, as one would who has
 * nothing else: whole file, `JSON.parse` per line, `foldSurface`, `estimateMessage`.
 *
 * shape   without a price module nothing is priced
 * errors  those of the packages and of the file system
 */
export default async (request: PublicRequest): Promise<PassFigures> => {
  const { foldSurface } = (await import(request.surfaceModule)) as SurfaceModule
  const pricing =
    request.priceModule === null ? null : ((await import(request.priceModule)) as PriceModule)
  let byteCount = 0
  let lineCount = 0
  let eventCount = 0
  let nodeCount = 0
  let messageTokens = 0
  for (const source of request.sources) {
    const bytes = bytesOf(source)
    const events: Row[] = []
    const body = bytes.indexOf(newline) + 1
    for (let start = body; ;) {
      const end = bytes.indexOf(newline, start)
      if (end < 0) break
      addRow(events, JSON.parse(bytes.toString("utf8", start, end)) as Row)
      lineCount++
      start = end + 1
    }
    const { nodes } = foldSurface(events)
    if (pricing !== null) messageTokens += tokensOf(events, nodes, pricing)
    // the header is a line as well
    lineCount += body > 0 ? 1 : 0
    byteCount += bytes.length
    eventCount += events.length
    nodeCount += nodes.length
  }
  return {
    byteCount,
    lineCount,
    eventCount,
    nodeCount,
    messageTokens: pricing === null ? null : messageTokens,
  }
}
