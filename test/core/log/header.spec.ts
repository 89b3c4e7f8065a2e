import { isRight, left } from "fp-ts/lib/Either.js"
import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import { formats, newestVersion } from "#core/format/catalog"
import { headerOf } from "#core/log/header"
import { fixtureText, linesOf, readLog } from "../../fixtures/log-in-memory.ts"

/** The smallest header of each version. */
const smallest: readonly JsonObject[] = [
  { type: "session", version: 0, id: "s", createdAt: 5, delegationDepth: 0 },
  { type: "session", version: 1, id: "s", createdAt: 5, delegationDepth: 0 },
  { type: "session", version: 2, id: "s", createdAt: 5, isSeeded: false, delegationDepth: 0 },
  { type: "session", version: 3, id: "s", createdAt: 5, isSeeded: false, delegationDepth: 0 },
  { type: "session", version: 4, id: "s", createdAt: 5, isSeeded: false, delegationDepth: 0 },
]

const versions = [0, 1, 2, 3, 4]
const withLength = [0, 1]
const withMarker = [2, 3, 4]

const headerIn = (version: number, fields: JsonObject = {}): JsonObject => ({
  ...smallest[version],
  ...fields,
})

const without = (version: number, key: string): JsonObject =>
  Object.fromEntries(Object.entries(headerIn(version)).filter(([name]) => name !== key))

/** One row for each version and value. */
const cases = <A>(of: readonly number[], values: readonly A[]): [number, A][] =>
  of.flatMap((version) => values.map((value): [number, A] => [version, value]))

/** What a header is read as, the format by its version. */
const read = (value: JsonValue): unknown => {
  const header = headerOf(value)
  return isRight(header) ? { ...header.right, format: header.right.format.version } : header.left
}

const faultAt = (path: string, expected: string): unknown => ({
  code: "header-field",
  fault: { path: [path], expected },
})

const noCount: readonly JsonValue[] = [-1, 0.5, 9007199254740992, "1", null, true, [], {}]
const noString: readonly JsonValue[] = [0, null, true, [], {}]

describe("all fields", () => {
  it.each(versions)("L17: the smallest header of version %d is read", (version) => {
    expect(read(headerIn(version))).toStrictEqual({
      format: version,
      id: "s",
      createdAtMs: 5,
      delegationDepth: 0,
      cwd: null,
      parentSession: null,
      origin: null,
      agentPreset: null,
      isSeeded: false,
      seedLength: null,
    })
  })

  const all = {
    id: "child",
    createdAt: 1_755_000_000_000,
    cwd: "/w",
    parentSession: "parent",
    origin: "subagent",
    delegationDepth: 2,
    agentPreset: "ptc",
  }
  const allRead = {
    id: "child",
    createdAtMs: 1_755_000_000_000,
    cwd: "/w",
    parentSession: "parent",
    origin: "subagent",
    delegationDepth: 2,
    agentPreset: "ptc",
  }

  it.each(withLength)("L17: every field of version %d is read", (version) => {
    expect(read(headerIn(version, { ...all, seedLength: 3 }))).toStrictEqual({
      ...allRead,
      format: version,
      isSeeded: true,
      seedLength: 3,
    })
  })

  it.each(withMarker)("L17: every field of version %d is read", (version) => {
    expect(read(headerIn(version, { ...all, isSeeded: true }))).toStrictEqual({
      ...allRead,
      format: version,
      isSeeded: true,
      seedLength: null,
    })
  })

  it("L17: the order of the keys means nothing", () => {
    const backwards = Object.fromEntries(Object.entries(headerIn(4)).toReversed())
    expect(Object.keys(backwards)[0]).toBe("delegationDepth")
    expect(read(backwards)).toMatchObject({ format: 4, id: "s" })
  })
})

describe("required fields", () => {
  const required = ["id", "createdAt", "delegationDepth"]

  it.each(cases(versions, required))("L18: version %d needs `%s`", (version, key) => {
    expect(read(without(version, key))).toMatchObject({
      code: "header-field",
      fault: { path: [key] },
    })
  })

  it.each(withMarker)("L18: version %d needs `isSeeded`", (version) => {
    expect(read(without(version, "isSeeded"))).toMatchObject({
      code: "header-field",
      fault: { path: ["isSeeded"] },
    })
  })

  it.each(cases(versions, ["", "a/b", "\ud800"]))(
    "L19: version %d: id may be %j",
    (version, id) => {
      expect(read(headerIn(version, { id }))).toMatchObject({ id })
    },
  )

  it.each(cases(versions, noString))("L19: version %d: id may not be %j", (version, id) => {
    expect(read(headerIn(version, { id }))).toStrictEqual(faultAt("id", "string"))
  })

  it.each(cases(versions, [0, 9007199254740991]))(
    "L19: version %d: createdAt and delegationDepth may be %d",
    (version, value) => {
      expect(read(headerIn(version, { createdAt: value }))).toMatchObject({ createdAtMs: value })
      expect(read(headerIn(version, { delegationDepth: value }))).toMatchObject({
        delegationDepth: value,
      })
    },
  )

  it.each(cases(versions, noCount))(
    "L19: version %d: createdAt and delegationDepth may not be %j",
    (version, value) => {
      expect(read(headerIn(version, { createdAt: value }))).toStrictEqual(
        faultAt("createdAt", "count"),
      )
      expect(read(headerIn(version, { delegationDepth: value }))).toStrictEqual(
        faultAt("delegationDepth", "count"),
      )
    },
  )
})

describe("optional fields", () => {
  it.each(cases(versions, ["/", "/w/a b", "C:\\w", "c:/w", "\\\\host\\share"]))(
    "L20: version %d: cwd may be %j",
    (version, cwd) => {
      expect(read(headerIn(version, { cwd }))).toMatchObject({ cwd })
    },
  )

  it.each(cases<JsonValue>(versions, ["", "w", "./w", "~/w", "C:w", "file:///w", 0, null, []]))(
    "L20: version %d: cwd may not be %j",
    (version, cwd) => {
      expect(read(headerIn(version, { cwd }))).toStrictEqual(faultAt("cwd", "absolute path"))
    },
  )

  it.each(cases(versions, noString))(
    "L20: version %d: parentSession and agentPreset may not be %j",
    (version, value) => {
      expect(read(headerIn(version, { parentSession: value }))).toStrictEqual(
        faultAt("parentSession", "string"),
      )
      expect(read(headerIn(version, { agentPreset: value }))).toStrictEqual(
        faultAt("agentPreset", "string"),
      )
    },
  )

  it.each(versions)("L20: version %d: parentSession and agentPreset may be empty", (version) => {
    expect(read(headerIn(version, { parentSession: "", agentPreset: "" }))).toMatchObject({
      parentSession: "",
      agentPreset: "",
    })
  })

  it.each(cases<JsonValue>(versions, ["", "user", "Subagent", null, true, 0]))(
    "L20: version %d: origin may not be %j",
    (version, origin) => {
      expect(read(headerIn(version, { origin }))).toStrictEqual(faultAt("origin", '"subagent"'))
    },
  )
})

describe("the inherited prefix", () => {
  it.each(cases(withLength, [0, 1, 9007199254740991]))(
    "L21: version %d: seedLength %d makes a seeded log, also when it is 0",
    (version, seedLength) => {
      expect(read(headerIn(version, { seedLength }))).toMatchObject({ isSeeded: true, seedLength })
    },
  )

  it.each(cases(withLength, noCount))(
    "L21: version %d: seedLength may not be %j",
    (version, seedLength) => {
      expect(read(headerIn(version, { seedLength }))).toStrictEqual(faultAt("seedLength", "count"))
    },
  )

  it.each(cases(withMarker, [0, 3]))(
    "L21: version %d: seedLength is not allowed, not even %d",
    (version, seedLength) => {
      expect(read(headerIn(version, { seedLength }))).toStrictEqual(
        faultAt("seedLength", "nothing"),
      )
    },
  )

  it.each(cases(withMarker, [true, false]))(
    "L21: version %d: isSeeded may be %s",
    (version, isSeeded) => {
      expect(read(headerIn(version, { isSeeded }))).toMatchObject({ isSeeded, seedLength: null })
    },
  )

  it.each(cases<JsonValue>(withMarker, [0, 1, "true", null, {}]))(
    "L21: version %d: isSeeded may not be %j",
    (version, isSeeded) => {
      expect(read(headerIn(version, { isSeeded }))).toStrictEqual(
        faultAt("isSeeded", "true or false"),
      )
    },
  )

  it("L21: version 1: isSeeded is not allowed", () => {
    expect(read(headerIn(1, { isSeeded: false }))).toStrictEqual(faultAt("isSeeded", "nothing"))
  })
})

describe("other fields", () => {
  it.each(cases(versions.slice(1), ["x", "sandboxMode", "approvalPolicy", "cwd ", "__proto__"]))(
    "L22: version %d refuses `%s`",
    (version, key) => {
      const value = JSON.parse(
        JSON.stringify(headerIn(version)).replace("{", `{${JSON.stringify(key)}:null,`),
      ) as JsonValue
      expect(read(value)).toStrictEqual(faultAt(key, "nothing"))
    },
  )

  it.each(["x", "isSeeded", "constructor"])("L22: version 0 keeps `%s` out of mind", (key) => {
    expect(read(headerIn(0, { [key]: true }))).toStrictEqual(read(headerIn(0)))
  })

  it.each(["sandboxMode", "approvalPolicy"])("L22: version 0 refuses the retired `%s`", (key) => {
    expect(read(headerIn(0, { [key]: null }))).toStrictEqual(faultAt(key, "nothing"))
  })
})

describe("the version", () => {
  it.each<[string, JsonObject]>([
    ["missing", without(0, "version")],
    ["negative", headerIn(0, { version: -1 })],
    ["a fraction", headerIn(0, { version: 0.5 })],
    ["text", headerIn(0, { version: "0" })],
    ["null", headerIn(0, { version: null })],
    ["beyond the safe integers", headerIn(0, { version: 9007199254740992 })],
  ])("L23: a version that is %s is refused", (_, header) => {
    expect(read(header)).toStrictEqual(faultAt("version", "count"))
  })

  it("L23: version 4 is the newest; a higher one is refused before anything else is looked at", () => {
    expect(newestVersion).toBe(4)
    expect(formats.map((format) => format.version)).toStrictEqual([0, 1, 2, 3, 4])
    expect(headerOf({ type: "session", version: 5, id: 0, brandNew: true })).toStrictEqual(
      left({ code: "version-unsupported", version: 5, newest: 4 }),
    )
  })

  it("L23: a log of a higher version is refused, and is a log", () => {
    expect(readLog('{"type":"session","version":5}\n')).toMatchObject({
      status: "refused",
      refusal: { refusal: { code: "version-unsupported", version: 5, newest: 4 }, row: 0 },
    })
  })

  it("L23: a log whose header has a bad field is refused, and is a log", () => {
    expect(readLog('{"type":"session","version":0}\n')).toMatchObject({
      status: "refused",
      refusal: { refusal: { code: "header-field" }, row: 0 },
    })
  })

  it("L24: the version in the file name must be that of the header", () => {
    const text = fixtureText("chain/v2.jsonl")
    expect(readLog(text, { namedVersion: 2 }).status).toBe("ok")
    expect(readLog(text, { namedVersion: null }).status).toBe("ok")
    expect(readLog(text, { namedVersion: 3 })).toMatchObject({
      status: "refused",
      fold: null,
      refusal: { refusal: { code: "version-mismatch", named: 3, version: 2 }, row: 0 },
    })
  })

  it("L25: a log that the caller does not want ends after its header", () => {
    const [header = "", second = ""] = linesOf(fixtureText("chain/v2.jsonl"))
    const seen: string[] = []
    const read = readLog(`${header}${second}not read\n`, {
      wants: ({ id }) => {
        seen.push(id)
        return false
      },
    })
    expect(seen).toStrictEqual(["demo-session"])
    expect(read).toMatchObject({ status: "ok", refusal: null, fold: null })
  })
})
