import { isUtf8 } from "node:buffer"
import { createHash } from "node:crypto"
import { isLeft } from "fp-ts/lib/Either.js"
import type { RowSkim } from "../core/columns/row-skim.ts"
import type { CheckOutcome } from "../core/check/log-check.ts"
import { LogCheck } from "../core/check/log-check.ts"
import type { Format } from "../core/format/format.ts"
import { openHeader } from "../core/fold/open-header.ts"
import { readRow } from "../core/log/row.ts"
import { builtInProjections } from "../core/surface/image-offload.ts"
import type { OpenLog } from "./log-file.ts"
import { blockText, linesOf, readBlocks, readLines } from "./log-lines.ts"

const newline = 10

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

// of this worker, which checks one log at a time
const skims: Map<Format, RowSkim> = new Map()

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
  let skim: RowSkim | null = null
  const rest = readBlocks(
    log.descriptor,
    { from: 0, to: log.byteCount },
    {
      tooLong: (refusal, at) => {
        check.line(refusal, at)
        return true
      },
      block: (bytes, from, to, byteOffset) => {
        const isValid = isUtf8(bytes.subarray(from, to))
        skim?.bind(bytes)
        for (let start = from; start < to;) {
          const skimmed = isValid && skim !== null ? skim.row(start) : -1
          if (skimmed >= 0 && skim !== null && check.passOver(skim)) {
            start = skimmed + 1
            continue
          }
          const end = bytes.indexOf(newline, start)
          const at = { byteOffset: byteOffset + start, byteLength: end - start }
          // what is known to be valid is not asked a second time
          check.line(isValid ? bytes.toString("utf8", start, end) : blockText(start, end), at)
          if (skim === null) {
            skim = check.skim(skims)
            skim?.bind(bytes)
          }
          start = end + 1
        }
        return true
      },
    },
  )
  return check.finish(rest)
}
