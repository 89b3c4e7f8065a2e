import { packedRows } from "../core/columns/row-columns.ts"
import { formatAt } from "../core/format/catalog.ts"
import type { OpenLog } from "./log-file.ts"
import { withOpenLog } from "./log-file.ts"
import { scanRange } from "./scan-log.ts"
import type { RangeReply, RangeRequest } from "./task-protocol.ts"

const shared = (byteLength: number): SharedArrayBuffer => new SharedArrayBuffer(byteLength)

/** Scans one range of a log; what its rows do to the surface is for the one who asked. */
export default (request: RangeRequest): RangeReply =>
  withOpenLog(request.source, request.identity, (log: OpenLog): RangeReply => {
    const { digestKey, throughSeq, withRequests, formatVersion } = request
    const options = { format: formatAt(formatVersion), digestKey, throughSeq, withRequests }
    const { scan, rest } = scanRange(log, request.range, options)
    return { is: "scanned", scan: { ...scan, rows: packedRows(scan.rows, shared) }, rest }
  })
