import { fstatSync } from "node:fs"
import type { FoundLog } from "./discover.ts"
import type { Spool } from "./spool.ts"
import { spool } from "./spool.ts"

/** The argument that stands for standard input. */
export const standardInput = "-"

const logOf = ({ descriptor }: Spool): FoundLog => ({
  path: standardInput,
  root: standardInput,
  file: standardInput,
  descriptor,
  project: null,
  name: null,
  container: "jsonl",
  byteCount: fstatSync(descriptor).size,
  fault: null,
})

/** Reads standard input to its end and hands it on as a log. */
export const withStandardInput = async <A>(
  input: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  use: (log: FoundLog) => Promise<A>,
): Promise<A> => {
  const spooled = await spool(input, signal)
  try {
    return await use(logOf(spooled))
  } finally {
    spooled.close()
  }
}
