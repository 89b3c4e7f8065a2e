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
      throw new UsageError(`cannot write ${path}: ${errnoOf(cause) ?? String(cause)}`)
    }
  }

  write(text: string): void {
    const bytes = Buffer.from(text, "utf8")
    let written = 0
    while (written < bytes.length) written += writeSync(this.descriptor, bytes, written)
  }

  /** Puts the finished file in its place. */
  commit(): void {
    fsyncSync(this.descriptor)
    closeSync(this.descriptor)
    this.isOpen = false
    renameSync(this.temporary, this.path)
  }

  /** Leaves nothing behind; does nothing after commit. */
  discard(): void {
    if (!this.isOpen) return
    this.isOpen = false
    closeSync(this.descriptor)
    rmSync(this.temporary, { force: true })
  }
}
