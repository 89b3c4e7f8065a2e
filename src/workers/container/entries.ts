import type { ContainerFault } from "../../core/fold/container-fault.ts"
import type { ContainerEntries, OpenContainer } from "./container.ts"
import { openStore } from "./sqlite.ts"
import { openArchive } from "./zip.ts"

/** Containers that hold many logs. */
export type LogCollection = "zip" | "sqlite"

/** What listing depends on. */
export interface EntryOptions {
  /** Whether a path in a zip archive is that of a log; asked for files only. */
  readonly isLog: (name: string) => boolean
  /** Folder in which a store is copied to a private folder of its own. */
  readonly temporaryFolder: string
}

/**
 * Lists the logs of a zip archive, in the order of its directory, or of the SQLite store of format
 * 0, the oldest session first.
 *
 * cost    a zip archive: its directory; a store: a copy of it, see openStore
 */
export const entriesOf = (
  open: OpenContainer & { readonly path: string },
  collection: LogCollection,
  options: EntryOptions,
): Promise<ContainerEntries | ContainerFault> =>
  collection === "zip"
    ? openArchive(open, options.isLog)
    : openStore(open.path, options.temporaryFolder)
