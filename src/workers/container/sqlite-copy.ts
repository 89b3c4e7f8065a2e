import { chmodSync, copyFileSync, mkdtempSync, rmSync, statSync } from "node:fs"
import type { FileIdentity } from "../../core/log/file-identity.ts"
import { isSameFile } from "../../core/log/file-identity.ts"
import type { SourceFault } from "../../core/fold/source-fault.ts"
import { errnoOf, faultOfErrno } from "../../core/fold/source-fault.ts"

/** A database as it was at one moment, in a folder that only this user can enter. */
export interface StoreCopy {
  readonly path: string
  readonly remove: () => void
}

// what was not yet written into the database itself; its shared-memory index is made anew from these
const companions = ["", "-wal", "-journal"] as const

const identityOf = (path: string): FileIdentity | null =>
  statSync(path, { throwIfNoEntry: false }) ?? null

/**
 * Copies a database with what SQLite keeps beside it, so that reading it cannot write to the source:
 * the source's folder stays as it is.
 *
 * errors  `changed-while-reading` where one of the files changed meanwhile, came or went
 * cost    as much space as the database takes, until `remove`
 */
export const copyStore = (path: string, temporaryFolder: string): StoreCopy | SourceFault => {
  let folder: string | null = null
  const remove = (): void => {
    if (folder !== null) rmSync(folder, { recursive: true, force: true })
  }
  try {
    const before = companions.map((ending) => identityOf(path + ending))
    if (before[0] === null) return { code: "not-found", errno: "ENOENT" }
    folder = mkdtempSync(`${temporaryFolder}/refold-`)
    const copy = `${folder}/store.db`
    for (const [i, ending] of companions.entries()) {
      if (before[i] === null) continue
      copyFileSync(path + ending, copy + ending)
      // the copy has the permissions of the source, which may not be written to
      chmodSync(copy + ending, 0o600)
    }
    const isSame = companions.every((ending, i) => {
      const was = before[i] ?? null
      const is = identityOf(path + ending)
      return was === null || is === null ? was === is : isSameFile(was, is)
    })
    if (isSame) return { path: copy, remove }
    remove()
    return { code: "changed-while-reading", errno: null }
  } catch (cause) {
    remove()
    const errno = errnoOf(cause)
    if (errno === null) throw cause
    return faultOfErrno(errno)
  }
}
