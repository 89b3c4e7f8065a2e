import { decodeContainer } from "./container/decode-container.ts"
import { closeLog, containerIn, openFile } from "./log-file.ts"
import type { DecodeReply, DecodeRequest } from "./task-protocol.ts"

/**
 * Only decodes logs, for the time that it takes.
 *
 * errors  an Error for a file that cannot be decoded, or holds more than one log
 */
export default async ({ sources }: DecodeRequest): Promise<DecodeReply> => {
  let byteCount = 0
  for (const source of sources) {
    const log = openFile(source)
    if ("code" in log) throw new Error(`${source.path}: ${log.code}`)
    const container = containerIn(log)
    if (container === "zip" || container === "sqlite") throw new Error(`${source.path}: many logs`)
    const end = await decodeContainer(log, container, () => true)
    closeLog(log)
    if (end.fault !== null) throw new Error(`${source.path}: ${end.fault.code}`)
    byteCount += end.decodedBytes
  }
  return { byteCount }
}
