import { fixtureText } from "../../../fixtures/log-in-memory.ts"
import type { FoundAt } from "../../../fixtures/checked-log.ts"
import { findingsOf, sha256 } from "../../../fixtures/checked-log.ts"

/** A log of test/fixtures/rules, and its findings: code and seq, in order of seq. */
export type Expected = readonly [
  file: string,
  findings: readonly (readonly [code: string, seq: number | null])[],
]

/** What the digest of the one text of crash repairs is known to be; the text is not. */
const repairDigest = "613f8e88c4324029a758e388a77c9082e93d36d39ad23d5f76c5529fe7b0b42f"

// a stand-in for the text that has that digest
const standIn = "the call was not started"

/** The digest of a text, where the stand-in has that of the text of crash repairs. */
export const sha256OfFixtures = (text: string): string =>
  text === standIn ? repairDigest : sha256(text)

/** All findings in a log of test/fixtures/rules. */
export const findingsIn = (file: string): readonly FoundAt[] =>
  findingsOf(fixtureText(`rules/${file}.jsonl`), sha256OfFixtures)

/** Code and seq of each of them. */
export const codesIn = (file: string): (readonly [string, number | null])[] =>
  findingsIn(file).map(({ finding }) => [finding.code, "seq" in finding ? finding.seq : null])
