import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { isLeft } from "fp-ts/lib/Either.js"
import { formatOfVersion, newestVersion } from "#core/format/catalog"
import type { Format } from "#core/format/format"
import type { SessionEvent } from "#core/log/envelope"
import { envelopeFacts } from "#core/log/envelope"
import type { CompactBreakdown } from "#core/tokens/compact-breakdown-projection"
import { compactBreakdown } from "#core/tokens/compact-breakdown-projection"
import { noBreakdown } from "#core/tokens/breakdown"
import { PositionalDraft } from "#core/tokens/positional-draft"
import type { TokenEvent } from "#core/tokens/token-event"
import { tokenEvent } from "#core/tokens/token-event"
import type { LoadWatch } from "#shell/bench/foreign-load"
import type { Timing } from "#shell/bench/rounds"
import { interleaved, timed, timingOf } from "#shell/bench/rounds"
import { copyingFold } from "./lib/copying-fold.ts"
import { meteredEvents } from "./lib/metered.ts"

const seed = "token-fold"
const percent = 20
const surfaceEvents = 1_000_000
const copiedAppends = 60_000
const compactAt = 500

const format = ((): Format => {
  const newest = formatOfVersion(newestVersion)
  if (newest === null) throw new Error("the newest format is gone")
  return newest
})()

const pricedEvent = (event: SessionEvent): TokenEvent => {
  const facts = envelopeFacts(format, event)
  if (isLeft(facts)) throw new Error(facts.left.code)
  return tokenEvent(facts.right, event.data)
}

/** Reads, prices and folds parsed events, by positions. */
const positional = (events: Iterable<SessionEvent>): PositionalDraft => {
  const draft = new PositionalDraft(format, { nodes: [], breakdown: noBreakdown })
  for (const event of events) {
    const refusal = draft.step(pricedEvent(event))
    if (refusal !== null) throw new Error(refusal.code)
  }
  return draft
}

const noCompact: CompactBreakdown = {
  prompts: [],
  surfaceTokens: 0,
  claim: null,
  view: { ...noBreakdown, unpricedReplacements: 0 },
}

/** The same by prompts, one total and the prices that were said. */
const compact = (events: Iterable<SessionEvent>): CompactBreakdown => {
  let state = noCompact
  for (const event of events) {
    const next = compactBreakdown.apply(state, pricedEvent(event))
    if (isLeft(next)) throw new Error(next.left.code)
    state = next.right
  }
  return state
}

const show = ({ name, minMs, medianMs, maxMs }: Timing): string =>
  `${name.padEnd(34)}${medianMs.toFixed(1).padStart(10)} ms  (${minMs.toFixed(1)}–${maxMs.toFixed(1)})`

const speedText = (what: string, medianMs: number, count: number): string =>
  `${what}: ${((count / medianMs) * 1e-3).toFixed(2)} million surface events a second (at least 1)`

const speed = async (count: number): Promise<readonly string[]> => {
  const options = { surfaceEvents: count, percent, compactAt: Infinity, seed }
  const events = [...meteredEvents(options)]
  const { liveTokens } = positional(events)
  if (compact(events).surfaceTokens !== liveTokens) throw new Error("the two folds differ")
  const timings = await interleaved(
    [
      { name: `by positions, ${count} events`, run: () => void positional(events) },
      { name: `compact, ${count} events`, run: () => void compact(events) },
    ],
    { rounds: 5, sampleMs: 100 },
  )
  const [byPositions, byTotal] = timings
  return [
    ...timings.map(show),
    speedText("by positions", byPositions?.medianMs ?? Infinity, count),
    speedText("compact", byTotal?.medianMs ?? Infinity, count),
  ]
}

const againstCopying = async (count: number): Promise<readonly string[]> => {
  const options = { surfaceEvents: count, percent: 0, compactAt: Infinity, seed }
  const events = [...meteredEvents(options)]
  const priced = events.map(pricedEvent)
  const ours = positional(events)
    .seal()
    .nodes.map(({ seq, heuristicTokens }) => [seq, heuristicTokens])
  const theirs = copyingFold(priced).map(({ seq, tokens }) => [seq, tokens])
  if (JSON.stringify(ours) !== JSON.stringify(theirs)) throw new Error("the two folds differ")
  const own = { name: `by positions, ${count} appends`, run: () => void positional(events) }
  const copying = { name: `copying, ${count} appends`, run: () => void copyingFold(priced) }
  const samples: number[] = []
  for (let i = 0; i < 5; i++) samples.push(await timed(own, 5))
  const [fast, slow] = [
    timingOf(own.name, samples),
    timingOf(copying.name, [await timed(copying, 1)]),
  ]
  const ratio = slow.medianMs / fast.medianMs
  return [
    show(fast),
    show(slow),
    `times faster than a copy an event: ${ratio.toFixed(0)} (at least 100), equal nodes; ours reads and prices too`,
  ]
}

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

const heapBytes = (): number => {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

// events are made on the fly and let go: what stays is the fold
const memory = (count: number): readonly string[] => {
  const kept: string[] = []
  for (const events of [count / 10, count]) {
    const before = heapBytes()
    const draft = positional(meteredEvents({ surfaceEvents: events, percent, compactAt, seed }))
    const bytes = heapBytes() - before
    kept.push(
      `${events} events: ${draft.nodeCount} live nodes, ${(bytes / 1e6).toFixed(2)} MB kept`,
    )
  }
  return [...kept, "memory is to follow the live nodes, not the events"]
}

/** Pricing and folding parsed events in memory, of which a share replaces a node that was priced. */
export const tokenFold = async (
  load: LoadWatch,
  count: number = surfaceEvents,
  appends: number = copiedAppends,
): Promise<void> => {
  console.log(`token fold in memory, ${percent} % priced replacements, seed ${seed}`)
  for (const line of await speed(count)) console.log(line)
  load.check()
  for (const line of await againstCopying(appends)) console.log(line)
  load.check()
  for (const line of memory(count)) console.log(line)
  load.check()
}
