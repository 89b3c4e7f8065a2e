import type { ContainerFault } from "../../core/fold/container-fault.ts"
import type { SurfaceTexts } from "../../core/fold/surface-texts.ts"
import { surfaceParts } from "../../core/fold/surface-texts.ts"
import type { TokenizedSurface } from "../../core/tokens/tokenizer.ts"
import { addTokenized } from "../../core/tokens/tokenizer.ts"
import type { LogSource } from "../../workers/task-protocol.ts"
import type { TokenizerSource } from "../../workers/tokenizer/tokenizer-source.ts"
import type { LineSource } from "../archive/line-source.ts"
import { ordered } from "./ordered.ts"
import type { Pool } from "./pool.ts"

/** Bytes of lines that keep a worker busy for about a second. */
const bytesPerPart = 4 * 1024 * 1024

// one to work on and one to go on with
const partsPerWorker = 2

/**
 * Counts the texts of a surface in all workers.
 *
 * shape   the same for any number of workers and any parts
 * errors  a fault for a file that is not what it was when it was opened
 */
export const countRanges = async (
  pool: Pool,
  { source, lines }: { readonly source: LogSource; readonly lines: LineSource },
  texts: SurfaceTexts,
  tokenizer: TokenizerSource,
  signal: AbortSignal,
  partBytes: number = bytesPerPart,
): Promise<TokenizedSurface | ContainerFault> => {
  const { identity } = lines
  const parts = surfaceParts(texts, partBytes)
  let total: TokenizedSurface | null = null
  for await (const reply of ordered(parts, pool.workers * partsPerWorker, (part) =>
    pool.run("tokens-task", { source, identity, texts: part, tokenizer }, signal),
  )) {
    if (reply.is === "fault") return reply.fault
    total = total === null ? reply.tokenized : addTokenized(total, reply.tokenized)
  }
  return total ?? { code: "internal-failure", errno: null }
}
