import { randomBytes } from "node:crypto"
import { fsyncSync, mkdirSync, openSync, rmSync } from "node:fs"
import { dirname, resolve } from "node:path"
import type { Pool } from "../dispatch/pool.ts"
import { publish } from "./publish.ts"

/** A file that is being written, under a name for the time being. */
export interface OpenFile {
  readonly descriptor: number
  readonly publish: () => "published" | "exists"
  /** Gives it up; to be called when no task writes to it any more. */
  readonly discard: () => void
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

  constructor(pool: Pool) {
    this.pool = pool
  }

  /** Opens a file that is to be published as `file`; errors of the file system are thrown. */
  open(file: string): OpenFile {
    const path = resolve(file)
    const temporary = `${path}.${randomBytes(6).toString("hex")}.tmp`
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const descriptor = openSync(temporary, "wx+", 0o600)
    this.temporaries.add(temporary)
    const close = this.pool.own(descriptor)
    return {
      descriptor,
      publish: () => {
        fsyncSync(descriptor)
        close()
        this.temporaries.delete(temporary)
        return publish({ file: path, temporary })
      },
      discard: () => {
        close()
        this.temporaries.delete(temporary)
        rmSync(temporary, { force: true })
      },
    }
  }

  /** Removes what was not published; to be called when no task writes any more. */
  discard(): void {
    for (const temporary of this.temporaries) rmSync(temporary, { force: true })
    this.temporaries.clear()
  }
}
