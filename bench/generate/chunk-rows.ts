import type { Prng } from "./prng.ts"
import type { SessionLog } from "./session-log.ts"
import type { StreamChunk, TimedChunk } from "./stream-chunks.ts"
import { gapsOf, runsOf, type DeltaRun } from "./stream-records.ts"

// Shorter runs stay single events; runs end with the write batch they came in.
const shortestRun = 3
const batchEnds = 0.12

const packedRow = (seq0: number, turn: number, step: number, run: DeltaRun): string => {
  const { first, times, texts } = run
  const { index } = first
  const dt = gapsOf(run)
  const tag = first.type.replace("-delta", "-chunks")
  const data =
    first.type === "tool-call-delta"
      ? { turn, step, index, id: first.id, name: first.name, dt, args: texts }
      : { turn, step, index, dt, texts }
  return `{"type":"${tag}","seq0":${seq0},"time0":${times[0] ?? 0},"data":${JSON.stringify(data)}}`
}

const memberOf = (run: DeltaRun, k: number): StreamChunk => {
  const { first, texts } = run
  const text = texts[k] ?? ""
  return first.type === "tool-call-delta"
    ? { ...first, argumentsDelta: text }
    : { type: first.type, index: first.index, text }
}

/**
 * Writes a stream as chunk events and packed rows, formats 0 and 1.
 *
 * shape   the seqs of the chunks come back, in order; `between` may write other events into a gap
 */
export const writeChunkRows = (
  log: SessionLog,
  prng: Prng,
  turn: number,
  step: number,
  chunks: readonly TimedChunk[],
  between?: () => void,
): readonly number[] => {
  const seqs: number[] = []
  const single = (time: number, chunk: StreamChunk): void => {
    seqs.push(log.event("assistant/chunk", { turn, step, chunk }, { time }))
  }
  for (const part of runsOf(chunks, () => prng.chance(batchEnds))) {
    if (!("first" in part)) {
      single(part.time, part.chunk)
      if (part.chunk.type === "block-end") between?.()
      continue
    }
    const count = part.texts.length
    if (count < shortestRun) {
      for (let k = 0; k < count; k++) single(part.times[k] ?? 0, memberOf(part, k))
      continue
    }
    const seq0 = log.row(packedRow(log.nextSeq, turn, step, part), count)
    for (let k = 0; k < count; k++) seqs.push(seq0 + k)
    log.clock = part.times[count - 1] ?? log.clock
  }
  return seqs
}
