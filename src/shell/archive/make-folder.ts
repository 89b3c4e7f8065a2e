import { mkdirSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { errnoOf } from "../../core/fold/source-fault.ts"

const isFolder = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/**
 * Makes a folder, for its owner alone, and those above it.
 *
 * shape   the outermost folder that was made; undefined where all of them were there
 * errors  throws what the system says, also where a folder can be had below none: the recursive
 *         call of Node tries that for ever (seen below /proc in Node 20.20)
 */
export const makeFolder = (path: string): string | undefined => {
  const folder = resolve(path)
  if (isFolder(folder)) return undefined
  const above = dirname(folder)
  const made = above === folder ? undefined : makeFolder(above)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (cause) {
    // somebody else may have made it just now
    if (errnoOf(cause) === "EEXIST" && isFolder(folder)) return made
    throw cause
  }
  return made ?? folder
}
