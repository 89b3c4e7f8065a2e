import { withOpenLog } from "./log-file.ts"
import { digestOf } from "./read-log.ts"
import type { DigestReply, DigestRequest } from "./task-protocol.ts"

/** The digest of the messages of a log that was folded elsewhere. */
export default ({ source, identity, nodes, projected }: DigestRequest): DigestReply =>
  withOpenLog(source, identity, (log) => ({
    is: "digest",
    messagesSha256: digestOf(log, nodes, projected),
  }))
