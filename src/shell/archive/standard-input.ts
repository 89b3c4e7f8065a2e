import { fstatSync } from "node:fs"
import type { SourceFault } from "../../core/fold/source-fault.ts"
import { errnoOf } from "../../core/fold/source-fault.ts"
import type { FoundLog } from "./discover.ts"
import type { Spool } from "./spool.ts"
import { spool } from "./spool.ts"

/** The argument that stands for standard input. */
export const standardInput = "-"

const logOf = (spooled: Spool | null, fault: SourceFault | null): FoundLog => ({
  path: standardInput,
  root: standardInput,
  file: standardInput,
  descriptor: spooled?.descriptor ?? null,
  entry: null,
  isDecoded: false,
  project: null,
  name: null,
  container: "jsonl",
  byteCount: spooled === null ? 0 : fstatSync(spooled.descriptor).size,
  fault,
})

// no room or no place for the spool is a fault of this input, and the other logs are still read
const spoolOrFault = async (
  input: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<Spool | SourceFault> => {
  try {
    return await spool(input, signal)
  } catch (cause) {
    signal.throwIfAborted()
    const errno = errnoOf(cause)
    if (errno === null) throw cause
    return { code: "read-failed", errno }
  }
}

/** Reads standard input to its end and hands it on as a log. */
export const withStandardInput = async <A>(
  input: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  use: (log: FoundLog) => Promise<A>,
): Promise<A> => {
  const spooled = await spoolOrFault(input, signal)
  if ("code" in spooled) return await use(logOf(null, spooled))
  try {
    return await use(logOf(spooled, null))
  } finally {
    spooled.close()
  }
}
