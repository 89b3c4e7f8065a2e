import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import type { ContainerFault } from "../core/fold/container-fault.ts"
import type { Container, ContainerEnd, ContainerEntries, OnBytes } from "./container/container.ts"
import { decodeContainer } from "./container/decode-container.ts"
import { entriesOf } from "./container/entries.ts"
import { logNameOf } from "../core/log/log-name.ts"
import type { OpenLog } from "./log-file.ts"
import { changeFault, closeLog, containerIn, faultOf, openFile } from "./log-file.ts"
import type { LogSource } from "./task-protocol.ts"

/** A log as plain text: the file itself, or what was decoded of it into a file without a name. */
export interface PlainSource {
  readonly source: LogSource
  readonly container: Container
  /** How decoding ended; null for a file that is plain. */
  readonly end: ContainerEnd | null
  readonly close: () => void
}

/** The collections that a task has open: a store is copied once for all of its sessions. */
export class Collections {
  private readonly open: Map<string, ContainerEntries> = new Map()

  async entries(
    log: OpenLog,
    container: "zip" | "sqlite",
  ): Promise<ContainerEntries | ContainerFault> {
    const known = this.open.get(log.source.path)
    if (known !== undefined) return known
    const entries = await entriesOf(
      { descriptor: log.descriptor, byteCount: log.byteCount, path: log.source.path },
      container,
      { isLog: (name) => logNameOf(basename(name)) !== null, temporaryFolder: tmpdir() },
    )
    if (!("code" in entries)) this.open.set(log.source.path, entries)
    return entries
  }

  close(): void {
    for (const entries of this.open.values()) entries.close()
    this.open.clear()
  }
}

// the file has no name any more when this returns: nothing is left behind however the process ends
const openSpool = (): number => {
  const directory = mkdtempSync(join(tmpdir(), "refold-"))
  const descriptor = openSync(join(directory, "log"), "wx+", 0o600)
  rmSync(directory, { recursive: true })
  return descriptor
}

type Decode = (onBytes: OnBytes) => Promise<ContainerEnd>

/** Decodes into a spool. Of a container that is damaged, what verifies is kept. */
const spooled = async (
  log: OpenLog,
  container: Container,
  decode: Decode,
): Promise<PlainSource | ContainerFault> => {
  const descriptor = openSpool()
  try {
    const end = await decode((chunk) => {
      let written = 0
      while (written < chunk.length) written += writeSync(descriptor, chunk, written)
      return true
    })
    const changed = changeFault(log)
    if (changed !== null) {
      closeSync(descriptor)
      return changed
    }
    if (end.fault !== null) ftruncateSync(descriptor, end.verifiedBytes)
    const source = { ...log.source, descriptor, entry: null, isDecoded: true }
    return { source, container, end, close: () => closeSync(descriptor) }
  } catch (cause) {
    closeSync(descriptor)
    return faultOf(cause)
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
 * errors  a fault where nothing can be read; one that shows on the way is in `end`
 * cost    for a container the room of its text in the folder for temporary files, until `close`
 */
export const plainSource = async (
  source: LogSource,
  collections: Collections,
): Promise<PlainSource | ContainerFault> => {
  const log = openFile(source)
  if ("code" in log) return log
  try {
    const container = containerIn(log)
    if (container === "plain") {
      const { entry = null } = source
      return entry === null
        ? { source, container, end: null, close: () => {} }
        : { code: "entry-not-found", entry, entryCount: 0 }
    }
    const decode = await decoderOf(log, container, collections)
    return "code" in decode ? decode : await spooled(log, container, decode)
  } catch (cause) {
    return faultOf(cause)
  } finally {
    closeLog(log)
  }
}
