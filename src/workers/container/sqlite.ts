import type { ContainerFault } from "../../core/fold/container-fault.ts"
import { chunkSink } from "./chunk-sink.ts"
import type { ContainerEnd, ContainerEntries, ContainerEntry, OnBytes } from "./container.ts"
import { loadZstd } from "./load-zstd.ts"
import { copyStore } from "./sqlite-copy.ts"
import type { Store, StoredValue } from "./sqlite-database.ts"
import { openDatabase, storedNumber, storedText } from "./sqlite-database.ts"
import { eventColumns, eventLine } from "./sqlite-row.ts"
import { schemaFault } from "./sqlite-schema.ts"

const corrupt: ContainerFault = { code: "container-corrupt", what: "database", byteOffset: 0 }

const sessionColumns =
  "version, CAST(id AS BLOB), created_at, CAST(cwd AS BLOB), CAST(parent_session AS BLOB), seed_length, CAST(origin AS BLOB), delegation_depth, CAST(agent_preset AS BLOB)"

/** The header of a session, as the first line of a log has it: what is NULL is left out. */
const headerLine = (session: readonly StoredValue[]): string => {
  const [version, id, createdAt, cwd, parent, seedLength, origin, depth, preset] = session
  const text = (key: string, value: StoredValue | undefined): string =>
    value === null || value === undefined ? "" : `,"${key}":${JSON.stringify(storedText(value))}`
  const number = (key: string, value: StoredValue | undefined): string =>
    `,"${key}":${storedNumber(value)}`
  return (
    `{"type":"session"${number("version", version)}${text("id", id)}` +
    `${number("createdAt", createdAt)}${text("cwd", cwd)}${text("parentSession", parent)}` +
    `${seedLength === null ? "" : number("seedLength", seedLength)}${text("origin", origin)}` +
    `${number("delegationDepth", depth)}${text("agentPreset", preset)}}\n`
  )
}

/** Gives out a session as lines: its header, then a row of the store a line, by seq. */
const decodeSession = async (store: Store, id: string, onBytes: OnBytes): Promise<ContainerEnd> => {
  const decoder = await loadZstd()
  const sink = chunkSink(onBytes)
  let fault: ContainerFault | null = null
  try {
    const header = [...store.rows(`SELECT ${sessionColumns} FROM sessions WHERE id = ?`, id)][0]
    if (header === undefined) fault = corrupt
    else if (sink.add(Buffer.from(headerLine(header)))) {
      const events = store.rows(
        `SELECT ${eventColumns} FROM events WHERE session_id = ? ORDER BY seq`,
        id,
      )
      for (const event of events)
        if (!sink.add(Buffer.from(`${eventLine(event, decoder)}\n`))) break
    }
  } catch {
    // a page that is damaged shows where it is read
    fault = corrupt
  }
  sink.flush()
  const decodedBytes = sink.decodedBytes()
  return { fault, torn: null, decodedBytes, verifiedBytes: decodedBytes, frames: 0 }
}

/**
 * Opens the SQLite store that format 0 knew, in a private copy; each session is a log.
 *
 * errors  a database of anything else is `container-schema`, with what differs
 * cost    the space of the copy until `close`; of a session that is decoded some rows and a chunk
 * source  facts of the log format 1.8
 */
export const openStore = async (
  path: string,
  temporaryFolder: string,
): Promise<ContainerEntries | ContainerFault> => {
  const copy = copyStore(path, temporaryFolder)
  if ("code" in copy) return copy
  const store = await openDatabase(copy.path)
  if ("code" in store) {
    copy.remove()
    return store
  }
  const close = (): void => {
    store.close()
    copy.remove()
  }
  try {
    const fault = schemaFault(store)
    if (fault === null) {
      const ids = store.texts("SELECT CAST(id AS BLOB) FROM sessions ORDER BY created_at, id")
      const entries = ids.map((id): ContainerEntry => {
        return { name: id, decode: (onBytes) => decodeSession(store, id, onBytes) }
      })
      return { entries, close }
    }
    close()
    return fault
  } catch {
    close()
    return corrupt
  }
}
