import { readdirSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { layerOf } from "#core/fold/code-layer"
import { codesIn, sha256OfFixtures } from "../format/lifecycle/expected.ts"
import { checkLog } from "../../fixtures/checked-in-full.ts"
import { fixtureText } from "../../fixtures/log-in-memory.ts"

const files = readdirSync(new URL("../../fixtures/rules", import.meta.url))
  .map((name) => name.replace(".jsonl", ""))
  .toSorted()

/** What a provider would refuse in some of them, besides. */
const refusedByProviders: Readonly<Record<string, readonly (readonly [string, number])[]>> = {
  R47a: [["call-without-result", 2]],
  R48a: [["result-without-call", 3]],
  R49a: [["result-without-call", 2]],
  R49b: [["result-without-call", 5]],
  R49c: [["result-without-call", 2]],
}

describe("the check of the logs that break one rule each", () => {
  it.each(files)("CK21: %s: what its table says, and nothing that follows from it", (file) => {
    const { found } = checkLog(fixtureText(`rules/${file}.jsonl`), { sha256: sha256OfFixtures })
    const told = found.map(({ finding }) => ({
      isAcceptance: layerOf(finding.code) === "acceptance",
      told: [finding.code, "seq" in finding ? finding.seq : null],
    }))
    const codes = (isAcceptance: boolean): readonly unknown[] =>
      told.filter((each) => each.isAcceptance === isAcceptance).map((each) => each.told)
    expect(codes(false)).toStrictEqual(codesIn(file))
    expect(codes(true)).toStrictEqual(refusedByProviders[file] ?? [])
  })
})
