import { Presets, SingleBar } from "cli-progress"

/** Shows how far a long command is. */
export interface Progress {
  readonly start: (total: number) => void
  readonly step: () => void
  readonly stop: () => void
}

const silent: Progress = { start: () => {}, step: () => {}, stop: () => {} }

/** A bar on standard error, on a terminal alone. */
export const progressBar = (isTerminal: boolean): Progress => {
  if (!isTerminal) return silent
  const bar = new SingleBar(
    {
      format: "{bar} {value}/{total} sessions",
      stream: process.stderr,
      clearOnComplete: true,
      hideCursor: true,
    },
    Presets.shades_classic,
  )
  return {
    start: (total) => bar.start(total, 0),
    step: () => bar.increment(),
    stop: () => bar.stop(),
  }
}
