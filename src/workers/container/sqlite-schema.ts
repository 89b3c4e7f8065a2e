import type { ContainerFault, SchemaDifference } from "../../core/fold/container-fault.ts"
import type { Store } from "./sqlite-database.ts"

// "DSHP"
const applicationId = 0x44534850
const schemaVersion = 17

const tables: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  persistence_state: { singleton: "INTEGER", store_id: "TEXT" },
  sessions: {
    id: "TEXT",
    version: "INTEGER",
    created_at: "INTEGER",
    cwd: "TEXT",
    parent_session: "TEXT",
    seed_length: "INTEGER",
    origin: "TEXT",
    delegation_depth: "INTEGER",
    agent_preset: "TEXT",
    incarnation: "TEXT",
    revision: "INTEGER",
  },
  events: {
    session_id: "TEXT",
    seq: "INTEGER",
    type: "TEXT",
    time: "INTEGER",
    data: "ANY",
    source_event_seqs: "ANY",
    surface_op: "TEXT",
    ignorable: "INTEGER",
  },
}

const difference = (
  what: SchemaDifference,
  name: string,
  found: number | null = null,
): ContainerFault => ({ code: "container-schema", what, name, found })

/**
 * How a database differs from the store of format 0, or null: its application, its version, its
 * objects, the names and types of their columns.
 *
 * source  facts of the log format 1.8. Constraints are not compared: the facts do not state them all
 */
export const schemaFault = (store: Store): ContainerFault | null => {
  const application = store.number("PRAGMA application_id")
  if (application !== applicationId)
    return difference("application-id", "application_id", application)
  const version = store.number("PRAGMA user_version")
  if (version !== schemaVersion) return difference("user-version", "user_version", version)
  // names are cast, here as everywhere: text that is no UTF-8 would end the process
  const objects = store.texts(
    "SELECT CAST(type || ' ' || name AS BLOB) FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_autoindex\\_%' ESCAPE '\\' ORDER BY name",
  )
  const wanted = Object.keys(tables).toSorted()
  for (const object of objects)
    if (!wanted.some((name) => object === `table ${name}`)) return difference("objects", object)
  for (const name of wanted) {
    if (!objects.includes(`table ${name}`)) return difference("objects", `table ${name}`)
    const columns = store.texts(
      "SELECT CAST(upper(type) || ' ' || name || iif(hidden, ' hidden', '') AS BLOB) FROM pragma_table_xinfo(?) ORDER BY name",
      name,
    )
    const expected = Object.entries(tables[name] ?? {}).map(([column, type]) => `${type} ${column}`)
    const isSame =
      columns.length === expected.length && expected.every((column) => columns.includes(column))
    const isStrict = store.number("SELECT strict FROM pragma_table_list(?)", name) === 1
    if (!isSame || !isStrict) return difference("columns", name)
  }
  return null
}
