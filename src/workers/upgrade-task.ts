import { fstatSync } from "node:fs"
import { isFault, withOpenLog } from "./log-file.ts"
import { releaseBlock } from "./log-lines.ts"
import type { UpgradeReply, UpgradeRequest } from "./task-protocol.ts"
import { upgradeLog } from "./upgrade-log.ts"

/** Writes a log as one of a later format into the file that was lent. */
export default ({ source, to, children, descriptor }: UpgradeRequest): UpgradeReply => {
  const upgraded = withOpenLog(source, null, (log) => ({
    log: upgradeLog(log, to, children, descriptor),
  }))
  releaseBlock()
  if (isFault(upgraded)) return upgraded
  const { log } = upgraded
  if (log === null) return { is: "no-way" }
  const { from, causes, causeCount } = log
  const [cause] = causes
  return cause === undefined
    ? { is: "upgraded", byteCount: fstatSync(descriptor).size, from }
    : { is: "refused", from, cause, causeCount }
}
