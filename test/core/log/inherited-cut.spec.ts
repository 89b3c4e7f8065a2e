import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import { headerIn, logUnder, readLog } from "../../fixtures/log-in-memory.ts"

const withMarker = [2, 3, 4]

const event = (seq: number): JsonObject => ({
  type: "plan/mode",
  seq,
  time: 1,
  data: { active: true },
})
const endSeed = (seq: number, data: JsonObject): JsonObject => ({
  type: "session/end-seed",
  seq,
  time: 1,
  data,
})
const marker = (seq: number): JsonObject => endSeed(seq, { inherited: true })

const logOf = (version: number, seed: JsonObject, rows: readonly JsonObject[]): string =>
  logUnder(headerIn(version, seed), ...rows)

const seeded = { isSeeded: true }
const unseeded = { isSeeded: false }

describe("a length in the header", () => {
  it.each([0, 1])("L44: format %d: the number of inherited events is that of the header", (v) => {
    for (const seedLength of [0, 1, 2]) {
      const read = readLog(logOf(v, { seedLength }, [event(0), event(1)]))
      expect(read.status).toBe("ok")
      expect(read.fold?.counts().activity.inheritedEvents).toBe(seedLength)
    }
  })

  it.each([0, 1])("L44: format %d: a log may not inherit more than it holds", (version) => {
    const log = logOf(version, { seedLength: 3 }, [event(0), event(1)])
    expect(readLog(log)).toMatchObject({
      status: "refused",
      eventCount: 2,
      refusal: {
        refusal: { code: "inherited-cut-beyond-end", seq: null, cut: 3, eventCount: 2 },
        row: 3,
        byteOffset: Buffer.byteLength(log),
      },
    })
  })

  it.each([0, 1])("L44: format %d: every member of a packed run is an event", (version) => {
    const run = {
      type: "text-chunks",
      seq0: 0,
      time0: 1,
      data: { turn: 1, step: 1, index: 0, dt: [0, 0], texts: ["a", "b", "c"] },
    }
    expect(readLog(logOf(version, { seedLength: 3 }, [run])).status).toBe("ok")
    expect(readLog(logOf(version, { seedLength: 4 }, [run]))).toMatchObject({
      refusal: { refusal: { code: "inherited-cut-beyond-end", cut: 4, eventCount: 3 } },
    })
  })

  it.each([0, 1])("L44: format %d: a tagged marker is refused, an untagged one is not", (v) => {
    const tagged = logOf(v, { seedLength: 1 }, [event(0), marker(1)])
    expect(readLog(tagged)).toMatchObject({
      status: "refused",
      refusal: { refusal: { code: "inherited-marker-unexpected", seq: 1 }, row: 2 },
    })
    const untagged = readLog(logOf(v, { seedLength: 1 }, [event(0), endSeed(1, {})]))
    expect(untagged.status).toBe("ok")
    expect(untagged.fold?.counts().activity.inheritedEvents).toBe(1)
  })
})

describe("a marker in the log", () => {
  it.each(withMarker)("L45: format %d: its seq is the number of inherited events", (version) => {
    const read = readLog(logOf(version, seeded, [event(0), event(1), marker(2), event(3)]))
    expect(read.status).toBe("ok")
    expect(read.fold?.counts().activity).toMatchObject({
      inheritedEvents: 2,
      inheritedMarkerSeq: 2,
    })
  })

  it.each(withMarker)("L45: format %d: a log may inherit nothing", (version) => {
    const read = readLog(logOf(version, seeded, [marker(0)]))
    expect(read.status).toBe("ok")
    expect(read.fold?.counts().activity).toMatchObject({
      inheritedEvents: 0,
      inheritedMarkerSeq: 0,
    })
  })

  it.each(withMarker)("L45: format %d: of several markers the last one counts", (version) => {
    const rows = [event(0), marker(1), event(2), marker(3), endSeed(4, {}), event(5)]
    expect(readLog(logOf(version, seeded, rows)).fold?.counts().activity.inheritedEvents).toBe(3)
  })

  it.each(withMarker)("L45: format %d: an untagged marker means no cut", (version) => {
    const read = readLog(logOf(version, unseeded, [event(0), endSeed(1, {})]))
    expect(read.status).toBe("ok")
    expect(read.fold?.counts().activity).toMatchObject({
      inheritedEvents: 0,
      inheritedMarkerSeq: null,
    })
  })

  it.each(withMarker)("L45: format %d: a seeded log needs a tagged one", (version) => {
    for (const rows of [[], [event(0)], [event(0), endSeed(1, {})]]) {
      const log = logOf(version, seeded, rows)
      expect(readLog(log)).toMatchObject({
        status: "refused",
        eventCount: rows.length,
        refusal: {
          refusal: { code: "inherited-marker-missing", seq: null },
          row: rows.length + 1,
          byteOffset: Buffer.byteLength(log),
        },
      })
    }
  })

  it.each(withMarker)("L45: format %d: a log that is not seeded may have none", (version) => {
    expect(readLog(logOf(version, unseeded, [event(0), marker(1), event(2)]))).toMatchObject({
      status: "refused",
      eventCount: 1,
      refusal: { refusal: { code: "inherited-marker-unexpected", seq: 1 }, row: 2 },
    })
  })

  it.each(withMarker)(
    "L45: format %d: the tag is `inherited: true` and nothing else",
    (version) => {
      for (const inherited of [false, null, 1, "true"])
        expect(readLog(logOf(version, seeded, [endSeed(0, { inherited })]))).toMatchObject({
          refusal: {
            refusal: { code: "payload-shape", seq: 0, fault: { path: ["inherited"] } },
          },
        })
    },
  )

  it.each(withMarker)("L46: format %d: a marker in a torn tail does not count", (version) => {
    const torn = logOf(version, seeded, [event(0)]) + JSON.stringify(marker(1))
    expect(readLog(torn)).toMatchObject({
      status: "refused",
      refusal: { refusal: { code: "inherited-marker-missing" } },
    })
  })

  it.each(withMarker)("L46: format %d: a log that is read to a seq needs no marker yet", (v) => {
    const log = logOf(v, seeded, [event(0), event(1), marker(2)])
    const prefix = readLog(log, { throughSeq: 1 })
    expect(prefix).toMatchObject({ status: "ok", eventCount: 2, refusal: null })
    expect(prefix.fold?.counts().activity.inheritedEvents).toBe(0)
  })
})
