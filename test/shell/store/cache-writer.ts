import "libsql"
import type { ProjectionRows } from "#core/projection/checkpoint"
import type { DatabaseFault } from "#shell/store/database"
import { ProjectionCache } from "#shell/store/projection-cache"
import { headerIn } from "../../fixtures/log-in-memory.ts"
import { headerIn as logHeader } from "../../../properties/carriers.ts"

/**
 * A process that uses a cache of checkpoints, for tests that kill it, run two of it, or take its rights.
 *
 * `write FOLDER ID COUNT` stores that many checkpoints, and says `ready` after the first one;
 * `read-only FOLDER ID` opens, reads and writes as somebody who may only read.
 */

const [mode, folder = "", id = "", count = "0"] = process.argv.slice(2)
const header = logHeader(headerIn(4, { id }))

/** A checkpoint of some size, in which everything says the same number. */
const rowsAt = (seq: number): ProjectionRows => ({
  words: { ver: 1, seq, val: { words: Array.from({ length: 5_000 }, () => `word ${seq}`) } },
})

const say = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value)}\n`)

// the one who owns the machine may write everywhere
if (mode === "read-only" && process.getuid?.() === 0) process.setuid?.(65_534)

const faults: DatabaseFault[] = []
const cache = await ProjectionCache.open(folder, (fault) => faults.push(fault))
if (mode === "read-only")
  say({
    faults,
    known: cache.known(header, 0).rows["words"]?.seq,
    refusal: cache.write(header, 0, rowsAt(2), 2),
  })
else
  for (let seq = 0; seq < Number(count); seq++) {
    const refusal = cache.write(header, 0, rowsAt(seq), seq)
    if (refusal !== null) throw new Error(JSON.stringify(refusal))
    if (seq === 0) say("ready")
  }
cache.close()
