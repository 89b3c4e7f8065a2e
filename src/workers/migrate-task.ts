import { fstatSync } from "node:fs"
import { checkReport } from "../core/check/check-report.ts"
import { headerFigures } from "../core/fold/log-report.ts"
import { containerName } from "../core/fold/container-report.ts"
import { openHeader } from "../core/fold/open-header.ts"
import type { LineText } from "../core/fold/log-reading.ts"
import type { LineRange } from "../core/log/line-range.ts"
import { checkLog } from "./check-log.ts"
import type { OpenFault, OpenLog } from "./log-file.ts"
import { faultOf, isFault, withOpenLog } from "./log-file.ts"
import { readLines, releaseBlock } from "./log-lines.ts"
import { migrationProof } from "./migration-proof.ts"
import type { PlainSource } from "./plain-source.ts"
import { Collections, plainSource } from "./plain-source.ts"
import type { LogSource, MigrateReply, MigrateRequest, MigrationReport } from "./task-protocol.ts"
import { upgradeLog } from "./upgrade-log.ts"

const firstLine = (log: OpenLog): LineText | null => {
  let first: LineText | null = null
  readLines(log.descriptor, { from: 0, to: log.byteCount }, (text) => {
    first = text
    return false
  })
  return first
}

const tailOf = (log: OpenLog): LineRange | null => {
  const rest = readLines(log.descriptor, { from: 0, to: log.byteCount }, () => true)
  return rest.byteLength > 0 ? rest : null
}

/** Checks the new log and holds its messages against those of the old one. */
const judged = (
  source: LogSource,
  target: LogSource,
  report: MigrationReport,
  upgraded: NonNullable<ReturnType<typeof upgradeLog>>,
): MigrationReport | OpenFault => {
  const check = withOpenLog(target, null, (log) => checkReport(checkLog(log), log.byteCount))
  if (isFault(check)) return check
  if (check.refusal !== null) return { ...report, check, isSound: false }
  const proof = migrationProof(source, target, upgraded, report.to)
  if (isFault(proof)) return proof
  return { ...report, check, proof, isSound: proof.is !== "different" }
}

const migrateOpen = (log: OpenLog, source: LogSource, request: MigrateRequest): MigrateReply => {
  const { descriptor } = request
  const first = firstLine(log)
  const opened = first === null ? null : openHeader(first, null)
  const header = opened?.header ?? null
  if (header === null) {
    const refusal = opened?.refusal ?? { code: "not-a-log" as const }
    return { is: "no-log", refusal, isLog: opened?.isLog ?? false }
  }
  // what has the format already is not written a second time
  if (header.format.version === request.to) return { is: "no-way", from: request.to }
  const upgraded = upgradeLog(log, request.to, request.children, descriptor)
  if (upgraded === null) return { is: "no-way", from: header.format.version }
  const report: MigrationReport = {
    header: headerFigures(header),
    container: "jsonl",
    to: request.to,
    byteCount: fstatSync(descriptor).size,
    causes: upgraded.causes,
    causeCount: upgraded.causeCount,
    check: null,
    proof: null,
    map: upgraded.map,
    tail: tailOf(log),
    isSound: true,
  }
  if (upgraded.causeCount > 0) return { is: "migrated", report: { ...report, isSound: false } }
  const target = { path: source.path, descriptor, namedVersion: request.to, isDecoded: true }
  const end = judged(source, target, report, upgraded)
  return isFault(end) ? end : { is: "migrated", report: end }
}

const migratePlain = (plain: PlainSource, request: MigrateRequest): MigrateReply => {
  const reply = withOpenLog(plain.source, null, (log) => migrateOpen(log, plain.source, request))
  releaseBlock()
  if (isFault(reply) || reply.is !== "migrated") return reply
  const container = containerName(plain.container)
  const torn = plain.end?.torn ?? null
  // a frame that the file ends in is of no length in the text
  const tail =
    torn === null ? null : { byteOffset: fstatSync(request.scratch.descriptor).size, byteLength: 0 }
  return { ...reply, report: { ...reply.report, container, tail: reply.report.tail ?? tail } }
}

/** Writes one log as one of a later format into the file that was lent, and checks it there. */
export default async (request: MigrateRequest): Promise<MigrateReply> => {
  const { folder, descriptor } = request.scratch
  const collections = new Collections(folder)
  try {
    const plain = await plainSource(request.source, collections, descriptor)
    if ("code" in plain) return { is: "fault", fault: plain }
    // what is not whole is not carried on as if it were
    const fault = plain.end?.fault ?? null
    return fault === null ? migratePlain(plain, request) : { is: "fault", fault }
  } catch (cause) {
    return { is: "fault", fault: faultOf(cause) }
  } finally {
    collections.close()
  }
}
