import { describe, expect, it } from "vitest"
import { checkZone, globSource, instantOfDate, nameMatcher } from "#shell/archive/filter"
import { UsageError } from "#shell/border"

describe("globs", () => {
  const matches = (glob: string, name: string): boolean => nameMatcher(glob)(name)

  it("A13: match whole names, with dots, dashes, slashes and escapes as any text", () => {
    const names = ["atlas-retry", "nightly/2026-02-11", "--srv-code--", ".hidden", "a[1]"]
    const selected = (glob: string): readonly string[] => names.filter(nameMatcher(glob))
    expect(selected("*")).toStrictEqual(names)
    expect(selected("**")).toStrictEqual(names)
    expect(selected("atlas")).toStrictEqual([])
    expect(selected("atlas\\-*")).toStrictEqual(["atlas-retry"])
    expect(selected("*2026*")).toStrictEqual(["nightly/2026-02-11"])
    expect(selected("nightly/*")).toStrictEqual(["nightly/2026-02-11"])
    expect(selected("--*--")).toStrictEqual(["--srv-code--"])
    expect(selected("{.hid*,a*}")).toStrictEqual(["atlas-retry", ".hidden", "a[1]"])
    expect(selected("a?1?")).toStrictEqual(["a[1]"])
    expect(selected("[mn]*")).toStrictEqual(["nightly/2026-02-11"])
    expect(selected("!(*-*)")).toStrictEqual([".hidden", "a[1]"])
    // a bracket that nobody closes is one
    expect(matches("a[1", "a[1")).toBe(true)
  })

  it("A13: without one every name does", () => {
    expect(nameMatcher(undefined)("anything")).toBe(true)
    expect(globSource(undefined)).toBeNull()
  })

  it("A13: cross to a worker as text, and match the same there", () => {
    for (const glob of ["atlas\\-*", "{a,b}*", "!(x)", "[[:alpha:]]*", "\u{1f600}*"]) {
      const pattern = new RegExp(globSource(glob) ?? "")
      for (const name of ["atlas-retry", "b", "x", "1", "\u{1f600}!"])
        expect(pattern.test(name), `${glob} ${name}`).toBe(matches(glob, name))
    }
  })

  it.each(["", "*".repeat(70_000)])("A16: what is no glob is wrong usage", (glob) => {
    expect(() => nameMatcher(glob)).toThrow(UsageError)
    expect(() => globSource(glob)).toThrow(UsageError)
  })
})

describe("days and instants", () => {
  const since = (text: string, zone = "UTC"): string =>
    new Date(instantOfDate(text, zone, false)).toISOString()
  const until = (text: string, zone = "UTC"): string =>
    new Date(instantOfDate(text, zone, true)).toISOString()

  it("A14: a day begins at its first instant in the zone and ends before that of the next", () => {
    expect(since("2026-11-29")).toBe("2026-11-29T00:00:00.000Z")
    expect(until("2026-11-29")).toBe("2026-11-30T00:00:00.000Z")
    expect(since("2026-11-29", "Europe/Berlin")).toBe("2026-11-28T23:00:00.000Z")
    expect(until("2026-11-29", "America/New_York")).toBe("2026-11-30T05:00:00.000Z")
    expect(since("2026-11-29", "Asia/Kathmandu")).toBe("2026-11-28T18:15:00.000Z")
    expect(until("2024-02-29")).toBe("2024-03-01T00:00:00.000Z")
    expect(until("2026-12-31", "Pacific/Kiritimati")).toBe("2026-12-31T10:00:00.000Z")
    expect(since("1969-12-31")).toBe("1969-12-31T00:00:00.000Z")
  })

  it("A14: days on which clocks change are as long as they are", () => {
    // 23 and 25 hours
    expect(since("2021-03-28", "Europe/Berlin")).toBe("2021-03-27T23:00:00.000Z")
    expect(until("2021-03-28", "Europe/Berlin")).toBe("2021-03-28T22:00:00.000Z")
    expect(since("2021-10-31", "Europe/Berlin")).toBe("2021-10-30T22:00:00.000Z")
    expect(until("2021-10-31", "Europe/Berlin")).toBe("2021-10-31T23:00:00.000Z")
  })

  it("A15: a day without a midnight begins where the clock jumps over it", () => {
    // from 00:00 to 01:00
    expect(since("2018-11-04", "America/Sao_Paulo")).toBe("2018-11-04T03:00:00.000Z")
    expect(until("2018-11-03", "America/Sao_Paulo")).toBe("2018-11-04T03:00:00.000Z")
    // from 23:30 to 00:30
    expect(since("1919-03-31", "America/Toronto")).toBe("1919-03-31T04:30:00.000Z")
    // a day that never was begins and ends with the one after it
    expect(since("2011-12-30", "Pacific/Apia")).toBe("2011-12-30T10:00:00.000Z")
    expect(until("2011-12-30", "Pacific/Apia")).toBe("2011-12-30T10:00:00.000Z")
  })

  it("A15: a day with two midnights begins at the first", () => {
    // from 01:00 back to 00:00, east and west of Greenwich
    expect(since("2021-10-29", "Asia/Amman")).toBe("2021-10-28T21:00:00.000Z")
    expect(since("2020-11-01", "America/Havana")).toBe("2020-11-01T04:00:00.000Z")
    // from 00:00 back to 23:00 of the day before: one midnight, after it
    expect(since("2018-02-18", "America/Sao_Paulo")).toBe("2018-02-18T03:00:00.000Z")
  })

  it("A14: an instant has an offset, and counts to the millisecond", () => {
    expect(since("2026-11-29T12:00:00Z", "Asia/Tokyo")).toBe("2026-11-29T12:00:00.000Z")
    expect(since("2026-11-29T12:00:00.250+09:00")).toBe("2026-11-29T03:00:00.250Z")
    expect(since("2026-11-29T12:00-03:30")).toBe("2026-11-29T15:30:00.000Z")
    // the last instant is included
    expect(until("2026-11-29T12:00:00Z")).toBe("2026-11-29T12:00:00.001Z")
  })

  it.each([
    "",
    "yesterday",
    "2026-02-30",
    "2026-13-01",
    "2026-1-1",
    "20261129",
    "2026-11-29T12:00:00",
    "2026-11-29T25:00:00Z",
    "2026-11-29Tnoon Z",
    "2026-11-29 12:00:00Z",
    "1764417600000",
  ])("A16: %j is no date", (text) => {
    expect(() => since(text)).toThrow(UsageError)
    expect(() => since(text)).toThrow(`"${text}" is no date`)
  })

  it("A16: a zone that the machine does not know is wrong usage", () => {
    expect(checkZone("UTC")).toBe("UTC")
    expect(checkZone("Europe/Berlin")).toBe("Europe/Berlin")
    for (const zone of ["", "Mars/Olympus", "Berlin"])
      expect(() => checkZone(zone)).toThrow(`unknown time zone "${zone}"`)
  })
})
