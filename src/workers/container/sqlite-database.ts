import { isUtf8 } from "node:buffer"
import type Libsql from "libsql"
import type { ContainerFault } from "../../core/fold/container-fault.ts"

/** A value as SQLite keeps it. TEXT is read as bytes, by a cast. */
export type StoredValue = null | bigint | number | Uint8Array

/** A database that is open for reading. */
export interface Store {
  readonly rows: (
    sql: string,
    ...bound: readonly string[]
  ) => IterableIterator<readonly StoredValue[]>
  /** The first column of the first row, as a number; NaN where there is none. */
  readonly number: (sql: string, ...bound: readonly string[]) => number
  /** The first column of all rows, which are bytes. */
  readonly texts: (sql: string, ...bound: readonly string[]) => readonly string[]
  readonly close: () => void
}

const packageName = "libsql"

const corrupt: ContainerFault = { code: "container-corrupt", what: "database", byteOffset: 0 }

/** Decimal digits of a number, all of them. */
export const storedNumber = (value: StoredValue | undefined): string => String(value ?? 0)

/** Text of bytes; what is no UTF-8 is replaced, as a reader of lines would see it. */
export const storedText = (value: StoredValue): string =>
  value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.length).toString()
    : String(value)

/** Whether bytes are text. */
export const isStoredText = (value: Uint8Array): boolean => isUtf8(value)

const storedValue = (value: unknown): StoredValue =>
  value instanceof ArrayBuffer ? new Uint8Array(value) : (value as StoredValue)

/**
 * Opens a database that is nobody else's.
 *
 * errors  `container-support-missing` where the optional package is not installed;
 *         `container-corrupt` where it is no database
 */
export const openDatabase = async (
  path: string,
  load: () => Promise<{ readonly default: typeof Libsql }> = () => import("libsql"),
): Promise<Store | ContainerFault> => {
  let Database: typeof Libsql
  try {
    Database = (await load()).default
  } catch {
    return { code: "container-support-missing", packageName }
  }
  try {
    const database = new Database(path)
    // a schema may hold anything; nothing of it runs, and nothing is written
    for (const setting of ["trusted_schema = OFF", "query_only = ON", "mmap_size = 0"])
      database.prepare(`PRAGMA ${setting}`).all()
    const rows = function* (
      sql: string,
      ...bound: readonly string[]
    ): IterableIterator<readonly StoredValue[]> {
      const found = database
        .prepare(sql)
        .raw(true)
        .safeIntegers(true)
        .iterate(...bound)
      for (const row of found as Iterable<readonly unknown[]>) yield row.map(storedValue)
    }
    return {
      rows,
      number: (sql, ...bound) => Number([...rows(sql, ...bound)][0]?.[0] ?? Number.NaN),
      texts: (sql, ...bound) =>
        Array.from(rows(sql, ...bound), ([value]) => storedText(value ?? null)),
      close: () => void database.close(),
    }
  } catch {
    return corrupt
  }
}
