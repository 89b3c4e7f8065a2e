import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import { promptMessage } from "#core/format/edges/system-prompt"
import type { FormatVersion } from "#core/format/format"
import { fixtureText, linesOf } from "../../../fixtures/log-in-memory.ts"
import { migrate, sha256, textOf } from "../../../fixtures/migration.ts"

const chainText = (version: number): string => fixtureText(`chain/v${version}.jsonl`)

const rowsOf = (version: number): readonly JsonObject[] =>
  linesOf(chainText(version)).map((line) => JSON.parse(line) as JsonObject)

const ways = [0, 1, 2, 3, 4].flatMap((from) =>
  [0, 1, 2, 3, 4].filter((to) => to >= from).map((to) => [from, to] as const),
) as readonly (readonly [FormatVersion, FormatVersion])[]

describe("one conversation from format to format", () => {
  it.each(ways)("MI5: from %d to %d it becomes, byte for byte, what was worked out", (from, to) => {
    const [header = {}, ...rows] = rowsOf(from)
    const migrated = migrate(from, to, header, rows)
    expect(migrated.causes).toStrictEqual([])
    expect(textOf(migrated)).toBe(chainText(to))
  })

  it("MI9: from 0 to 4 the chunks are gone and the two prompts are new", () => {
    const [header = {}, ...rows] = rowsOf(0)
    expect(migrate(0, 4, header, rows).map).toStrictEqual({
      runs: [
        { oldSeq: 0, newSeq: 0 },
        { oldSeq: 2, newSeq: 3 },
        { oldSeq: 3, newSeq: 5 },
        { oldSeq: 4, newSeq: null },
        { oldSeq: 9, newSeq: 6 },
      ],
      inserted: [
        { newSeq: 2, anchor: 1 },
        { newSeq: 4, anchor: 3 },
      ],
      oldCount: 14,
      newCount: 11,
    })
  })

  it("MI29: ids of made system messages are digests of the session and what they stand for", () => {
    const idAt = (seq: number, type: "step/start" | "request/header"): unknown =>
      promptMessage("demo-session", { seq, type }, "", sha256)["id"]
    expect(idAt(1, "step/start")).toBe(
      "v2-to-v3-system-f22e1ae0a6caadb18e5403ed347b4e4043c5100b5d8aacb6501f3ca0118645f1",
    )
    expect(idAt(3, "request/header")).toBe(
      "v2-to-v3-system-0fcb03b30dba87ef8aa2e25d04855f1f83deaef908da7d7f1adeb4d4822088a2",
    )
  })
})
