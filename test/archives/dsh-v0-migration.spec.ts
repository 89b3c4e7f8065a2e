import { readFileSync, readdirSync } from "node:fs"
import { expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import { isJsonArray, isJsonObject } from "#core/data/json"
import { derivedOf, expectedMessages, migrate, textOf } from "../fixtures/migration.ts"
import { readLog } from "../fixtures/log-in-memory.ts"
import { describeShared } from "../shared.ts"

interface Log {
  readonly name: string
  readonly header: JsonObject
  readonly rows: readonly JsonObject[]
}

const inner = (value: JsonValue | undefined, key: string): JsonValue | undefined =>
  isJsonObject(value) ? value[key] : undefined

const largest = (cited: JsonValue | undefined): number =>
  isJsonArray(cited) ? Math.max(-1, ...cited.flat(1).map(Number)) : -1

// what stands against a log, read off its rows
const naiveCauses = ({ rows }: Log): readonly JsonObject[] => {
  const causes: JsonObject[] = []
  let hasStep = false
  for (const row of rows) {
    const { type, seq, data, sourceEventSeqs } = row
    if (type === "step/start") hasStep = true
    const tools = inner(inner(data, "header"), "tools")
    const isLate = largest(sourceEventSeqs) >= Number(seq)
    if (isJsonArray(tools) && tools.some((tool) => typeof tool === "string"))
      causes.push({ code: "payload-shape", class: "malformed", seq: seq ?? null, from: 0 })
    else if (isLate)
      causes.push({ code: "source-not-earlier", class: "malformed", seq: seq ?? null, from: 0 })
    else if (row["surfaceOp"] !== undefined && !hasStep)
      causes.push({ code: "surface-before-step", class: "unsupported", seq: seq ?? null, from: 2 })
  }
  return causes
}

const isDescriptor = ({ type }: JsonObject): boolean => type === "subagent/descriptor"

describeShared("the real logs of format 0 on their way to format 4", (shared) => {
  const root = `${shared}/archives/dsh-v0`
  const logs: readonly Log[] = readdirSync(root, { recursive: true })
    .map((path) => String(path).replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".jsonl"))
    .toSorted()
    .map((path) => {
      const lines = readFileSync(`${root}/${path}`, "utf8").trimEnd().split("\n")
      const [header = {}, ...rows] = lines.map((line) => JSON.parse(line) as JsonObject)
      return { name: path.split("/").at(-2) ?? "", header, rows }
    })

  it.each(logs)(
    "MI40: $name migrates with equal messages, or for the causes in its rows",
    (log) => {
      const { header, rows } = log
      const migrated = migrate(0, 4, header, rows)
      const expected = naiveCauses(log)
      const briefly = migrated.causes.map(({ code, class: of, seq, from }) => ({
        code,
        class: of,
        seq,
        from,
      }))
      expect(briefly.toSorted((a, b) => (a.seq ?? 0) - (b.seq ?? 0))).toStrictEqual(expected)
      if (expected.length > 0) return
      expect(readLog(textOf(migrated), { namedVersion: 4 })).toMatchObject({
        status: "ok",
        refusal: null,
        tail: null,
      })
      const messages = derivedOf(migrated.header, migrated.rows).entries.map(
        ({ message }) => message,
      )
      expect(messages).toEqual(expectedMessages(0, 4, header, rows))
    },
  )

  it("MI40: 75 migrate; 20 speak before a step, 2 name their tools, 1 cites what is to come", () => {
    const verdicts = new Map<string, string[]>()
    for (const log of logs) {
      const { causes } = migrate(0, 4, log.header, log.rows)
      const verdict = [...new Set(causes.map(({ code }) => code))].toSorted().join(" ")
      verdicts.set(verdict, [...(verdicts.get(verdict) ?? []), log.name])
    }
    const counts = [...verdicts].map(([verdict, names]) => [verdict, names.length])
    expect(Object.fromEntries(counts)).toStrictEqual({
      "": 75,
      "surface-before-step": 20,
      "payload-shape": 2,
      "source-not-earlier surface-before-step": 1,
    })
    expect(verdicts.get("payload-shape")).toStrictEqual([
      "advanced-session-1-beda6f86",
      "advanced-session-2-3929ec9e",
    ])
    expect(verdicts.get("source-not-earlier surface-before-step")).toStrictEqual([
      "cordis-tool-round-session-3f98ff9b",
    ])
  })

  it.each([1, 2] as const)(
    "MI40: to format %d all migrate but 3, those from before messages had ids too",
    (to) => {
      const refused: string[] = []
      for (const { name, header, rows } of logs) {
        const migrated = migrate(0, to, header, rows)
        if (migrated.causes.length > 0) refused.push(name)
        else
          expect(readLog(textOf(migrated), { namedVersion: to })).toMatchObject({
            status: "ok",
            refusal: null,
          })
      }
      expect(refused.toSorted()).toStrictEqual([
        "advanced-session-1-beda6f86",
        "advanced-session-2-3929ec9e",
        "cordis-tool-round-session-3f98ff9b",
      ])
    },
  )

  it("MI17: the 17 children with a descriptor of version 2 migrate where nothing else is wrong", () => {
    const children = logs.filter((log) => log.rows.some(isDescriptor))
    expect(children).toHaveLength(19)
    const free = children.filter((log) => naiveCauses(log).length === 0)
    expect(free).toHaveLength(17)
    for (const { header, rows } of free) {
      const versions = (all: readonly JsonObject[]): unknown[] =>
        all.filter(isDescriptor).map(({ data }) => inner(data, "version"))
      expect(versions(rows)).toStrictEqual([2])
      expect(versions(migrate(0, 4, header, rows).rows)).toStrictEqual([3])
    }
  })
})
