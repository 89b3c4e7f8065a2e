// A process that writes to a session until it is killed, and says what was answered for.
import { writeSync } from "node:fs"
import { isLeft } from "fp-ts/lib/Either.js"
import { SessionStoreError } from "#shell/border"
import type { LiveSession } from "#shell/live/live-session"
import { createSession, openSession } from "#shell/live/open-session"

/** What the process does: its arguments, as JSON. */
export interface WriterTask {
  readonly path: string
  readonly does: "create" | "open"
  /** Events to write; the process ends after them. */
  readonly events: number
  /** Events between two flushes, which are not waited for one by one. */
  readonly each: number
  /** Whether it waits for a log that somebody has. */
  readonly waits: boolean
}

const task = JSON.parse(process.argv[2] ?? "") as WriterTask

// at once, whatever becomes of the process after that
const say = (line: string): void => {
  writeSync(1, `${line}\n`)
}

const opened = async (): Promise<LiveSession> => {
  for (;;) {
    try {
      return await (task.does === "create"
        ? createSession(task.path, { id: "s" })
        : openSession(task.path))
    } catch (cause) {
      if (!(cause instanceof SessionStoreError)) throw cause
      if (!task.waits || cause.refusal.code !== "log-locked") {
        say(`refused ${cause.refusal.code}`)
        process.exit(0)
      }
    }
  }
}

const live = await opened()
say("opened")
const note = "n".repeat(2_000)
try {
  for (let written = 0; written < task.events; written += task.each) {
    for (let i = 0; i < task.each; i++) {
      const event = live.append({
        type: "feedback/record",
        data: { text: `${written + i} ${note}` },
      })
      if (isLeft(event)) say(`refused ${event.left.code}`)
    }
    await live.flush()
    say(`flushed ${live.session.log.surface.nextSeq}`)
  }
} catch (cause) {
  if (!(cause instanceof SessionStoreError)) throw cause
  say(`failed ${JSON.stringify(cause.refusal)}`)
  const after = live.append({ type: "feedback/record", data: { text: "x" } })
  if (isLeft(after)) say(`refused ${after.left.code} ${String(live.isDurable)}`)
}
await live.close().catch(() => {})
