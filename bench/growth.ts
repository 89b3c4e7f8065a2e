import type { MeasureOptions } from "#shell/bench/measure"
import type { LogCase } from "#shell/bench/cases"
import { casesOf } from "#shell/bench/cases"
import { interleaved } from "#shell/bench/rounds"
import type { PassFigures } from "#workers/task-protocol"
import type { BenchLogs } from "./lib/logs.ts"

const sampleMs = 500

/**
 * How much longer a byte of a long log takes than one of a short log, folded on one thread and on
 * all; the worse of the two.
 */
export const growthOf = async (
  short: BenchLogs,
  long: BenchLogs,
  options: MeasureOptions,
): Promise<number> => {
  const foldsOf = ({ logs }: BenchLogs): readonly LogCase[] =>
    casesOf({ logs, ...options }).filter(({ way }) => way === "fold")
  const shorts = foldsOf(short)
  const timings = await interleaved<PassFigures>([...shorts, ...foldsOf(long)], {
    rounds: options.rounds,
    sampleMs,
    onRound: () => options.load.check(),
  })
  const sizes = (long.expected.byteCount ?? 0) / (short.expected.byteCount ?? 1)
  const factors = shorts.map((_, i) => {
    const longer = timings[i + shorts.length]?.medianMs ?? 0
    return longer / (timings[i]?.medianMs ?? 1) / sizes
  })
  return Math.max(...factors)
}
