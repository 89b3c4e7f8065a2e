import { randomBytes } from "node:crypto"
import { fsyncSync, openSync, rmSync, rmdirSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { errnoOf } from "../../core/fold/source-fault.ts"
import type { Pool } from "../dispatch/pool.ts"
import { makeFolder } from "./make-folder.ts"
import { publish } from "./publish.ts"

/** A file could not be made or get its name. */
export class WriteError extends Error {
  override readonly name = "WriteError"
  readonly file: string
  /** The system's name of the cause, such as EACCES. */
  readonly errno: string

  constructor(file: string, errno: string) {
    super(`cannot write ${file}: ${errno}`)
    this.file = file
    this.errno = errno
  }
}

const writing = <A>(file: string, act: () => A): A => {
  try {
    return act()
  } catch (cause) {
    const errno = errnoOf(cause)
    throw errno === null ? cause : new WriteError(file, errno)
  }
}

/** A file that is being written, under a name for the time being. */
export interface OpenFile {
  readonly descriptor: number
  readonly publish: () => "published" | "exists"
  /** Gives it up; to be called when no task writes to it any more. */
  readonly discard: () => void
}

const removeEmpty = (folder: string): void => {
  try {
    rmdirSync(folder)
  } catch {
    // something was published there, or somebody else put something there
  }
}

/**
 * Files that tasks of a pool write to.
 *
 * shape   a file has its name once it is published, whole and never over another one; what is not
 *         published is gone in the end
 */
export class OutFiles {
  private readonly pool: Pool
  private readonly temporaries: Set<string> = new Set()
  // the outermost folder that was made for a file, and the folder of the file
  private readonly made: Map<string, string> = new Map()

  constructor(pool: Pool) {
    this.pool = pool
  }

  /** Opens a file that is to be published as `file`; a WriteError where that cannot be. */
  open(file: string): OpenFile {
    const path = resolve(file)
    const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`
    const descriptor = writing(file, () => {
      const folder = dirname(path)
      const made = makeFolder(folder)
      if (made !== undefined) this.made.set(folder, made)
      return openSync(temporary, "wx+", 0o600)
    })
    this.temporaries.add(temporary)
    const close = this.pool.own(descriptor)
    return {
      descriptor,
      publish: () =>
        writing(file, () => {
          fsyncSync(descriptor)
          close()
          const end = publish({ file: path, temporary })
          this.temporaries.delete(temporary)
          return end
        }),
      discard: () => {
        close()
        this.temporaries.delete(temporary)
        rmSync(temporary, { force: true })
      },
    }
  }

  /** Removes what was not published, and folders that stayed empty; no task may write any more. */
  discard(): void {
    for (const temporary of this.temporaries) rmSync(temporary, { force: true })
    this.temporaries.clear()
    const folders = new Set<string>()
    for (const [folder, made] of this.made)
      for (let at = folder; at.length >= made.length; at = dirname(at)) folders.add(at)
    for (const folder of [...folders].toSorted((a, b) => b.length - a.length)) removeEmpty(folder)
    this.made.clear()
  }
}
