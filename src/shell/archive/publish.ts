import { closeSync, fsyncSync, linkSync, openSync, unlinkSync } from "node:fs"
import { dirname } from "node:path"
import { errnoOf } from "../../core/fold/source-fault.ts"

/** A whole file under a name for the time being, and the name that it is to have. */
export interface Unpublished {
  readonly file: string
  readonly temporary: string
}

// the name itself must outlast a crash, not only the bytes
const syncFolder = (folder: string): void => {
  const descriptor = openSync(folder, "r")
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Gives a file its name, whole or not at all, and never that of another file.
 *
 * shape   the bytes must be on the disk already; the temporary name is gone in the end
 */
export const publish = ({ file, temporary }: Unpublished): "published" | "exists" => {
  try {
    linkSync(temporary, file)
  } catch (cause) {
    if (errnoOf(cause) !== "EEXIST") throw cause
    unlinkSync(temporary)
    return "exists"
  }
  unlinkSync(temporary)
  syncFolder(dirname(file))
  return "published"
}
