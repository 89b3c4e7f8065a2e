import { writeSync } from "node:fs"
import { isLeft } from "fp-ts/lib/Either.js"
import type { JsonObject, JsonValue } from "../core/data/json.ts"
import { isJsonObject } from "../core/data/json.ts"
import { openHeader } from "../core/fold/open-header.ts"
import type { MigrationCause } from "../core/format/edges/cause.ts"
import type { ChildEvidence } from "../core/format/edges/child-evidence.ts"
import type { Edge, EdgeRun } from "../core/format/edges/edge.ts"
import { upgradePath } from "../core/format/edges/path.ts"
import { ProofNotes } from "../core/format/edges/proof-notes.ts"
import type { SeqMap } from "../core/format/edges/seq-map.ts"
import { newSeqOf } from "../core/format/edges/seq-map.ts"
import type { FormatVersion } from "../core/format/format.ts"
import { parseLine } from "../core/log/row.ts"
import { sha256 } from "./check-log.ts"
import type { OpenLog } from "./log-file.ts"
import { readLines } from "./log-lines.ts"

/** Causes of one code that are kept of one log; the others are counted. */
const keptCauses = 1000
const flushBytes = 1024 * 1024

/** What the rows of an upgraded log depend on. */
export interface Upgraded {
  readonly from: FormatVersion
  readonly causes: readonly MigrationCause[]
  readonly causeCount: number
  readonly map: SeqMap
  readonly notes: ProofNotes
  /** Where the header that set the prompt is in format 2, of whose events its id is made. */
  readonly promptAnchor: number
}

/** Writes lines to a descriptor, many at a time. */
class LineWriter {
  private readonly descriptor: number
  private text = ""
  // said aloud: a file that was lent before keeps a place of its own
  private position = 0

  constructor(descriptor: number) {
    this.descriptor = descriptor
  }

  line(row: JsonValue): void {
    this.text += `${JSON.stringify(row)}\n`
    if (this.text.length > flushBytes) this.flush()
  }

  flush(): void {
    const bytes = Buffer.from(this.text)
    this.text = ""
    for (let written = 0; written < bytes.length;) {
      const room = bytes.length - written
      const more = writeSync(this.descriptor, bytes, written, room, this.position)
      written += more
      this.position += more
    }
  }
}

class Causes {
  readonly kept: MigrationCause[] = []
  count = 0
  private readonly counts: Map<string, number> = new Map()

  add(cause: MigrationCause): void {
    this.count++
    const count = (this.counts.get(cause.code) ?? 0) + 1
    this.counts.set(cause.code, count)
    if (count <= keptCauses) this.kept.push(cause)
  }
}

// seqs of the log that was read, in format 2: asked where a prompt moves into the surface
const secondRun = (
  from: FormatVersion,
  to: FormatVersion,
  header: JsonObject,
  children: readonly ChildEvidence[] | null,
): EdgeRun | null => {
  const edge = from < 2 && to > 2 ? upgradePath(from, 2) : null
  const outlet = { row: () => {}, cause: () => {} }
  return edge?.begin(header, { sha256, children }, outlet) ?? null
}

/**
 * Writes a log as one of a later format.
 *
 * shape   null where the log has no header, or is of that format or a later one already. Once there is a cause,
 *         what was written is worth nothing
 * cost    one pass; memory as the edges say
 */
export const upgradeLog = (
  log: OpenLog,
  to: FormatVersion,
  children: readonly ChildEvidence[] | null,
  descriptor: number,
): Upgraded | null => {
  const out = new LineWriter(descriptor)
  const causes = new Causes()
  const notes = new ProofNotes()
  let from: FormatVersion = to
  let edge: Edge | null = null
  let run: EdgeRun | null = null
  let second: EdgeRun | null = null
  const begin = (text: string): void => {
    const header = openHeader(text, null).header
    if (header === null) return
    from = header.format.version
    edge = from === to ? null : upgradePath(from, to)
    const value = JSON.parse(text) as JsonValue
    if (edge === null || !isJsonObject(value)) return
    out.line(edge.header(value))
    run = edge.begin(
      value,
      { sha256, children },
      { row: (row) => out.line(row), cause: (cause) => causes.add(cause) },
    )
    second = secondRun(from, to, value, children)
  }
  readLines(log.descriptor, { from: 0, to: log.byteCount }, (text) => {
    if (run === null) {
      if (typeof text === "string") begin(text)
      return run !== null
    }
    const row = typeof text === "string" ? parseLine(text) : null
    if (row !== null && !isLeft(row)) {
      notes.step(row.right)
      run.step(row.right)
      second?.step(row.right)
      return true
    }
    const refusal =
      typeof text === "string" ? (row !== null && isLeft(row) ? row.left : null) : text
    const next = Math.min(from + 1, to) as FormatVersion
    if (refusal !== null) causes.add({ ...refusal, class: "malformed", seq: null, from, to: next })
    return true
  })
  const done = run as EdgeRun | null
  if (done === null) return null
  const map = done.end()
  out.flush()
  const earlier = (second as EdgeRun | null)?.end() ?? null
  const promptAnchor =
    earlier === null ? notes.promptSeq : (newSeqOf(earlier, notes.promptSeq) ?? -1)
  return { from, causes: causes.kept, causeCount: causes.count, map, notes, promptAnchor }
}
