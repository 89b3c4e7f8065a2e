import { describe, expect, it } from "vitest"
import type { Expected } from "./expected.ts"
import { codesIn } from "./expected.ts"

const developerMessages: readonly Expected[] = [
  ["R67a", [["header-seq-not-header", 3]]],
  ["R67b", [["header-seq-not-header", 3]]],
  ["R68a", [["tool-definition-missing", 3]]],
  ["R68b", [["tool-definition-missing", 3]]],
  ["R68c", [["tool-definition-missing", 3]]],
  ["R68-valid", []],
]

const markersSourcesAndReplacements: readonly Expected[] = [
  ["R70a", [["surface-op-forbidden", 0]]],
  ["R70b", [["sources-forbidden", 1]]],
  ["R71a", [["surface-op-missing", 0]]],
  ["R71b", [["surface-op-shape", 1]]],
  ["R72a", [["endpoint-not-earlier", 1]]],
  ["R72b", [["endpoint-not-on-surface", 1]]],
  ["R72c", [["range-reversed", 2]]],
  ["R73a", [["sources-empty", 0]]],
  ["R73b", [["sources-repeated", 1]]],
  ["R73c", [["source-not-earlier", 1]]],
  ["R73d", [["sources-forbidden", 2]]],
  ["R74a", [["source-missing", 2]]],
  ["R75a", [["head-protected", 3]]],
  ["R75b", [["head-protected", 4]]],
  ["R75-valid", []],
]

const aHeadThatWasNeverThere: readonly Expected[] = [
  ["R76a", [["head-absent", 3]]],
  ["R76b", [["head-absent", 3]]],
  ["R76c", [["head-absent", 3]]],
]

const rewritesAndProjections: readonly Expected[] = [
  ["R77a", [["tool-result-range", 5]]],
  ["R77b", [["tool-result-changed", 5]]],
  ["R78a", [["projection-target", 1]]],
  ["R78b", [["projection-shape", 1]]],
  ["R78c", [["projection-image", 1]]],
]

describe("rules about the surface", () => {
  it.each(developerMessages)("RU3: developer messages: %s", (file, findings) => {
    expect(codesIn(file)).toStrictEqual(findings)
  })

  it.each(markersSourcesAndReplacements)(
    "RU3: markers, sources and replacements: %s",
    (file, findings) => {
      expect(codesIn(file)).toStrictEqual(findings)
    },
  )

  it.each(aHeadThatWasNeverThere)("RU21: a head that was never there: %s", (file, findings) => {
    expect(codesIn(file)).toStrictEqual(findings)
  })

  it.each(rewritesAndProjections)("RU3: rewrites and projections: %s", (file, findings) => {
    expect(codesIn(file)).toStrictEqual(findings)
  })
})
