import { describe, expect, it } from "vitest"
import type { Finding } from "#core/data/relation-refusal"
import { findingSentence } from "#shell/report/refusal-text"
import { samples } from "../core/format/lifecycle/samples.ts"

/** Numbers and names in a finding, but for its place. */
const carried = (finding: object): (string | number)[] =>
  Object.entries(finding).flatMap(([key, value]) =>
    key === "code" || key === "seq" || value === null
      ? []
      : [Array.isArray(value) ? value.join(".") : (value as string | number)],
  )

/** Findings of a check that no single event breaks a rule with. */
const ofWholeLogs: readonly (readonly [finding: Finding, sentence: string])[] = [
  [
    {
      code: "sequence-fork",
      seq: 1,
      expected: 4,
      firstEvents: 3,
      firstBytes: 410,
      secondEvents: 1,
      secondBytes: 90,
    },
    "two writers went on from here: 3 events (410 bytes) up to 3, then 1 event (90 bytes) from 1 on again",
  ],
  [{ code: "message-empty", seq: 1, afterSeq: 7 }, "the message is empty, after the replacement 7"],
  [
    { code: "call-without-result", seq: 1, callId: "c", afterSeq: null },
    'tool call "c" is not answered before the next message',
  ],
  [
    { code: "result-without-call", seq: 2, callId: "c", afterSeq: 7 },
    'the result of "c" follows no message that calls it, after the replacement 7',
  ],
  [
    { code: "result-not-adjacent", seq: 2, callId: "", afterSeq: null },
    'a message stands between tool call "" and this result',
  ],
]

// what a sentence says in words of its own
const worded = new Set(["message-source", "title-request-message", "command-source-kind"])

describe("findings in words", () => {
  it.each(samples)("RU27: %s: says all that the finding carries", (_file, finding) => {
    const sentence = findingSentence(finding)
    expect(sentence).not.toMatch(/undefined|null|NaN|\[object/)
    const isWorded = worded.has(finding.code) || finding.code.startsWith("compaction-checkpoint")
    if (!isWorded) for (const each of carried(finding)) expect(sentence).toContain(String(each))
  })

  it("RU27: one sentence a finding, and no two alike", () => {
    const sentences = samples.map(([, finding]) => findingSentence(finding))
    expect(new Set(sentences).size).toBe(new Set(samples.map(([, f]) => JSON.stringify(f))).size)
  })

  it("RU27: names of any length are clipped, and kept apart from words", () => {
    const sentence = findingSentence({
      code: "tool-call-repeated",
      seq: 1,
      callId: "x".repeat(500),
    })
    expect(sentence.length).toBeLessThan(170)
    expect(findingSentence({ code: "tool-call-repeated", seq: 1, callId: 'a "b"' })).toBe(
      'tool call "a \\"b\\"" was started before',
    )
    expect(findingSentence({ code: "tool-call-repeated", seq: 1, callId: null })).toBe(
      "tool call without a name was started before",
    )
  })

  it.each(ofWholeLogs)("CK21: %j: is a sentence", (finding, sentence) => {
    expect(findingSentence(finding)).toBe(sentence)
  })

  it("RU27: what reading refuses is said as before", () => {
    expect(findingSentence({ code: "surface-op-missing", seq: 1 })).toBe(
      "an event of this type needs a surfaceOp",
    )
  })
})
