import { randomBytes } from "node:crypto"
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { errnoOf, UsageError } from "../border.ts"

/** A file that appears whole or not at all. */
export class OutFile {
  private readonly path: string
  private readonly temporary: string
  private readonly descriptor: number
  private isOpen = true

  constructor(path: string) {
    this.path = path
    const suffix = randomBytes(6).toString("hex")
    this.temporary = join(dirname(path), `.${basename(path)}.${suffix}.tmp`)
    try {
      this.descriptor = openSync(this.temporary, "wx")
    } catch (cause) {
      throw this.failure(cause)
    }
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
      renameSync(this.temporary, this.path)
    } catch (cause) {
      throw this.failure(cause)
    }
    this.isOpen = false
    closeSync(this.descriptor)
  }

  /** Leaves nothing behind; does nothing after a commit that was done. */
  discard(): void {
    if (!this.isOpen) return
    this.isOpen = false
    closeSync(this.descriptor)
    rmSync(this.temporary, { force: true })
  }

  private failure(cause: unknown): UsageError {
    return new UsageError(`cannot write ${this.path}: ${errnoOf(cause) ?? String(cause)}`)
  }
}
