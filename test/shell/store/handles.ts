import type { LogLock } from "#shell/store/log-lock"
import type { LogHandle } from "#shell/store/log-writer"

/** Something that the system says no to. */
export const systemError = (code: string): Error => Object.assign(new Error(code), { code })

export interface Watched {
  readonly handle: LogHandle
  /** What was asked of the file, in order: `write 3`, `sync`, … */
  readonly asked: string[]
  /** What the file holds. */
  readonly bytes: () => Buffer
  readonly text: () => string
}

type Asked = "stat" | "write" | "sync" | "truncate" | "close"

/**
 * A file in memory that tells what is asked of it.
 *
 * @param fails  called before each act; what it throws is what the system says
 */
export const watchedFile = (
  text = "",
  fails: (asked: Asked, count: number) => void = () => {},
  mostBytes = Infinity,
): Watched => {
  let bytes = Buffer.from(text)
  const asked: string[] = []
  const counts = new Map<Asked, number>()
  const ask = async (what: Asked, told: string): Promise<void> => {
    // as slow as a disk: others get their turn
    await new Promise((resolve) => setImmediate(resolve))
    counts.set(what, 1 + (counts.get(what) ?? 0))
    asked.push(told)
    fails(what, counts.get(what) ?? 0)
  }
  return {
    asked,
    bytes: () => bytes,
    text: () => bytes.toString(),
    handle: {
      stat: async () => {
        await ask("stat", "stat")
        return { size: bytes.length }
      },
      write: async (more, offset) => {
        const part = more.subarray(offset, Math.min(more.length, offset + mostBytes))
        await ask("write", `write ${part.length}`)
        bytes = Buffer.concat([bytes, part])
        return { bytesWritten: part.length }
      },
      sync: () => ask("sync", "sync"),
      truncate: async (byteLength) => {
        await ask("truncate", `truncate ${byteLength}`)
        bytes = bytes.subarray(0, byteLength)
      },
      close: () => ask("close", "close"),
    },
  }
}

export interface WatchedLock extends LogLock {
  readonly isReleased: () => boolean
}

export const watchedLock = (): WatchedLock => {
  let isReleased = false
  return {
    isReleased: () => isReleased,
    release: () => {
      isReleased = true
    },
  }
}
