import fc from "fast-check"
import type { JsonArray, JsonObject, JsonValue } from "#core/data/json"
import { replaceMarker, sessionHeader, toolResultData, versions } from "./dialect.ts"
import { jsonValues } from "./json.ts"
import type { Body } from "./lines.ts"
import { contents } from "./lines-odd.ts"
import { twistedText, twists } from "./lines-twisted.ts"

const place = { turn: 1, step: 2 }

/** A tool result and one that is to take its place, as lines of a log. */
export interface Rewrite extends Body {
  /** Whether all bytes but those of the content are the same. */
  readonly isSameText: boolean
}

const metas = fc.oneof(
  jsonValues,
  fc.constantFrom<JsonValue>(1, 0.5, { a: 1, b: { c: [1, 2], d: "é" } }, [{ a: 1 }, "1"]),
)

const texts: fc.Arbitrary<JsonArray> = fc.array(
  fc.string({ unit: "binary", maxLength: 9 }).map((text) => ({ type: "text", text })),
  { maxLength: 2 },
)

// the same number, or the same text, in other bytes
const otherwise = (text: string): string =>
  text.replace(/:(\d+)(?=[,}])/gu, ":$1.0").replace(/"ls"/gu, '"l\\u0073"')

/** Rewrites of tool results: of the content alone, of something else, or of nothing but bytes. */
export const rewrites: fc.Arbitrary<Rewrite> = fc
  .record({
    version: fc.constantFrom(...versions),
    contents: fc.oneof(fc.tuple(texts, texts), fc.tuple(contents, contents)),
    meta: metas,
    how: fc.nat({ max: 5 }),
    twist: twists,
  })
  .map(({ version, contents: [before, after], meta, how, twist }): Rewrite => {
    const data = (content: JsonArray): JsonObject => ({
      ...toolResultData(version, place, "c", content),
      meta,
      name: "ls",
    })
    const marker = JSON.stringify(replaceMarker(version, 0, 0))
    const next = data(after)
    const asWritten = JSON.stringify(next)
    const texts = [
      asWritten,
      asWritten,
      twistedText(next, [twist]),
      JSON.stringify(Object.fromEntries(Object.entries(next).toReversed())),
      otherwise(asWritten),
      JSON.stringify({ ...next, meta: [meta] }),
    ]
    const text = texts[how] ?? asWritten
    const [tags, place0] = ['{"type":"tool/result","seq":', ',"time":5,"data":']
    const first = `${tags}0${place0}${JSON.stringify(data(before))},"surfaceOp":"append"}`
    const second = `${tags}1${place0}${text},"sourceEventSeqs":[0],"surfaceOp":${marker}}`
    return {
      version,
      header: sessionHeader(version, null),
      lines: [Buffer.from(first), Buffer.from(second)],
      isSameText: how < 2,
    }
  })
