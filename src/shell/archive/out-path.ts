import { basename, dirname, join } from "node:path"
import { pathSegment } from "../../core/log/path-segment.ts"
import type { FoundLog } from "./discover.ts"

const extension = /(?:\.v[0-9]+)?\.(?:jsonl|ndjson)(?:\.(?:zstd|zst|gz))?$/

/** What a log is called in a later format: as the agent does, where it has such a name. */
const nameIn = (log: FoundLog, version: number, mark: string): string => {
  const name = basename(log.entry ?? log.file)
  const stem = extension.test(name) ? name.replace(extension, "") : "session"
  // the first format has no number in its name
  return `${stem}${version === 0 ? "" : `.v${version}`}${mark}.jsonl`
}

/** Folders of a log below the one that output goes to; of what names itself no text is taken as it is. */
const folderOf = (log: FoundLog): string => {
  if (log.entry !== null) {
    const isPath = extension.test(log.entry)
    const parts = log.entry.split("/")
    return join(...(isPath ? parts.slice(0, -1) : parts).map(pathSegment))
  }
  return log.root === log.path ? "" : dirname(log.path)
}

/**
 * Where the successor of a log goes below `directory`: the same folders as below the argument.
 *
 * @param mark  what tells several files of one log apart; empty where there is one
 */
export const outPath = (directory: string, log: FoundLog, version: number, mark = ""): string =>
  join(directory, folderOf(log), nameIn(log, version, mark))
