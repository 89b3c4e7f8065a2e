import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import type { FormatVersion } from "#core/format/format"
import { versions } from "./arbitraries/dialect.ts"
import type { Session } from "./arbitraries/sessions.ts"
import { brokenSessions, plainSessions, rowsOf, sessions } from "./arbitraries/sessions.ts"

// Laws say little about what their cases never hold, so the cases are counted.
const count = 2_000

const drawn = (arbitrary: fc.Arbitrary<Session>): readonly Session[] =>
  fc.sample(arbitrary, { seed: 7, numRuns: count })

const share = (all: readonly Session[], test: (session: Session) => boolean): number =>
  all.filter(test).length / all.length

/** A replacement whose endpoint is itself a replacement. */
const isNested = ({ replacements }: Session): boolean => {
  const made = new Set(replacements.map(({ seq }) => seq))
  return replacements.some(({ start, end }) => made.has(start) || made.has(end))
}

const hasRow =
  (test: (row: JsonObject) => boolean, times = 1) =>
  (session: Session): boolean =>
    rowsOf(session).filter(test).length >= times

const isType = (type: string) => (row: JsonObject) => row["type"] === type

const isSurfaceType = (type: string) => (row: JsonObject) =>
  row["type"] === type && typeof row["surfaceOp"] === "object"

const hasAddition = (row: JsonObject): boolean =>
  isType("developer/message")(row) && JSON.stringify(row).includes("tool-addition")

const citesPairs = (row: JsonObject): boolean => {
  const sources = row["sourceEventSeqs"]
  return Array.isArray(sources) && sources.some((item) => Array.isArray(item))
}

const everywhere = [
  "endpoint-not-earlier",
  "endpoint-not-on-surface",
  "event-type-unknown",
  "payload-shape",
  "range-reversed",
  "seq-not-contiguous",
  "source-missing",
  "source-not-earlier",
  "sources-empty",
  "sources-forbidden",
  "sources-repeated",
  "sources-shape",
  "surface-op-forbidden",
  "surface-op-missing",
  "surface-op-shape",
  "tool-result-changed",
  "tool-result-range",
]
const sinceSystem = ["head-protected", "projection-image", "projection-shape", "projection-target"]
const sinceDeveloper = ["header-seq-not-header", "header-seq-shape", "tool-definition-missing"]

const codesOf = (version: FormatVersion): readonly string[] =>
  [
    ...everywhere,
    ...(version >= 3 ? sinceSystem : []),
    ...(version >= 4 ? sinceDeveloper : []),
  ].sort((a, b) => (a < b ? -1 : 1))

describe("generated sessions", () => {
  it.each([
    ["right", sessions()],
    ["broken", brokenSessions()],
    ["plain", plainSessions()],
  ])("often replace what replaced before, and in every order: %s", (_, arbitrary) => {
    const all = drawn(arbitrary)
    expect(share(all, isNested)).toBeGreaterThan(1 / 3)
    const isRanged = (session: Session): boolean =>
      session.replacements.some(({ shadowedSeqs }) => shadowedSeqs.length > 1)
    expect(share(all, isRanged)).toBeGreaterThan(0.4)
    const isReversed = ({ replacements }: Session): boolean =>
      replacements.some(({ start, end }) => start > end)
    expect(share(all, isReversed)).toBeGreaterThan(0.1)
    const isLong = ({ nodes }: Session): boolean => nodes.length > 5
    expect(share(all, isLong)).toBeGreaterThan(0.2)
  })

  it("hold what their format knows", () => {
    const all = drawn(sessions())
    for (const version of versions) {
      const some = all.filter((session) => session.version === version)
      expect(some.length).toBeGreaterThan(count / 10)
      const holds = (test: (row: JsonObject) => boolean, times = 1): boolean =>
        share(some, hasRow(test, times)) > 0.05
      expect(holds(isType("compaction/end"), 2)).toBe(true)
      expect(holds(isSurfaceType("tool/result"), 2)).toBe(true)
      expect(holds((row) => row["ignorable"] === true)).toBe(true)
      expect(holds(isType("llm/retry-started"))).toBe(true)
      expect(holds(citesPairs)).toBe(true)
      expect(holds((row) => Object.hasOwn(row, "seq0"))).toBe(version < 2)
      expect(holds(isSurfaceType("assistant/message"))).toBe(version < 2)
      expect(holds(isType("assistant/attempt"))).toBe(version >= 2)
      expect(holds(isType("system/message"), 2)).toBe(version >= 3)
      expect(holds(isSurfaceType("system/message"))).toBe(version >= 3)
      expect(holds(isType("image/offload"))).toBe(version >= 3)
      expect(holds(hasAddition)).toBe(version === 4)
      const isSeeded = ({ header }: Session): boolean =>
        header["isSeeded"] === true || header["seedLength"] !== undefined
      expect(share(some, isSeeded)).toBeGreaterThan(0.1)
    }
  })

  it("are refused for every reason that their format has, and often for none", () => {
    const all = drawn(brokenSessions())
    for (const version of versions) {
      const some = all.filter((session) => session.version === version)
      const codes = some.flatMap(({ offers }) => offers.flatMap(({ code }) => code ?? []))
      const met = [...new Set<string>(codes)].sort((a, b) => (a < b ? -1 : 1))
      expect(met).toEqual(codesOf(version))
    }
    const isRefused = ({ offers }: Session): boolean => offers.some(({ code }) => code !== null)
    expect(share(all, isRefused)).toBeGreaterThan(0.5)
    expect(share(drawn(plainSessions()), isRefused)).toBeLessThan(0.6)
  })
})
