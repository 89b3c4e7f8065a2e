import { isUtf8 } from "node:buffer"
import { randomBytes } from "node:crypto"
import { constants, realpathSync, rmSync } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import { open } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import { errnoOf } from "../../core/fold/source-fault.ts"
import { makeFolder } from "../archive/make-folder.ts"
import { publish } from "../archive/publish.ts"
import type { LogLock } from "./log-lock.ts"
import { lockLog } from "./log-lock.ts"
import type { LogHandle } from "./log-writer.ts"
import { LogWriter } from "./log-writer.ts"
import type { StoreRefusal } from "./store-refusal.ts"

const newline = 0x0a

const handleOf = (file: FileHandle): LogHandle => ({
  stat: () => file.stat(),
  truncate: (length) => file.truncate(length),
  sync: () => file.sync(),
  close: () => file.close(),
  write: (bytes, offset) => file.write(bytes, offset),
})

const openEnd = (path: string): Promise<FileHandle> =>
  open(path, constants.O_RDWR | constants.O_APPEND)

/** One name for a log, whatever links lead to it: writers find each other by it. */
const ownName = (path: string): string => {
  try {
    return realpathSync(path)
  } catch {
    return join(realpathSync(dirname(resolve(path))), basename(path))
  }
}

const holding = async <A>(
  path: string,
  act: (lock: LogLock) => Promise<Either<StoreRefusal, A>>,
): Promise<Either<StoreRefusal, A>> => {
  const lock = await lockLog(path)
  if (isLeft(lock)) return lock
  const { release } = lock.right
  try {
    const result = await act(lock.right)
    if (isLeft(result)) release()
    return result
  } catch (cause) {
    release()
    throw cause
  }
}

/** Writes a file of its own to the disk, to its last byte. */
const writeWhole = async (path: string, bytes: string | Uint8Array): Promise<void> => {
  const file = await open(path, "wx", 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Makes a log, and opens it to be written on.
 *
 * shape   the file appears whole, with all of `text`, or not at all; folders above it are made
 * errors  log-exists, log-locked, log-unwritten
 */
export const createLog = async (
  path: string,
  text: string,
): Promise<Either<StoreRefusal, LogWriter>> => {
  const refused = (cause: unknown): Either<StoreRefusal, never> => {
    const errno = errnoOf(cause)
    if (errno === null) throw cause
    return left({ code: "log-unwritten", path, errno })
  }
  let file: string
  try {
    makeFolder(dirname(resolve(path)))
    file = ownName(path)
  } catch (cause) {
    return refused(cause)
  }
  return holding(file, async (lock) => {
    const temporary = `${file}.${randomBytes(6).toString("hex")}.tmp`
    try {
      await writeWhole(temporary, text)
      if (publish({ file, temporary }) === "exists") return left({ code: "log-exists", path })
      const handle = handleOf(await openEnd(file))
      return right(new LogWriter(file, handle, Buffer.byteLength(text), lock))
    } catch (cause) {
      rmSync(temporary, { force: true })
      return refused(cause)
    }
  })
}

/** A log that is there, and what writes on. */
export interface OpenedLog {
  readonly bytes: Buffer
  /** Bytes up to the last newline; what follows is the line that a crash tore. */
  readonly wholeBytes: number
  /** Sets the torn line aside, where there is one, and gives the rest to a writer. */
  readonly writer: () => Promise<Either<StoreRefusal, LogWriter>>
  /** Gives it up unchanged. */
  readonly release: () => Promise<void>
}

const setAside = async (
  path: string,
  file: FileHandle,
  bytes: Buffer,
  at: number,
): Promise<void> => {
  const aside = `${path}.torn-${at}-${randomBytes(6).toString("hex")}`
  await writeWhole(`${aside}.tmp`, bytes.subarray(at))
  publish({ file: aside, temporary: `${aside}.tmp` })
  await file.truncate(at)
  await file.sync()
}

/**
 * Opens a log that is there, to be written on.
 *
 * shape   the file is as it was until there is a writer. What stands behind its last newline was
 *         never answered for; it is kept in a file beside the log before it is cut off
 * errors  log-locked, log-unreadable, log-unwritten
 */
export const openLog = async (path: string): Promise<Either<StoreRefusal, OpenedLog>> => {
  let name: string
  try {
    name = realpathSync(path)
  } catch (cause) {
    return left({ code: "log-unreadable", path, errno: errnoOf(cause) ?? "EIO" })
  }
  return holding(name, async (lock) => {
    let file: FileHandle | null = null
    try {
      const opened = (file = await openEnd(name))
      const bytes = await opened.readFile()
      const wholeBytes = bytes.lastIndexOf(newline) + 1
      return right({
        bytes,
        wholeBytes,
        writer: async () => {
          try {
            if (wholeBytes < bytes.length) await setAside(name, opened, bytes, wholeBytes)
          } catch (cause) {
            const errno = errnoOf(cause)
            if (errno === null) throw cause
            return left({ code: "log-unwritten", path, errno } as const)
          }
          return right(new LogWriter(name, handleOf(opened), wholeBytes, lock))
        },
        release: async () => {
          await opened.close()
          lock.release()
        },
      })
    } catch (cause) {
      await file?.close()
      const errno = errnoOf(cause)
      if (errno === null) throw cause
      return left({ code: "log-unreadable", path, errno })
    }
  })
}

/** The complete lines of a log, without their newlines; null for one that is not UTF-8. */
export function* linesOf(bytes: Buffer): Generator<string | null> {
  let at = 0
  for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, at)) {
    const line = bytes.subarray(at, end)
    yield isUtf8(line) ? line.toString("utf8") : null
    at = end + 1
  }
}
