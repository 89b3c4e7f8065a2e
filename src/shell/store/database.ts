import { createHash } from "node:crypto"
import { existsSync, renameSync, statSync } from "node:fs"
import { join } from "node:path"
import type Libsql from "libsql"
import { makeFolder } from "../archive/make-folder.ts"
import { UsageError } from "../border.ts"

/** An open database; the embedded one of the project. */
export type Database = Libsql.Database

export type Statement = Libsql.Statement

/** What is wrong with a database; whoever uses it goes on without it. */
export type DatabaseFault =
  /** It was damaged, and was set aside under that path. */
  | { readonly code: "database-damaged"; readonly aside: string }
  /** It cannot be opened, read or written; the cause is that of the system. */
  | { readonly code: "database-unusable"; readonly cause: string }

const load = async (): Promise<typeof Libsql> => {
  try {
    return (await import("libsql")).default
  } catch {
    throw new UsageError(
      "the package libsql is needed for this and is not installed: npm install libsql",
    )
  }
}

class DamagedError extends Error {}

const isDamage = (cause: unknown): boolean => {
  if (cause instanceof DamagedError) return true
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  return code.startsWith("SQLITE_NOTADB") || code.startsWith("SQLITE_CORRUPT")
}

export const unusable = (cause: unknown): DatabaseFault => ({
  code: "database-unusable",
  cause: cause instanceof Error ? cause.message : String(cause),
})

/** Hex SHA-256 of a text, which tells whether a store still holds what was put in. */
export const sha256Of = (text: string): string => createHash("sha256").update(text).digest("hex")

const placeOf = (file: string): number | null =>
  statSync(file, { throwIfNoEntry: false })?.ino ?? null

// a journal that stayed behind would be played into the file that is made next
const parts = ["", "-journal", "-wal", "-shm"]

// a damaged file must not keep anybody from their work: it is set aside and kept
const setAside = (file: string): string => {
  let number = 1
  while (existsSync(`${file}.damaged-${number}`)) number++
  const aside = `${file}.damaged-${number}`
  for (const part of parts)
    if (existsSync(`${file}${part}`)) renameSync(`${file}${part}`, `${aside}${part}`)
  return aside
}

/**
 * Opens a database in a folder, and makes it where it is missing.
 *
 * @param schema  statements that make its tables where they are missing
 * @param onFault  told what is wrong with it
 * shape   null where it cannot be used
 */
export const openDatabase = async (
  folder: string,
  name: string,
  schema: string,
  onFault: (fault: DatabaseFault) => void,
): Promise<Database | null> => {
  const Sqlite = await load()
  const file = join(folder, name)
  const open = (): Database => {
    const database = new Sqlite(file)
    try {
      // another process may be writing
      database.prepare("PRAGMA busy_timeout = 5000").all()
      database.exec(schema)
      const [check] = database.prepare("PRAGMA quick_check(1)").raw(true).all() as string[][]
      if (check?.[0] !== "ok") throw new DamagedError()
      return database
    } catch (cause) {
      database.close()
      throw cause
    }
  }
  try {
    makeFolder(folder)
    const place = placeOf(file)
    try {
      return open()
    } catch (cause) {
      if (!isDamage(cause)) throw cause
      // another process may have set it aside already
      if (place === placeOf(file)) onFault({ code: "database-damaged", aside: setAside(file) })
      return open()
    }
  } catch (cause) {
    onFault(unusable(cause))
    return null
  }
}
