import { procLoad } from "../bench/foreign-load.ts"
import { measureSample } from "../bench/measure-sample.ts"
import { UsageError } from "../border.ts"
import { benchText } from "../report/bench-text.ts"
import type { Cli } from "./context.ts"
import { jsonText } from "./json-text.ts"

export interface BenchFlags {
  readonly json: boolean
  readonly ndjson: boolean
  readonly color: boolean
  readonly size: number
}

export async function runBench(this: Cli, flags: BenchFlags): Promise<void> {
  const { json, ndjson, size } = flags
  if (json && ndjson) throw new UsageError("--json and --ndjson exclude each other")
  const { signal } = this
  const record = await measureSample({ byteCount: size, loadSource: procLoad, signal })
  await this.output.write(json || ndjson ? `${jsonText(this, record)}\n` : benchText(record))
}
