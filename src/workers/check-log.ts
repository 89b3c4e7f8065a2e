import { createHash } from "node:crypto"
import { isLeft } from "fp-ts/lib/Either.js"
import type { CheckOutcome } from "../core/check/log-check.ts"
import { LogCheck } from "../core/check/log-check.ts"
import { openHeader } from "../core/fold/open-header.ts"
import { readRow } from "../core/log/row.ts"
import { builtInProjections } from "../core/surface/image-offload.ts"
import type { OpenLog } from "./log-file.ts"
import { linesOf, readLines } from "./log-lines.ts"

/** Hex SHA-256 of a text in UTF-8. */
export const sha256 = (text: string): string =>
  createHash("sha256").update(text, "utf8").digest("hex")

// asked of forked logs alone, which are read once more for it
const offsetIn =
  (log: OpenLog) =>
  (seq: number): number => {
    let found = log.byteCount
    let row = 0
    let opened: ReturnType<typeof openHeader> | null = null
    readLines(log.descriptor, { from: 0, to: log.byteCount }, (text, at) => {
      if (row++ === 0) opened = openHeader(text, null)
      const format = opened?.header?.format
      if (row === 1 || format === undefined || typeof text !== "string") return row === 1
      const read = readRow(format, text)
      if (isLeft(read)) return true
      const { facts } = read.right
      if (facts.seq > seq || facts.seq + facts.count <= seq) return true
      found = at.byteOffset
      return false
    })
    return found
  }

/** Checks an open log from its first line to its last. */
export const checkLog = (log: OpenLog): CheckOutcome => {
  const lines = linesOf(log.descriptor)
  const check = new LogCheck({
    projections: builtInProjections,
    namedVersion: log.source.namedVersion,
    lineAt: (line) => lines.read(line),
    sha256,
    offsetOfSeq: offsetIn(log),
  })
  const rest = readLines(log.descriptor, { from: 0, to: log.byteCount }, (text, at) => {
    check.line(text, at)
    return true
  })
  return check.finish(rest)
}
