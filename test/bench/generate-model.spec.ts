import { readFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { foldSurface } from "@deepseek-ai/dsh-session/surface"
import { afterAll, describe, expect, it } from "vitest"
import { writeArchive } from "../../bench/generate/archive.ts"
import { writeBigLog } from "../../bench/generate/big-log.ts"
import { formatVersions } from "../../bench/generate/dialect.ts"
import { shapeNames } from "../../bench/generate/shapes.ts"

type Row = {
  readonly type: string
  readonly seq?: number
  readonly seq0?: number
  readonly data: { readonly texts?: readonly string[]; readonly args?: readonly string[] }
  readonly sourceEventSeqs?: readonly (number | readonly [number, number])[]
  readonly surfaceOp?: "append" | Readonly<Record<string, number | string>>
  readonly ignorable?: true
}

const rowsOf = (text: string): readonly Row[] => {
  const [, ...lines] = text.slice(0, text.lastIndexOf("\n")).split("\n")
  return lines.map((line): Row => JSON.parse(line))
}

const expand = (sources: Row["sourceEventSeqs"]): readonly number[] =>
  (sources ?? []).flatMap((item) =>
    typeof item === "number"
      ? item
      : Array.from({ length: item[1] - item[0] + 1 }, (_, i) => item[0] + i),
  )

const membersOf = (row: Row): number => (row.data.texts ?? row.data.args ?? []).length

// Reads a log with nothing but an array: a check of the writer from the outside.
const readNaively = (text: string) => {
  const nodes: number[] = []
  const replacements: object[] = []
  let seq = 0
  let uncited = 0
  let logOnly = 0
  for (const row of rowsOf(text)) {
    if (row.seq0 !== undefined) {
      expect(row.seq0).toBe(seq)
      seq += membersOf(row)
      logOnly += membersOf(row)
      continue
    }
    expect(row.seq).toBe(seq)
    const op = row.ignorable === true ? undefined : row.surfaceOp
    if (op === undefined) logOnly++
    else if (op === "append") nodes.push(seq)
    else {
      const start = Number(op["start"] ?? op["startSeq"])
      const end = Number(op["end"] ?? op["endSeq"])
      const from = nodes.indexOf(start)
      const shadowedSeqs = nodes.splice(from, nodes.indexOf(end) - from + 1, seq)
      const sources = new Set(expand(row.sourceEventSeqs))
      uncited += shadowedSeqs.filter((shadowed) => !sources.has(shadowed)).length
      replacements.push({ seq, start, end, shadowedSeqs })
    }
    seq++
  }
  return { nodes, replacements, eventCount: seq, uncited, logOnlyShare: logOnly / seq }
}

type PublicEvents = Parameters<typeof foldSurface>[0]

// Rows as the public fold takes them: sources as numbers, packed rows one by one.
const eventsOf = (text: string): PublicEvents => {
  const events: object[] = []
  for (const row of rowsOf(text)) {
    const { seq0, sourceEventSeqs } = row
    if (seq0 === undefined) {
      events.push(sourceEventSeqs ? { ...row, sourceEventSeqs: expand(sourceEventSeqs) } : row)
      continue
    }
    for (let k = 0; k < membersOf(row); k++) {
      events.push({ type: "assistant/chunk", seq: seq0 + k, time: 0, data: {} })
    }
  }
  return events as unknown as PublicEvents
}

const folder = mkdtempSync(join(tmpdir(), "refold-model-"))
afterAll(() => rmSync(folder, { recursive: true }))

describe.each(formatVersions)("format %i", (format) => {
  it.each(shapeNames)("the model of a %s log agrees with its rows", (shape) => {
    const path = join(folder, `${shape}-${format}`)
    const { summary } = writeBigLog(path, { shape, format, seed: 11, bytes: 600_000 })
    const read = readNaively(readFileSync(path, "utf8"))
    expect(read).toMatchObject({
      nodes: summary.nodes,
      replacements: summary.replacements,
      eventCount: summary.eventCount,
      uncited: 0,
    })
    if (shape === "mixed") expect(Math.abs(read.logOnlyShare - 0.8)).toBeLessThan(0.05)
  })

  it("the model of an archive agrees with its rows", () => {
    const request = { shape: "mixed", format, seed: 5, count: 12, bytes: 60_000 } as const
    const root = join(folder, `archive-${format}`)
    for (const { path, summary } of writeArchive(root, request)) {
      expect(readNaively(readFileSync(join(root, path), "utf8"))).toMatchObject({
        nodes: summary.nodes,
        replacements: summary.replacements,
        eventCount: summary.eventCount,
        uncited: 0,
      })
    }
  })
})

describe("the public fold of format 0", () => {
  it.each(shapeNames)("agrees with the model of a %s log", (shape) => {
    const path = join(folder, `public-${shape}`)
    const { summary } = writeBigLog(path, { shape, format: 0, seed: 12, bytes: 600_000 })
    const folded = foldSurface(eventsOf(readFileSync(path, "utf8")))
    expect(folded.nodes).toEqual(summary.nodes)
    expect(folded.replacements).toEqual(summary.replacements)
  })
})

describe("uncompacted logs", () => {
  it("rewrite one node in every fifth surface event", () => {
    const path = join(folder, "share")
    const request = { shape: "uncompacted", format: 4, seed: 2, bytes: 1_000_000 } as const
    const { nodes, replacements } = writeBigLog(path, request).summary
    expect(replacements.length / (nodes.length + replacements.length)).toBeCloseTo(0.2, 2)
    expect(replacements.every(({ shadowedSeqs }) => shadowedSeqs.length === 1)).toBe(true)
  })
})
