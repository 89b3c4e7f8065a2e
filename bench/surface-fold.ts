import type { SessionEvent } from "#core/log/envelope"
import type { LoadWatch } from "#shell/bench/foreign-load"
import type { Timing } from "#shell/bench/rounds"
import { interleaved, timed, timingOf } from "#shell/bench/rounds"
import { foldEvents } from "./lib/fold-events.ts"
import { rewrites } from "./lib/rewrites.ts"

const percent = 20
const seed = 1
const sizes = [1_000_000, 2_000_000, 4_000_000]
const growthRounds = 3
const peerEvents = 250_000

type FoldSurface = (events: readonly SessionEvent[]) => { readonly nodes: readonly number[] }

/** The public package's own fold, where it is installed. */
const publicFold = async (): Promise<FoldSurface | null> => {
  try {
    const peer = (await import("@deepseek-ai/dsh-session/surface")) as {
      readonly foldSurface: unknown
    }
    return peer.foldSurface as FoldSurface
  } catch {
    return null
  }
}

/** A timing as one line of a report. */
export const timingLine = ({ name, minMs, medianMs, maxMs }: Timing): string =>
  `${name.padEnd(34)}${medianMs.toFixed(1).padStart(10)} ms  (${minMs.toFixed(1)}–${maxMs.toFixed(1)})`

// one size in memory at a time: with all of them the collector would walk events that the case at
// hand does not have
const growth = async (): Promise<readonly string[]> => {
  const samples = sizes.map((): number[] => [])
  for (let round = 0; round < growthRounds; round++)
    for (const [i, size] of sizes.entries()) {
      const events = rewrites(size, percent, seed)
      const fold = { name: "fold", run: (): void => void foldEvents(events) }
      // the first run also settles the events in memory
      await timed(fold, 1)
      for (let sample = 0; sample < 3; sample++) samples[i]?.push(await timed(fold, 1))
    }
  const timings = sizes.map((size, i) => timingOf(`refold, ${size} events`, samples[i] ?? []))
  const factors = timings.slice(1).map((timing, i) => timing.medianMs / (timings[i]?.medianMs ?? 1))
  return [
    ...timings.map(timingLine),
    `growth per doubling: ${factors.map((factor) => factor.toFixed(2)).join(", ")} (at most 2.5)`,
  ]
}

const againstPublic = async (): Promise<readonly string[]> => {
  const foldSurface = await publicFold()
  if (foldSurface === null) return ["the public package is not installed: no comparison"]
  const events = rewrites(peerEvents, percent, seed)
  const ours = foldEvents(events)
    .nodes()
    .map((node) => node.seq)
  if (JSON.stringify(foldSurface(events).nodes) !== JSON.stringify(ours))
    throw new Error("the two folds differ")
  const timings = await interleaved(
    [
      { name: `refold, ${peerEvents} events`, run: () => void foldEvents(events) },
      { name: `foldSurface, ${peerEvents} events`, run: () => void foldSurface(events) },
    ],
    { rounds: 5, sampleMs: 1000 },
  )
  const [own, peer] = timings
  const ratio = (peer?.medianMs ?? 0) / (own?.medianMs ?? 1)
  return [
    ...timings.map(timingLine),
    `times faster: ${ratio.toFixed(0)} (at least 100), equal nodes`,
  ]
}

/** Folding events in memory, 20 % of them rewrites of one node and nothing compacted. */
export const surfaceFold = async (load: LoadWatch): Promise<void> => {
  console.log(`surface fold in memory, ${percent} % rewrites, no compaction, seed ${seed}`)
  for (const line of await againstPublic()) console.log(line)
  load.check()
  for (const line of await growth()) console.log(line)
  load.check()
}
