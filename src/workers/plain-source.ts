import { ftruncateSync, writeSync } from "node:fs"
import type { ContainerFault } from "../core/fold/container-fault.ts"
import type { Container, ContainerEnd, ContainerEntries, OnBytes } from "./container/container.ts"
import { decodeContainer } from "./container/decode-container.ts"
import { entriesOf } from "./container/entries.ts"
import { logNameOf } from "../core/log/log-name.ts"
import type { OpenLog } from "./log-file.ts"
import { changeFault, closeLog, containerIn, faultOf, openFile } from "./log-file.ts"
import type { LogSource } from "./task-protocol.ts"

/** A log as plain text: the file itself, or what was decoded of it into the room that was lent. */
export interface PlainSource {
  readonly source: LogSource
  readonly container: Container
  /** How decoding ended; null for a file that is plain. */
  readonly end: ContainerEnd | null
}

/** The collections that a task has open: a store is copied once for all of its sessions. */
export class Collections {
  private readonly open: Map<string, ContainerEntries> = new Map()
  private readonly folder: string

  /** `folder` is for temporary files: a store is read in a copy of its own. */
  constructor(folder: string) {
    this.folder = folder
  }

  async entries(
    log: OpenLog,
    container: "zip" | "sqlite",
  ): Promise<ContainerEntries | ContainerFault> {
    const known = this.open.get(log.source.path)
    if (known !== undefined) return known
    const entries = await entriesOf(
      { descriptor: log.descriptor, byteCount: log.byteCount, path: log.source.path },
      container,
      {
        isLog: (name) => logNameOf(name.slice(name.lastIndexOf("/") + 1)) !== null,
        temporaryFolder: this.folder,
      },
    )
    if (!("code" in entries)) this.open.set(log.source.path, entries)
    return entries
  }

  close(): void {
    for (const entries of this.open.values()) entries.close()
    this.open.clear()
  }
}

type Decode = (onBytes: OnBytes) => Promise<ContainerEnd>

/** Decodes into the room that was lent. Of a container that is damaged, what verifies is kept. */
const decoded = async (
  log: OpenLog,
  container: Container,
  decode: Decode,
  descriptor: number,
): Promise<PlainSource | ContainerFault> => {
  ftruncateSync(descriptor, 0)
  let position = 0
  const end = await decode((chunk) => {
    for (let written = 0; written < chunk.length;) {
      const more = writeSync(descriptor, chunk, written, chunk.length - written, position)
      written += more
      position += more
    }
    return true
  })
  const changed = changeFault(log)
  if (changed !== null) return changed
  if (end.fault !== null) ftruncateSync(descriptor, end.verifiedBytes)
  return {
    source: { ...log.source, descriptor, entry: null, isDecoded: true },
    container,
    end,
  }
}

const decoderOf = async (
  log: OpenLog,
  container: Exclude<Container, "plain">,
  collections: Collections,
): Promise<Decode | ContainerFault> => {
  if (container === "zstd" || container === "gzip")
    return (onBytes) => decodeContainer(log, container, onBytes)
  const entries = await collections.entries(log, container)
  if ("code" in entries) return entries
  const { entry = null } = log.source
  const wanted =
    entry === null
      ? entries.entries.length === 1
        ? entries.entries[0]
        : undefined
      : entries.entries.find(({ name }) => name === entry)
  return wanted?.decode ?? { code: "entry-not-found", entry, entryCount: entries.entries.length }
}

/**
 * The plain text of a log, whatever it comes in.
 *
 * shape   what is decoded takes the place of what the lent file held before
 * errors  a fault where nothing can be read; one that shows on the way is in `end`
 */
export const plainSource = async (
  source: LogSource,
  collections: Collections,
  descriptor: number,
): Promise<PlainSource | ContainerFault> => {
  const log = openFile(source)
  if ("code" in log) return log
  try {
    const container = containerIn(log)
    if (container === "plain") {
      const { entry = null } = source
      return entry === null
        ? { source, container, end: null }
        : { code: "entry-not-found", entry, entryCount: 0 }
    }
    const decode = await decoderOf(log, container, collections)
    return "code" in decode ? decode : await decoded(log, container, decode, descriptor)
  } catch (cause) {
    return faultOf(cause)
  } finally {
    closeLog(log)
  }
}
