import type { Dirent } from "node:fs"
import { lstatSync, readdirSync, statSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import type { ContainerFault } from "../../core/fold/container-fault.ts"
import type { SourceFault } from "../../core/fold/source-fault.ts"
import { errnoOf, faultOfErrno } from "../../core/fold/source-fault.ts"
import { mayHoldLogs } from "./first-byte.ts"
import type { LogSource } from "../../workers/task-protocol.ts"
import type { Container, LogName } from "../../core/log/log-name.ts"
import { logNameOf } from "../../core/log/log-name.ts"

/** A log of an archive, or a path where one should be. */
export interface FoundLog {
  /** Relative to the argument, with `/`; the argument itself when it names a file. */
  readonly path: string
  /** The argument that led here. */
  readonly root: string
  readonly file: string
  /** An open descriptor of a log that has no file of its own; null for all others. */
  readonly descriptor: number | null
  /** The log's name in an archive or a store; null for a file that is one log. */
  readonly entry: string | null
  /** Whether the descriptor is one of decoded text. */
  readonly isDecoded: boolean
  /** Directory of the project in the layout `<root>/<project>/<session>/<log>`, or null. */
  readonly project: string | null
  readonly name: LogName | null
  readonly container: Container | null
  readonly byteCount: number
  readonly fault: ContainerFault | null
}

/** What a worker is told of a log. */
export const sourceOf = (log: FoundLog): LogSource => ({
  path: log.file,
  descriptor: log.descriptor,
  namedVersion: log.name?.version ?? null,
  entry: log.entry,
  isDecoded: log.isDecoded,
})

/** What a walk met and did not read. */
export interface Skipped {
  readonly otherFiles: number
  readonly links: number
  /** Logs of an older generation beside a newer one. */
  readonly superseded: number
}

export interface Discovery {
  /** Sorted by path, in UTF-16 code units. */
  readonly logs: readonly FoundLog[]
  readonly skipped: Skipped
}

type Counts = { -readonly [Key in keyof Skipped]: Skipped[Key] }

const faultOfError = (cause: unknown): ContainerFault => {
  const errno = errnoOf(cause)
  if (errno === null) throw cause
  return faultOfErrno(errno)
}

const pathFault = (code: SourceFault["code"]): SourceFault => ({ code, errno: null })

const found = (
  root: string,
  path: string,
  file: string,
  fault: ContainerFault | null,
  byteCount = 0,
): FoundLog => {
  const name = logNameOf(basename(file))
  return {
    path,
    root,
    file,
    descriptor: null,
    entry: null,
    isDecoded: false,
    project: name === null ? null : basename(dirname(dirname(resolve(file)))),
    name,
    container: name?.container ?? "jsonl",
    byteCount,
    fault,
  }
}

interface Candidate {
  readonly entry: Dirent
  readonly name: LogName
}

// a reader takes the highest generation of a session and never falls back to an older one
const newestOf = (candidates: readonly Candidate[]): readonly Candidate[] => {
  const newest = Math.max(...candidates.map(({ name }) => name.version))
  return candidates.filter(({ name }) => name.version === newest)
}

const walk = (
  root: string,
  prefix: string,
  directory: string,
  logs: FoundLog[],
  counts: Counts,
): void => {
  let entries: Dirent[]
  try {
    entries = readdirSync(directory, { withFileTypes: true })
  } catch (cause) {
    logs.push(found(root, prefix === "" ? root : prefix, directory, faultOfError(cause)))
    return
  }
  const candidates: Candidate[] = []
  for (const entry of entries) {
    const name = logNameOf(entry.name)
    if (entry.isSymbolicLink()) counts.links++
    else if (name !== null) candidates.push({ entry, name })
    else if (entry.isDirectory())
      walk(root, `${prefix}${entry.name}/`, join(directory, entry.name), logs, counts)
    else counts.otherFiles++
  }
  if (candidates.length === 0) return
  const newest = newestOf(candidates)
  counts.superseded += candidates.length - newest.length
  for (const { entry } of newest) {
    const file = join(directory, entry.name)
    const path = prefix + entry.name
    if (entry.isFile()) logs.push(found(root, path, file, null, sizeOf(file)))
    else logs.push(found(root, path, file, pathFault("not-a-file")))
  }
}

const sizeOf = (file: string): number => {
  try {
    return lstatSync(file).size
  } catch {
    // it went away since; opening it will say so
    return 0
  }
}

/**
 * The log that a path names, for commands that read one: always tried, never walked. `FILE/NAME` is
 * the log of that name in an archive or a store.
 */
export const discoverFile = (path: string): FoundLog => {
  try {
    const stats = statSync(path)
    return stats.isFile()
      ? found(path, path, path, null, stats.size)
      : found(path, path, path, pathFault("not-a-file"))
  } catch (cause) {
    const fault = faultOfError(cause)
    return entryOf(path) ?? found(path, path, path, fault)
  }
}

const isFileAt = (path: string): boolean | null => {
  try {
    return statSync(path).isFile()
  } catch {
    return null
  }
}

// the longest part before a slash that is a file
const entryOf = (path: string): FoundLog | null => {
  for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
    const file = path.slice(0, slash)
    const isFile = isFileAt(file)
    if (isFile === null) continue
    if (!isFile || !mayHoldLogs(file, null)) return null
    const entry = path.slice(slash + 1)
    return { ...found(path, path, file, null), name: logNameOf(basename(entry)), entry }
  }
  return null
}

const discoverOne = (root: string, logs: FoundLog[], counts: Counts): void => {
  const log = discoverFile(root)
  if (log.fault?.code !== "not-a-file" || !isDirectory(root)) {
    logs.push(log)
    return
  }
  const before = logs.length
  walk(root, "", root, logs, counts)
  if (logs.length === before) logs.push(found(root, root, root, pathFault("no-logs")))
}

const isDirectory = (path: string): boolean => {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The order of logs in every result. */
export const byPath = (a: FoundLog, b: FoundLog): number =>
  byCodeUnits(a.path, b.path) || byCodeUnits(a.root, b.root)

/**
 * Finds the logs under some paths.
 *
 * shape   a file is always taken; a folder is walked for regular files with canonical log names,
 *         the highest generation in each directory; links inside are not followed. What cannot be
 *         read is in the list with its fault: nothing is left out in silence
 */
export const discover = (paths: readonly string[]): Discovery => {
  const logs: FoundLog[] = []
  const counts: Counts = { otherFiles: 0, links: 0, superseded: 0 }
  for (const path of paths) discoverOne(path, logs, counts)
  return {
    logs: logs.sort(byPath),
    skipped: counts,
  }
}
