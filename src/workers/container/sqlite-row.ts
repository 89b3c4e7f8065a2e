import { isCount } from "../../core/data/count.ts"
import { isRunType } from "../../core/log/packed-run.ts"
import { memoryWindow } from "./byte-window.ts"
import type { StoredValue } from "./sqlite-database.ts"
import { isStoredText, storedNumber, storedText } from "./sqlite-database.ts"
import type { ZstdDecoder } from "./zstd-decoder.ts"
import { frameAt } from "./zstd-frame.ts"

// limits of the store
const minRunMembers = 3
const maxRunMembers = 1024
const maxRunBytes = 1_048_576
// the longest line that is read
const maxDataBytes = 256 * 1024 * 1024

const packedMark = 0

/** Columns of an event, in the order of `eventColumns`. */
export type StoredEvent = readonly StoredValue[]

/** What is selected of an event. TEXT is cast: see Store. */
export const eventColumns: string =
  "CAST(type AS BLOB), seq, time, typeof(data) = 'blob', CAST(data AS BLOB), source_event_seqs, CAST(surface_op AS BLOB), ignorable"

/**
 * Numbers of a list of sources: the first absolute, the others as zig-zag differences, each a LEB128
 * varint in its shortest form. null where the bytes are none.
 */
const sourceSeqs = (bytes: Uint8Array): readonly number[] | null => {
  const seqs: number[] = []
  for (let at = 0; at < bytes.length;) {
    let value = 0
    let scale = 1
    for (;;) {
      const byte = bytes[at++]
      if (byte === undefined) return null
      value += (byte & 0x7f) * scale
      if (value > Number.MAX_SAFE_INTEGER * 2) return null
      if (byte < 0x80) {
        // a last group of zeros says nothing
        if (byte === 0 && scale > 1) return null
        break
      }
      scale *= 0x80
    }
    const before = seqs.at(-1)
    const step = value % 2 === 0 ? value / 2 : -(value + 1) / 2
    const seq = before === undefined ? value : before + step
    if (!isCount(seq)) return null
    seqs.push(seq)
  }
  return seqs
}

/** JSON text of a payload, inflated where it is a Zstandard frame; null where it is none. */
const dataText = (isBlob: boolean, value: Uint8Array, decoder: ZstdDecoder): string | null => {
  let bytes = value
  if (isBlob) {
    const frame = frameAt(memoryWindow(value), 0)
    if ("code" in frame || frame.isTorn || frame.end !== value.length) return null
    const boundBytes = frame.declaredBytes ?? frame.boundBytes
    if (boundBytes > maxDataBytes) return null
    const content = decoder.whole(value, boundBytes)
    if (content === null) return null
    bytes = content
  }
  return isStoredText(bytes) ? storedText(bytes) : null
}

/** The value of JSON text, or undefined where it is none. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

// between the tokens of JSON a newline is white space, inside a string it cannot be
const onOneLine = (json: string): string => json.replaceAll(/[\r\n]/g, " ")

const membersOf = (data: unknown): number => {
  if (typeof data !== "object" || data === null) return 0
  const members: unknown = "texts" in data ? data.texts : "args" in data ? data.args : null
  return Array.isArray(members) ? members.length : 0
}

/**
 * The line of an event, as the same store kept in lines would have it.
 *
 * shape   a row that cannot be such a line becomes its beginning, which is no JSON: so the reader of
 *         lines refuses it where it stands and by its own rules for damage at the end of a log
 * source  facts of the log format 1.8
 */
export const eventLine = (event: StoredEvent, decoder: ZstdDecoder): string => {
  const [type = null, seq, time, isBlob, data, sources = null, surfaceOp = null, mark = null] =
    event
  const typeText = storedText(type)
  const isPacked = mark !== null && Number(mark) === packedMark
  const [seqKey, timeKey] = isPacked ? ["seq0", "time0"] : ["seq", "time"]
  const place = `"${seqKey}":${storedNumber(seq)},"${timeKey}":${storedNumber(time)}`
  const damaged = `{"type":${JSON.stringify(typeText)},${place},"data":`
  const text = data instanceof Uint8Array ? dataText(Number(isBlob) === 1, data, decoder) : null
  if (text === null) return damaged
  const value = parsed(text)
  if (value === undefined) return damaged
  let line = damaged + onOneLine(text)
  if (isPacked) {
    const members = membersOf(value)
    const isRun =
      isRunType(typeText) &&
      sources === null &&
      surfaceOp === null &&
      members >= minRunMembers &&
      members <= maxRunMembers &&
      Buffer.byteLength(text) <= maxRunBytes
    return isRun ? `${line}}` : damaged
  }
  if (sources !== null) {
    const seqs = sources instanceof Uint8Array ? sourceSeqs(sources) : null
    if (seqs === null) return damaged
    line += `,"sourceEventSeqs":${JSON.stringify(seqs)}`
  }
  if (surfaceOp !== null) {
    const op = storedText(surfaceOp)
    if (parsed(op) === undefined) return damaged
    line += `,"surfaceOp":${onOneLine(op)}`
  }
  return `${line}${mark === null ? "" : ',"ignorable":true'}}`
}
