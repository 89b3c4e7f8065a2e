import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll } from "vitest"

/** A temporary folder of one test file, removed after its last test. */
export interface Folder {
  readonly path: string
  /** Writes a file below the folder, with the folders above it, and says where it is. */
  readonly file: (path: string, content: string | Uint8Array) => string
  /** Makes a folder below the folder, and says where it is. */
  readonly folder: (path: string) => string
  /** Makes a FIFO below the folder, and says where it is. */
  readonly fifo: (path: string) => string
  readonly at: (path: string) => string
}

// a tool of every Unix, which Node has no call for
const fifoMaker = "mkfifo"

export const temporaryFolder = (): Folder => {
  const root = mkdtempSync(join(tmpdir(), "refold-test-"))
  afterAll(() => rmSync(root, { recursive: true, force: true }))
  const at = (path: string): string => join(root, path)
  const folder = (path: string): string => {
    mkdirSync(at(path), { recursive: true })
    return at(path)
  }
  return {
    path: root,
    at,
    folder,
    fifo: (path) => {
      folder(dirname(path))
      execFileSync(fifoMaker, [at(path)])
      return at(path)
    },
    file: (path, content) => {
      folder(dirname(path))
      writeFileSync(at(path), content)
      return at(path)
    },
  }
}
