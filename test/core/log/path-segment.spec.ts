import { describe, expect, it } from "vitest"
import { pathSegment } from "#core/log/path-segment"

describe("the name of a text in a file system", () => {
  it.each([
    ["tidepool-forecast_2.b", "tidepool-forecast_2.b"],
    ["nightly/2026-02-11", "nightly~002F2026-02-11"],
    [".", "~002E"],
    ["..", "~002E~002E"],
    ["...", "..."],
    [".hidden", ".hidden"],
    ["", ""],
    ["a b", "a~0020b"],
    ["a~0020b", "a~007E0020b"],
    ["c:\\d", "c~003A~005Cd"],
    ["ä", "~00E4"],
    // by code unit: two for a character beyond the first 65,536, and one that stands alone
    ["\u{1d11e}", "~D834~DD1E"],
    ["\ud800", "~D800"],
    ["\u0000", "~0000"],
  ])("RC17: of %j it is %s", (text, name) => {
    expect(pathSegment(text)).toBe(name)
  })
})
