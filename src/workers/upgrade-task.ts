import { closeSync, fstatSync } from "node:fs"
import { isFault, withOpenLog } from "./log-file.ts"
import { releaseBlock } from "./log-lines.ts"
import { openSpool } from "./plain-source.ts"
import type { UpgradeReply, UpgradeRequest } from "./task-protocol.ts"
import { upgradeLog } from "./upgrade-log.ts"

/**
 * Writes a log as one of a later format into a file without a name.
 *
 * shape   the descriptor is one of the process and stays open where the log was upgraded: who asked
 *         closes it
 */
export default ({ source, to, children }: UpgradeRequest): UpgradeReply => {
  const descriptor = openSpool()
  const upgraded = withOpenLog(source, null, (log) => ({
    log: upgradeLog(log, to, children, descriptor),
  }))
  releaseBlock()
  const done = isFault(upgraded) ? null : upgraded.log
  if (done === null || done.causeCount > 0) closeSync(descriptor)
  if (isFault(upgraded)) return upgraded
  if (done === null) return { is: "no-way" }
  const [cause] = done.causes
  return cause === undefined
    ? { is: "upgraded", descriptor, byteCount: fstatSync(descriptor).size, from: done.from }
    : { is: "refused", from: done.from, cause, causeCount: done.causeCount }
}
