import { describe, expect, it } from "vitest"
import type { ContainerEntries } from "#workers/container/container"
import { entriesOf } from "#workers/container/entries"
import { temporaryFolder } from "../../shell/folder.ts"
import type { Decoded } from "./decoding.ts"
import { collected, withOpen, zipOf } from "./decoding.ts"

const folder = temporaryFolder()

interface Listed {
  readonly names: readonly string[]
  readonly logs: readonly Decoded[]
  readonly fault: object | null
}

const isLog = (name: string): boolean => name.endsWith("session.jsonl")

const listed = (archive: Uint8Array): Promise<Listed> =>
  withOpen(folder.file("export.zip", archive), async (open) => {
    const found = await entriesOf(open, "zip", { isLog, temporaryFolder: folder.path })
    if ("code" in found) return { names: [], logs: [], fault: found }
    return { ...(await decodedEntries(found)), fault: null }
  })

const decodedEntries = async (found: ContainerEntries): Promise<Omit<Listed, "fault">> => {
  const logs: Decoded[] = []
  for (const entry of found.entries) logs.push(await collected(entry.decode))
  found.close()
  return { names: found.entries.map(({ name }) => name), logs }
}

const root = '{"type":"session","id":"root"}\n{"seq":0}\n'
const child = '{"type":"session","id":"child"}\n'

describe("a zip export", () => {
  it("CN14: holds a log an entry, in the order of its directory", async () => {
    const { names, logs, fault } = await listed(
      zipOf([
        { name: "session.jsonl", content: root },
        { name: "subagents/b/session.jsonl", content: child, isStored: true },
        { name: "subagents/a/", content: "" },
        { name: "subagents/a/session.jsonl", content: "" },
        { name: "media/1.png", content: "no log" },
      ]),
    )
    expect(fault).toBeNull()
    expect(names).toStrictEqual([
      "session.jsonl",
      "subagents/b/session.jsonl",
      "subagents/a/session.jsonl",
    ])
    expect(logs.map(({ text }) => text)).toStrictEqual([root, child, ""])
    expect(logs[0]?.end).toStrictEqual({
      fault: null,
      torn: null,
      decodedBytes: root.length,
      verifiedBytes: root.length,
      frames: 1,
    })
  })

  it("CN14: may be empty", async () => {
    expect(await listed(zipOf([]))).toStrictEqual({ names: [], logs: [], fault: null })
  })

  it("CN14: an entry whose content is not as the directory says is at fault, the others are not", async () => {
    const good = { name: "a/session.jsonl", content: root }
    const bytes = zipOf([
      good,
      { name: "b/session.jsonl", content: child, checksum: 1 },
      { name: "c/session.jsonl", content: root.repeat(50) },
      { name: "d/session.jsonl", content: child },
    ])
    const at = (name: string): number => bytes.indexOf(`${name}/session.jsonl`) - 30
    // a deflate block of the reserved type
    bytes[at("c") + 30 + 15] = 0x07
    const { logs } = await listed(bytes)
    const content = (byteOffset: number): object => ({
      code: "container-corrupt",
      what: "content",
      byteOffset,
    })
    expect(logs.map(({ end }) => end.fault)).toStrictEqual([
      null,
      content(at("b")),
      content(at("c")),
      null,
    ])
    expect(logs[1]).toMatchObject({ text: child, end: { verifiedBytes: 0, frames: 0 } })
    expect(logs[3]?.text).toBe(child)
  })

  it("CN14: what is encrypted or packed otherwise is not supported", async () => {
    const bytes = zipOf([{ name: "session.jsonl", content: root }])
    // the method of the directory: LZMA
    bytes.writeUInt16LE(14, bytes.indexOf("504b0102", "hex") + 10)
    expect((await listed(bytes)).logs[0]?.end.fault).toStrictEqual({
      code: "container-unsupported",
      errno: null,
    })
  })

  it("CN14: without a sound directory there are no logs", async () => {
    const whole = zipOf([
      { name: "session.jsonl", content: root },
      { name: "x/session.jsonl", content: child },
    ])
    const fault = { code: "container-corrupt", what: "central-directory", byteOffset: 0 }
    const broken = Buffer.from(whole)
    broken[whole.indexOf("504b0102", "hex")] = 0
    for (const bytes of [whole.subarray(0, -1), whole.subarray(0, 40), broken])
      expect((await listed(bytes)).fault).toStrictEqual(fault)
    const escaping = zipOf([{ name: "../session.jsonl", content: root }])
    expect((await listed(escaping)).fault).toStrictEqual(fault)
  })

  it("CN14: an entry of any ratio is inflated piece by piece, and stops when told so", async () => {
    const line = `${" ".repeat(99)}\n`
    const bomb = zipOf([{ name: "session.jsonl", content: line.repeat(200_000) }])
    expect(bomb.length).toBeLessThan(100_000)
    const { logs } = await listed(bomb)
    expect(logs[0]?.end).toMatchObject({ fault: null, decodedBytes: 20_000_000 })
    expect(Math.max(...(logs[0]?.chunks ?? []))).toBeLessThanOrEqual(1024 * 1024)
    const stopped = await withOpen(folder.file("bomb.zip", bomb), async (open) => {
      const found = await entriesOf(open, "zip", { isLog, temporaryFolder: folder.path })
      return "code" in found ? null : found.entries[0]?.decode(() => false)
    })
    expect(stopped).toMatchObject({ fault: null, decodedBytes: 1024 * 1024 })
  })
})
