import { readFileSync } from "node:fs"
import { isLeft, right } from "fp-ts/lib/Either.js"
import type { Either } from "fp-ts/lib/Either.js"
import * as t from "io-ts"
import { ProjectionCache } from "refold"
import { builtInUnits, headerOf, noUnits, registerUnits, restoreLog } from "refold/core"
import type { EventSlice, JsonValue, ProjectionDefinition, SessionEvent } from "refold/core"

type Calls = Readonly<Record<string, number>>
const callsCodec = t.record(t.string, t.number)

// how often each tool was called: an own unit beside those that come with the library
const toolCalls: ProjectionDefinition<Calls, Calls> = {
  key: "toolCalls",
  stateVersion: 1,
  codec: callsCodec,
  reads: new Set(["tool/call"]),
  init: () => ({}),
  apply: (calls, _facts, data) => {
    if (data === undefined) return right(calls)
    const { name } = data as { readonly name: string }
    return right({ ...calls, [name]: (calls[name] ?? 0) + 1 })
  },
  wire: { codec: callsCodec, view: (calls) => calls },
}

const sure = <A>(verdict: Either<{ readonly code: string }, A>): A => {
  if (isLeft(verdict)) throw new Error(verdict.left.code)
  return verdict.right
}

const [path = "session.v4.jsonl", folder = "cache"] = process.argv.slice(2)
const [first = "", ...lines] = readFileSync(path, "utf8").split("\n").slice(0, -1)
const header = sure(headerOf(JSON.parse(first) as JsonValue))
const eventsFrom = (baseSeq: number): EventSlice => ({
  baseSeq,
  events: lines.slice(baseSeq).map((line) => JSON.parse(line) as SessionEvent),
})

const registry = sure(registerUnits(noUnits, [...builtInUnits, toolCalls]))
const cache = await ProjectionCache.open(folder)
console.log("without the log:", sure(cache.snapshot(registry, header, ["toolCalls"])))

const { rows, inheritedEventCount } = cache.known(header, null)
const inherited = inheritedEventCount ?? 0
const { snapshot, rows: next } = sure(restoreLog(registry, rows, eventsFrom, header, inherited))
const { asOfSeq, values } = snapshot
console.log("as of", asOfSeq, values["toolCalls"], values["tokenUsage"])

// all of the log that was read is on the disk, so what is stored cannot be ahead of it
cache.write(header, inherited, next, asOfSeq)
cache.close()
