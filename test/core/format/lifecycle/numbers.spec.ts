import { describe, expect, it } from "vitest"
import type { Finding, RelationRefusal } from "#core/data/relation-refusal"
import { findingsIn } from "./expected.ts"
import { isRelation } from "#shell/report/relation-text"
import { findingCodes, layerOf } from "#core/fold/code-layer"
import { samples } from "./samples.ts"

describe("the numbers that a finding carries", () => {
  it.each(samples)("RU26: %s: $code", (file, expected) => {
    const found = findingsIn(file).map(({ finding }) => finding)
    expect(found).toContainEqual(expected)
  })

  it("RU26: there is a sample of each code that a rule of these has", () => {
    const known = findingCodes.filter(
      (code) =>
        isRelation({ code } as Finding) &&
        layerOf(code) !== "acceptance" &&
        layerOf(code) !== "sequence",
    )
    const shown = samples.map(([, { code }]): RelationRefusal["code"] => code)
    expect(new Set(shown)).toStrictEqual(new Set(known))
  })
})
