import { describe, expect, it } from "vitest"
import type { Expected } from "./expected.ts"
import { codesIn } from "./expected.ts"

const headersAndEnvelopes: readonly Expected[] = [
  ["R01a", [["not-a-log", null]]],
  ["R01b", [["version-unsupported", null]]],
  ["R01c", [["header-field", null]]],
  ["R02a", [["header-field", null]]],
  ["R02b", [["header-field", null]]],
  ["R03a", [["header-field", null]]],
  ["R03b", [["header-field", null]]],
  ["R03c", [["header-field", null]]],
  ["R04a", [["header-field", null]]],
  ["R04b", [["header-field", null]]],
  ["R04c", [["header-field", null]]],
  ["R05a", [["envelope-shape", 0]]],
  ["R05b", [["envelope-shape", 0]]],
  ["R05c", [["envelope-shape", 0]]],
  ["R06a", [["seq-not-contiguous", 2]]],
  ["R06b", [["envelope-shape", 0]]],
  ["R07a", [["event-type-unknown", 0]]],
  ["R08a", [["event-type-unknown", 1]]],
  ["R08-valid", []],
  ["R09a", [["sources-shape", 2]]],
  ["R09b", [["sources-shape", 0]]],
  ["R10a", [["inherited-marker-missing", null]]],
  ["R10b", [["inherited-marker-unexpected", 1]]],
  ["R10c", [["inherited-cut-beyond-end", null]]],
  ["R10-valid", []],
]

const requestHeaders: readonly Expected[] = [
  ["R11a", [["payload-shape", 1]]],
  ["R11b", [["payload-shape", 1]]],
  ["R12a", [["payload-shape", 1]]],
  ["R13a", [["payload-shape", 1]]],
  ["R14a", [["payload-shape", 1]]],
  ["R14b", [["payload-shape", 1]]],
  ["R15a", [["payload-shape", 1]]],
  ["R15b", [["payload-shape", 1]]],
  ["R15c", [["payload-shape", 1]]],
  ["R15d", [["payload-shape", 1]]],
  ["R16a", [["payload-shape", 1]]],
  ["R16b", [["payload-shape", 1]]],
]

const messagesThatOtherEventsHold: readonly Expected[] = [
  ["R17a", [["payload-shape", 0]]],
  ["R17b", [["message-slot-shape", 0]]],
  ["R17c", [["message-slot-shape", 0]]],
  [
    "R17d",
    [
      ["message-slot-shape", 0],
      ["developer-role", 0],
    ],
  ],
  ["R18a", [["payload-shape", 0]]],
  ["R18b", [["message-source", 0]]],
  ["R18c", [["message-source", 1]]],
  [
    "R18d",
    [
      ["message-source", 1],
      ["title-request-message", 1],
    ],
  ],
  ["R19a", [["payload-shape", 0]]],
  ["R19b", [["developer-role", 0]]],
  ["R19c", [["payload-shape", 2]]],
]

const blocksWhereTheyMayNotStand: readonly Expected[] = [
  ["R20a", [["payload-shape", 0]]],
  ["R20b", [["tool-change-misplaced", 0]]],
  ["R20c", [["tool-change-misplaced", 3]]],
  ["R20d", [["tool-change-misplaced", 2]]],
  ["R20e", [["tool-change-misplaced", 2]]],
  ["R23a", [["payload-shape", 0]]],
  ["R23b", [["tool-result-block", 0]]],
  ["R23c", [["tool-result-block", 2]]],
  ["R23d", [["tool-result-block", 3]]],
  ["R23e", [["tool-result-block", 2]]],
  ["R23f", [["tool-result-block", 0]]],
  ["R23-valid", []],
]

const messagesOnTheSurface: readonly Expected[] = [
  ["R21a", [["payload-shape", 0]]],
  ["R21b", [["payload-shape", 2]]],
  ["R21c", [["payload-shape", 0]]],
  ["R22a", [["payload-shape", 2]]],
  ["R24a", [["payload-shape", 2]]],
  ["R24b", [["payload-shape", 2]]],
  ["R24c", [["payload-shape", 2]]],
  ["R25a", [["payload-shape", 2]]],
  ["R25b", [["payload-shape", 2]]],
  ["R25c", [["payload-shape", 2]]],
  ["R26a", [["payload-shape", 2]]],
  ["R26b", [["payload-shape", 2]]],
  ["R27a", [["payload-shape", 2]]],
  ["R27b", [["payload-shape", 3]]],
  ["R28a", [["header-seq-shape", 3]]],
  ["R28b", [["header-seq-shape", 3]]],
  ["R29a", [["payload-shape", 4]]],
  ["R29b", [["payload-shape", 4]]],
  ["R29c", [["payload-shape", 4]]],
  ["R29d", [["payload-shape", 4]]],
  ["R29e", [["payload-shape", 4]]],
  ["R30a", [["payload-shape", 4]]],
]

const resultsWrittenByAFork: readonly Expected[] = [
  ["R31a", [["fork-result", 3]]],
  ["R31b", [["fork-result", 3]]],
  ["R31c", [["fork-result", 3]]],
  ["R31d", [["fork-result", 3]]],
  ["R31e", [["fork-result", 4]]],
  ["R31f", [["fork-result", 3]]],
  ["R31g", [["fork-result", 3]]],
  ["R31-valid", []],
]

const deliveries: readonly Expected[] = [
  ["R32a", [["delivery-version", 1]]],
  ["R33a", [["delivery-through-seq", 1]]],
  ["R33b", [["delivery-session", 1]]],
  ["R33c", [["delivery-session", 1]]],
  ["R33d", [["delivery-session", 2]]],
  ["R33-valid", []],
]

const listedChildren: readonly Expected[] = [
  ["R34a", [["catalog-field", 0]]],
  ["R34b", [["catalog-field", 0]]],
  ["R34c", [["catalog-field", 0]]],
  ["R34d", [["catalog-field", 0]]],
  ["R34e", [["catalog-field", 0]]],
  ["R34f", [["catalog-field", 1]]],
  ["R34-valid", []],
  ["R35a", [["catalog-child-repeated", 2]]],
  ["R35-valid", []],
]

describe("rules about one event", () => {
  it.each(headersAndEnvelopes)("RU3: headers and envelopes: %s", (file, findings) => {
    expect(codesIn(file)).toStrictEqual(findings)
  })

  it.each(requestHeaders)("RU3: request headers: %s", (file, findings) => {
    expect(codesIn(file)).toStrictEqual(findings)
  })

  it.each(messagesThatOtherEventsHold)(
    "RU4: messages that other events hold: %s",
    (file, findings) => {
      expect(codesIn(file)).toStrictEqual(findings)
    },
  )

  it.each(blocksWhereTheyMayNotStand)(
    "RU5: blocks where they may not stand: %s",
    (file, findings) => {
      expect(codesIn(file)).toStrictEqual(findings)
    },
  )

  it.each(messagesOnTheSurface)("RU3: messages on the surface: %s", (file, findings) => {
    expect(codesIn(file)).toStrictEqual(findings)
  })

  it.each(resultsWrittenByAFork)("RU6: results written by a fork: %s", (file, findings) => {
    expect(codesIn(file)).toStrictEqual(findings)
  })

  it.each(deliveries)("RU7: deliveries: %s", (file, findings) => {
    expect(codesIn(file)).toStrictEqual(findings)
  })

  it.each(listedChildren)("RU8: listed children: %s", (file, findings) => {
    expect(codesIn(file)).toStrictEqual(findings)
  })
})
