import { jsonEqual } from "../core/data/json.ts"
import { migratedMessage, migratedPrompt } from "../core/format/edges/message-transform.ts"
import type { FormatVersion } from "../core/format/format.ts"
import type { Message } from "../core/messages/event-message.ts"
import { sha256 } from "./check-log.ts"
import type { OpenFault } from "./log-file.ts"
import type { ReadLog } from "./read-log.ts"
import { derivedMessages, withLog } from "./read-log.ts"
import type { LogSource, Proof } from "./task-protocol.ts"
import type { Upgraded } from "./upgrade-log.ts"

function* expected(
  { log, outcome }: ReadLog,
  upgraded: Upgraded,
  to: FormatVersion,
): Generator<Message> {
  const { fold, header } = outcome
  if (fold === null || header === null) return
  const { from, notes, promptAnchor } = upgraded
  if (from < 3 && to >= 3) {
    const anchor = { seq: promptAnchor, type: "request/header" } as const
    const prompt = { text: notes.promptText, anchor }
    const message = migratedPrompt(prompt, header.id, to === 3 ? 3 : 4, sha256)
    if (message !== null) yield message
  }
  for (const { seq, kind, message } of derivedMessages(log, fold.surface))
    yield migratedMessage(message, from, to, {
      sessionId: header.id,
      seq,
      kind,
      namelessCompaction: from === 0 ? notes.namelessBefore(seq) : null,
    })
}

const compare = (old: ReadLog, next: ReadLog, upgraded: Upgraded, to: FormatVersion): Proof => {
  const { fold } = next.outcome
  if (old.outcome.fold === null || old.outcome.refusal !== null || fold === null)
    return { is: "not-possible" }
  const wanted = expected(old, upgraded, to)
  let count = 0
  for (const { message } of derivedMessages(next.log, fold.surface)) {
    const want = wanted.next()
    if (want.done === true || !jsonEqual(want.value, message))
      return { is: "different", message: count }
    count++
  }
  return wanted.next().done === true
    ? { is: "equal", messageCount: count }
    : { is: "different", message: count }
}

/** Folds both logs, each by its own format, and compares what they come to message by message. */
export const migrationProof = (
  source: LogSource,
  target: LogSource,
  upgraded: Upgraded,
  to: FormatVersion,
): Proof | OpenFault => {
  const whole = { tolerance: "default", carrier: "columns", throughSeq: Infinity } as const
  return withLog(source, whole, (old) =>
    withLog(target, whole, (next) => compare(old, next, upgraded, to)),
  )
}
