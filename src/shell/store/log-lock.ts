import { randomBytes, randomInt } from "node:crypto"
import { closeSync, openSync, readdirSync, rmSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { setTimeout } from "node:timers/promises"
import type { Either } from "fp-ts/lib/Either.js"
import { left, right } from "fp-ts/lib/Either.js"
import { errnoOf } from "../../core/fold/source-fault.ts"
import type { ProcessName } from "./own-process.ts"
import { isGone, ownProcess } from "./own-process.ts"
import type { StoreRefusal } from "./store-refusal.ts"

/** Keeps other writers of this kind from a log. */
export interface LogLock {
  readonly release: () => void
}

const claim = /^([0-9a-f]{16})-([0-9]+)-([0-9]*)-[0-9a-f]{12}$/

interface Claim extends ProcessName {
  readonly file: string
}

/** Claims of a log that are there, but for one's own. */
const claimsOf = (prefix: string, own: string): readonly Claim[] => {
  const folder = dirname(prefix)
  return readdirSync(folder).flatMap((name) => {
    const match = name.startsWith(basename(prefix))
      ? claim.exec(name.slice(basename(prefix).length))
      : null
    const file = join(folder, name)
    if (match === null || file === own) return []
    const [, machine = "", pid = "", startedAt = ""] = match
    return [{ file, machine, pid: Number(pid), startedAt }]
  })
}

/** A claim of somebody who may be there; claims of the dead are removed, which nobody can miss. */
const otherClaim = (prefix: string, own: string): Claim | null => {
  for (const each of claimsOf(prefix, own)) {
    if (!isGone(each)) return each
    rmSync(each.file, { force: true })
  }
  return null
}

// two that claim at once both give way; they try again at different times
const tries = 6
const longestWaitMs = 25

/**
 * Claims a log for one writer.
 *
 * shape   a claim is a file with a name of its own beside the log, which says whose it is: each
 *         writer first makes its own, and then looks for others. So two never both have the log,
 *         and the claim of a killed process is removed by whoever comes next. Writers of another
 *         kind do not know it
 * errors  log-locked; log-unwritten where no claim can be made
 */
export const lockLog = async (path: string): Promise<Either<StoreRefusal, LogLock>> => {
  const { machine, pid, startedAt } = ownProcess()
  const prefix = `${path}.lock-`
  for (let attempt = 1; ; attempt++) {
    const own = `${prefix}${machine}-${pid}-${startedAt}-${randomBytes(6).toString("hex")}`
    try {
      closeSync(openSync(own, "wx", 0o600))
      const other = otherClaim(prefix, own)
      if (other === null) return right({ release: () => rmSync(own, { force: true }) })
      rmSync(own, { force: true })
      if (attempt === tries) {
        const isHere = other.machine === machine
        return left({ code: "log-locked", path, lock: other.file, pid: other.pid, isHere })
      }
    } catch (cause) {
      const errno = errnoOf(cause)
      if (errno === null) throw cause
      return left({ code: "log-unwritten", path, errno })
    }
    await setTimeout(randomInt(1, longestWaitMs))
  }
}
