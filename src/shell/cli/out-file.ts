import { randomBytes } from "node:crypto"
import {
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs"
import { basename, dirname, join } from "node:path"
import type { FileIdentity } from "../../core/log/file-identity.ts"
import { errnoOf } from "../../core/fold/source-fault.ts"
import { UsageError } from "../border.ts"

/** A file that appears whole or not at all. */
export class OutFile {
  /** The file that will be replaced, or null. */
  readonly replaced: FileIdentity | null
  private readonly path: string
  private readonly place: string
  private readonly temporary: string
  private readonly descriptor: number
  private isOpen = true
  // who leaves in a hurry leaves nothing behind either
  private readonly leave = (): void => this.discard()

  constructor(path: string) {
    this.path = path
    // behind a link stands the file that is meant
    const place = existsSync(path) ? realpathSync(path) : path
    this.place = place
    const suffix = randomBytes(6).toString("hex")
    this.temporary = join(dirname(place), `.${basename(place)}.${suffix}.tmp`)
    const before = statSync(place, { throwIfNoEntry: false })
    if (before?.isDirectory() === true) throw new UsageError(`cannot write ${path}: EISDIR`)
    if (before?.isFile() === false)
      throw new UsageError(`cannot write ${path}: it is no regular file`)
    this.replaced = before ?? null
    try {
      this.descriptor = openSync(this.temporary, "wx")
      // what only some may read stays so
      if (before !== undefined) fchmodSync(this.descriptor, before.mode & 0o777)
    } catch (cause) {
      throw this.failure(cause)
    }
    process.on("exit", this.leave)
  }

  write(text: string): void {
    const bytes = Buffer.from(text, "utf8")
    let written = 0
    try {
      while (written < bytes.length) written += writeSync(this.descriptor, bytes, written)
    } catch (cause) {
      throw this.failure(cause)
    }
  }

  /** Puts the finished file in its place. */
  commit(): void {
    try {
      fsyncSync(this.descriptor)
      renameSync(this.temporary, this.place)
    } catch (cause) {
      throw this.failure(cause)
    }
    this.isOpen = false
    process.off("exit", this.leave)
    closeSync(this.descriptor)
  }

  /** Leaves nothing behind; does nothing after a commit that was done. */
  discard(): void {
    if (!this.isOpen) return
    this.isOpen = false
    process.off("exit", this.leave)
    closeSync(this.descriptor)
    rmSync(this.temporary, { force: true })
  }

  private failure(cause: unknown): UsageError {
    return new UsageError(`cannot write ${this.path}: ${errnoOf(cause) ?? String(cause)}`)
  }
}
