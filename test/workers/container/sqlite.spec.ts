import { readdirSync, statSync, chmodSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { entriesOf } from "#workers/container/entries"
import { zstdFrame } from "../../../bench/generate/zstd-frames.ts"
import { withOpen } from "./decoding.ts"
import type { EventRow, SessionRow } from "./store.ts"
import { newStore, storeFolder } from "./store.ts"

const { listed, place, temporary } = storeFolder()

/** The lines of a store with one session. */
const linesOf = async (
  events: readonly EventRow[],
  session: SessionRow = { id: "s" },
): Promise<readonly string[]> => {
  const path = place()
  newStore(path, [[session, events]]).close()
  const found = await listed(path)
  return "texts" in found ? (found.texts[0] ?? "").split("\n") : []
}

const header = '{"type":"session","version":0,"id":"s","createdAt":1,"delegationDepth":0}'

describe("a store of format 0", () => {
  it("CN15: holds a log a session, the oldest first", async () => {
    const path = place()
    newStore(path, [
      [{ id: "late", createdAt: 20 }, [{ seq: 0, data: "{}" }]],
      [
        {
          id: 'ea"rly',
          createdAt: 10,
          cwd: "/home/x\u00fc",
          parent: "p",
          seedLength: 3,
          origin: "subagent",
          depth: 2,
          preset: "build",
        },
        [
          { seq: 1, time: 7, data: '{"b":2}' },
          { seq: 0, time: -6, type: "x/y", data: '{"a":"\u{1f600}"}' },
        ],
      ],
    ]).close()
    expect(await listed(path)).toStrictEqual({
      names: ['ea"rly', "late"],
      texts: [
        '{"type":"session","version":0,"id":"ea\\"rly","createdAt":10,"cwd":"/home/x\u00fc",' +
          '"parentSession":"p","seedLength":3,"origin":"subagent","delegationDepth":2,"agentPreset":"build"}\n' +
          '{"type":"x/y","seq":0,"time":-6,"data":{"a":"\u{1f600}"}}\n' +
          '{"type":"plan/mode","seq":1,"time":7,"data":{"b":2}}\n',
        '{"type":"session","version":0,"id":"late","createdAt":20,"delegationDepth":0}\n' +
          '{"type":"plan/mode","seq":0,"time":5,"data":{}}\n',
      ],
      faults: [null, null],
    })
  })

  it("CN16: sources, surface operation and mark become fields of the line", async () => {
    const lines = await linesOf([
      // 300 = 0xac 0x02, then +1 = zig-zag 2, then -2 = zig-zag 3
      { seq: 400, data: "{}", sources: Buffer.from([0xac, 0x02, 2, 3]), op: '"append"' },
      { seq: 401, data: "{}", sources: Buffer.alloc(0), op: '{"op":"replace","start":1,"end":2}' },
      { seq: 402, data: "{}", ignorable: 1 },
      { seq: 9007199254740993n, data: "{}" },
    ])
    const row = (seq: string, rest: string): string =>
      `{"type":"plan/mode","seq":${seq},"time":5,"data":{}${rest}}`
    expect(lines).toStrictEqual([
      header,
      row("400", ',"sourceEventSeqs":[300,301,299],"surfaceOp":"append"'),
      row("401", ',"sourceEventSeqs":[],"surfaceOp":{"op":"replace","start":1,"end":2}'),
      row("402", ',"ignorable":true'),
      row("9007199254740993", ""),
      "",
    ])
  })

  it("CN16: a compressed payload is inflated, a payload of several lines is one line", async () => {
    const data = `{"text":"${"x".repeat(5000)}"}`
    expect(
      await linesOf([
        { seq: 0, data: zstdFrame(data) },
        { seq: 1, data: zstdFrame(data, { declaredBytes: null }) },
        { seq: 2, data: '{\r\n"a":\n1}' },
      ]),
    ).toStrictEqual([
      header,
      `{"type":"plan/mode","seq":0,"time":5,"data":${data}}`,
      `{"type":"plan/mode","seq":1,"time":5,"data":${data}}`,
      '{"type":"plan/mode","seq":2,"time":5,"data":{  "a": 1}}',
      "",
    ])
  })

  it("CN16: a packed row is a run of chunks, within the limits of the store", async () => {
    const run = (members: number, text = "t"): string =>
      JSON.stringify({ turn: 1, step: 1, index: 0, dt: [], texts: Array(members).fill(text) })
    const packed = { type: "text-chunks", ignorable: 0 } as const
    const lines = await linesOf([
      { seq: 0, ...packed, data: run(3) },
      { seq: 3, ...packed, data: run(1024) },
      { seq: 1027, ...packed, type: "tool-call-chunks", data: '{"args":["a","b","c"]}' },
      { seq: 2000, ...packed, data: run(2) },
      { seq: 2001, ...packed, data: run(1025) },
      { seq: 2002, ...packed, data: run(3, "x".repeat(400_000)) },
      { seq: 2003, ...packed, type: "plan/mode", data: run(3) },
      { seq: 2004, ...packed, data: run(3), op: '"append"' },
      { seq: 2005, ...packed, data: run(3), sources: Buffer.from([1]) },
    ])
    const cut = (seq: number, type = "text-chunks"): string =>
      `{"type":"${type}","seq0":${seq},"time0":5,"data":`
    expect(lines).toStrictEqual([
      header,
      `${cut(0)}${run(3)}}`,
      `${cut(3)}${run(1024)}}`,
      `${cut(1027, "tool-call-chunks")}{"args":["a","b","c"]}}`,
      cut(2000),
      cut(2001),
      cut(2002),
      cut(2003, "plan/mode"),
      cut(2004),
      cut(2005),
      "",
    ])
  })

  it("CN17: a row that cannot be a line is one that is cut, where it stands", async () => {
    const frame = zstdFrame('{"a":1}')
    const bad: readonly Omit<EventRow, "seq">[] = [
      { data: "{" },
      { data: "" },
      { data: '{} , "ignorable": true' },
      { data: frame.subarray(0, -1) },
      { data: Buffer.concat([frame, frame]) },
      { data: Buffer.from('{"a":1}') },
      { data: zstdFrame(Buffer.from([0x22, 0xff, 0x22])) },
      { data: "{}", op: "append" },
      { data: "{}", sources: Buffer.from([0x80]) },
      // 1 in two bytes where one is enough
      { data: "{}", sources: Buffer.from([0x81, 0x00]) },
      // 0, then a step below it
      { data: "{}", sources: Buffer.from([0, 1]) },
      { data: "{}", sources: Buffer.from("ffffffffffffffffff01", "hex") },
    ]
    const lines = await linesOf(
      bad.map((row, seq) => ({ ...row, seq })).concat([{ seq: 99, data: "{}" }]),
    )
    expect(lines).toStrictEqual([
      header,
      ...bad.map((_, seq) => `{"type":"plan/mode","seq":${seq},"time":5,"data":`),
      '{"type":"plan/mode","seq":99,"time":5,"data":{}}',
      "",
    ])
  })

  it("CN17: text that is no UTF-8 is a cut row too", async () => {
    const path = place()
    const database = newStore(path, [[{ id: "s" }, [{ seq: 0, data: "{}" }]]])
    database.exec("UPDATE events SET data = CAST(x'22ff22' AS TEXT)")
    database.close()
    expect(await listed(path)).toMatchObject({
      texts: [`${header}\n{"type":"plan/mode","seq":0,"time":5,"data":\n`],
    })
  })
})

/** Names and times of all files in the folder of a store. */
const filesBeside = (path: string): readonly (readonly [string, number])[] =>
  readdirSync(dirname(path)).map((name) => [name, statSync(join(dirname(path), name)).mtimeMs])

describe("the source of a store", () => {
  it("CN18: is read with its write-ahead log and stays as it is", async () => {
    const path = place()
    const database = newStore(path, [[{ id: "s" }, [{ seq: 0, data: "{}" }]]], "wal")
    const before = filesBeside(path)
    expect(before.map(([name]) => name)).toContain("sessions.db-wal")
    expect(await listed(path)).toMatchObject({
      texts: [`${header}\n{"type":"plan/mode","seq":0,"time":5,"data":{}}\n`],
    })
    expect(filesBeside(path)).toStrictEqual(before)
    database.close()
  })

  it("CN18: may be read-only, and its copy is gone when it is closed", async () => {
    const path = place()
    newStore(path, [[{ id: "s" }, []]]).close()
    chmodSync(path, 0o400)
    const during = await withOpen(path, async (open) => {
      const found = await entriesOf(open, "sqlite", {
        isLog: () => true,
        temporaryFolder: temporary,
      })
      if ("code" in found) return found
      const copies = readdirSync(temporary)
      const mode = statSync(`${temporary}/${copies[0]}`).mode & 0o777
      found.close()
      return { copies: copies.length, mode }
    })
    expect(during).toStrictEqual({ copies: 1, mode: 0o700 })
    expect(readdirSync(temporary)).toStrictEqual([])
  })
})

it("CN12: a session stops when told so, and its store can be closed then", async () => {
  const path = place()
  const data = JSON.stringify("x".repeat(100_000))
  newStore(path, [[{ id: "s" }, Array.from({ length: 30 }, (_, seq) => ({ seq, data }))]]).close()
  const end = await withOpen(path, async (open) => {
    const found = await entriesOf(open, "sqlite", { isLog: () => true, temporaryFolder: temporary })
    if ("code" in found) return found
    const stopped = await found.entries[0]?.decode(() => false)
    found.close()
    return stopped
  })
  expect(end).toMatchObject({ fault: null, decodedBytes: 1024 * 1024 })
  expect(readdirSync(temporary)).toStrictEqual([])
})
