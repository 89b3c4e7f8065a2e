import { fstatSync, ftruncateSync, readSync, writeSync } from "node:fs"
import { isLeft } from "fp-ts/lib/Either.js"
import { checkReport } from "../core/check/check-report.ts"
import { formatAt } from "../core/format/catalog.ts"
import { crashClosers } from "../core/format/closers.ts"
import type { OpenTurn } from "../core/format/open-turn.ts"
import { OpenTurnDraft } from "../core/format/open-turn.ts"
import { readRow } from "../core/log/row.ts"
import { checkLog } from "./check-log.ts"
import { isFault, withOpenLog } from "./log-file.ts"
import { readLines, releaseBlock } from "./log-lines.ts"
import type { ByteRange, ComposeReply, ComposeRequest } from "./task-protocol.ts"

const copyBytes = 1024 * 1024

type Done = (ComposeReply & { readonly is: "composed" })["openTurn"]

/** Copies a range of a file behind what another one holds. */
const copyRange = (from: number, range: ByteRange, to: number, position: number): number => {
  const bytes = Buffer.allocUnsafe(Math.min(copyBytes, range.to - range.from))
  let at = range.from
  while (at < range.to) {
    const read = readSync(from, bytes, 0, Math.min(bytes.length, range.to - at), at)
    if (read === 0) break
    for (let written = 0; written < read;)
      written += writeSync(
        to,
        bytes,
        written,
        read - written,
        position + (at - range.from) + written,
      )
    at += read
  }
  return position + (at - range.from)
}

const openTurnIn = (request: ComposeRequest, byteCount: number): OpenTurn | null => {
  const format = formatAt(request.formatVersion)
  const draft = new OpenTurnDraft(format)
  let isHeader = true
  readLines(request.descriptor, { from: 0, to: byteCount }, (text, at) => {
    const row = isHeader || typeof text !== "string" ? null : readRow(format, text)
    isHeader = false
    if (row !== null && !isLeft(row)) draft.take(row.right, at)
    return true
  })
  return draft.open()
}

const settle = (request: ComposeRequest, open: OpenTurn | null, byteCount: number): Done => {
  if (open === null) return null
  const { descriptor, openTurn } = request
  const { turn } = open
  const isCut = openTurn.is === "cut" && open.keepTo < byteCount
  if (openTurn.is === "keep" || (openTurn.is === "cut" && !isCut))
    return { turn, done: "kept", events: 0, byteCount: 0 }
  if (openTurn.is === "cut") {
    const range = { from: open.keepTo, to: byteCount }
    const rows = copyRange(descriptor, range, openTurn.removed, 0)
    ftruncateSync(descriptor, open.keepTo)
    return { turn, done: "cut", events: linesOf(openTurn.removed, rows), byteCount: rows }
  }
  const closers = crashClosers(formatAt(request.formatVersion), open, openTurn.texts)
  if (closers === null) return { turn, done: "text-missing", events: 0, byteCount: 0 }
  const text = closers.map((row) => `${JSON.stringify(row)}\n`).join("")
  const bytes = Buffer.from(text)
  writeSync(descriptor, bytes, 0, bytes.length, byteCount)
  return { turn, done: "closed", events: closers.length, byteCount: bytes.length }
}

const linesOf = (descriptor: number, byteCount: number): number => {
  let lines = 0
  readLines(descriptor, { from: 0, to: byteCount }, () => {
    lines++
    return true
  })
  return lines
}

/** Puts a log together of parts of another, settles the turn it ends in, and checks it. */
export default (request: ComposeRequest): ComposeReply => {
  const { source, descriptor, ranges, formatVersion } = request
  try {
    const byteCount = withOpenLog(source, null, (log) =>
      ranges.reduce((end, range) => copyRange(log.descriptor, range, descriptor, end), 0),
    )
    if (isFault(byteCount)) return byteCount
    const openTurn = settle(request, openTurnIn(request, byteCount), byteCount)
    const target = { path: source.path, descriptor, namedVersion: formatVersion, isDecoded: true }
    const check = withOpenLog(target, null, (log) => checkReport(checkLog(log), log.byteCount))
    if (isFault(check)) return check
    return { is: "composed", check, byteCount: fstatSync(descriptor).size, openTurn }
  } finally {
    releaseBlock()
  }
}
