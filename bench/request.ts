import { statSync } from "node:fs"
import type { LoadWatch } from "#shell/bench/foreign-load"
import { interleaved } from "#shell/bench/rounds"
import { foldLog } from "#shell/one-log"
import { request } from "#shell/requests"
import type { BenchLogs } from "./lib/logs.ts"
import { timingLine } from "./surface-fold.ts"

const rounds = 5
const sampleMs = 500

/** How fast the last request of a log is put together, against a fold of the log with its digest. */
export const requestFigure = async ({ logs }: BenchLogs, load: LoadWatch): Promise<number> => {
  const path = logs[0]?.file ?? ""
  const { turn, step, attempt } = await request(path)
  const at = `${turn}.${step}.${attempt}`
  process.stdout.write(`\nrequest ${at} of a log of ${statSync(path).size} bytes\n`)
  load.skip()
  const cases = [
    { name: "refold fold", run: async () => (await foldLog(path)).messageCount },
    {
      name: "refold request",
      run: async () => (await request(path, { at })).messages.length,
    },
  ]
  const timings = await interleaved(cases, { rounds, sampleMs, onRound: () => load.check() })
  for (const timing of timings) process.stdout.write(`${timingLine(timing)}\n`)
  return (timings[0]?.medianMs ?? NaN) / (timings[1]?.medianMs ?? NaN)
}
