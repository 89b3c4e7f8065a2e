import { existsSync, renameSync } from "node:fs"
import { join } from "node:path"
import type Libsql from "libsql"
import { errnoOf } from "../../core/fold/source-fault.ts"
import { makeFolder } from "../archive/make-folder.ts"
import { UsageError } from "../border.ts"

/** An open database; the embedded one of the project. */
export type Database = Libsql.Database

const load = async (): Promise<typeof Libsql> => {
  try {
    return (await import("libsql")).default
  } catch {
    throw new UsageError("the package libsql is needed for this and is not installed")
  }
}

// a damaged file must not keep anybody from their work: it is set aside and kept
const setAside = (file: string): string => {
  let number = 1
  while (existsSync(`${file}.damaged-${number}`)) number++
  const aside = `${file}.damaged-${number}`
  renameSync(file, aside)
  return aside
}

/**
 * Opens a database in a folder, and makes it where it is missing.
 *
 * @param schema  statements that make its tables where they are missing
 * @param onDamage  told where a damaged file was set aside
 */
export const openDatabase = async (
  folder: string,
  name: string,
  schema: string,
  onDamage: (aside: string) => void,
): Promise<Database> => {
  const Sqlite = await load()
  const file = join(folder, name)
  const open = (): Database => {
    const database = new Sqlite(file)
    try {
      // another replay may be writing
      database.prepare("PRAGMA busy_timeout = 5000").all()
      database.exec(schema)
      const [check] = database.prepare("PRAGMA quick_check(1)").raw(true).all() as string[][]
      if (check?.[0] !== "ok") throw new Error("damaged")
      return database
    } catch (cause) {
      database.close()
      throw cause
    }
  }
  try {
    makeFolder(folder)
    try {
      return open()
    } catch (cause) {
      if (!isDamage(cause)) throw cause
      onDamage(setAside(file))
      return open()
    }
  } catch (cause) {
    const code = errnoOf(cause)
    throw code === null ? cause : new UsageError(`${file} cannot be used: ${code}`)
  }
}

// a file that cannot be opened, or that another process keeps, may be whole
const isDamage = (cause: unknown): boolean => {
  const code = errnoOf(cause)
  return (
    code === null ||
    code.startsWith("SQLITE_NOTADB") ||
    code.startsWith("SQLITE_CORRUPT") ||
    code === "SQLITE_ERROR"
  )
}
