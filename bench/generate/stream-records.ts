import { continues, deltaText, isDelta, type DeltaChunk, type TimedChunk } from "./stream-chunks.ts"

/** A run of deltas that share one row or record. */
export type DeltaRun = {
  readonly first: DeltaChunk
  readonly times: number[]
  readonly texts: string[]
}

/** The differences between the times of a run; one fewer than its members. */
export const gapsOf = ({ times }: DeltaRun): readonly number[] => {
  const gaps: number[] = []
  for (let i = 1; i < times.length; i++) gaps.push((times[i] ?? 0) - (times[i - 1] ?? 0))
  return gaps
}

/** Cuts a stream into single chunks and runs of deltas; `breakAfter` may end a run early. */
export const runsOf = (
  chunks: readonly TimedChunk[],
  breakAfter: () => boolean,
): readonly (TimedChunk | DeltaRun)[] => {
  const parts: (TimedChunk | DeltaRun)[] = []
  let run: DeltaRun | undefined
  for (const timed of chunks) {
    const { time, chunk } = timed
    if (!isDelta(chunk)) {
      run = undefined
      parts.push(timed)
      continue
    }
    if (run === undefined || !continues(run.first, chunk)) {
      run = { first: chunk, times: [], texts: [] }
      parts.push(run)
    }
    run.times.push(time)
    run.texts.push(deltaText(chunk))
    if (breakAfter()) run = undefined
  }
  return parts
}

const recordOf = (run: DeltaRun): object => {
  const { first, times, texts } = run
  const time0 = times[0] ?? 0
  const { index } = first
  const dt = gapsOf(run)
  switch (first.type) {
    case "text-delta":
      return { type: "text-chunks", time0, index, dt, texts }
    case "reasoning-delta":
      return { type: "reasoning-chunks", time0, index, dt, texts }
    case "tool-call-delta":
      return {
        type: "tool-call-chunks",
        time0,
        index,
        dt,
        id: first.id,
        name: first.name,
        args: texts,
      }
  }
}

/** The `stream` of an assistant message or attempt, formats 2 and later. */
export const streamRecords = (chunks: readonly TimedChunk[]): readonly object[] =>
  runsOf(chunks, () => false).map((part) =>
    "first" in part ? recordOf(part) : { type: "chunk", time: part.time, chunk: part.chunk },
  )
