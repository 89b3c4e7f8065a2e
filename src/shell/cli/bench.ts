import { procLoad } from "../bench/foreign-load.ts"
import { measureSample } from "../bench/measure-sample.ts"
import { benchText } from "../report/bench-text.ts"
import type { Cli } from "./context.ts"
import { jsonText } from "./json-text.ts"

export interface BenchFlags {
  readonly json: boolean
  readonly size: number
}

export async function runBench(this: Cli, { json, size }: BenchFlags): Promise<void> {
  const { signal } = this
  const record = await measureSample({ byteCount: size, loadSource: procLoad, signal })
  await this.output.write(json ? `${jsonText(this, record)}\n` : benchText(record))
}
