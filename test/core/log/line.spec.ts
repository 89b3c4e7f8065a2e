import { left, right } from "fp-ts/lib/Either.js"
import { describe, expect, it } from "vitest"
import type { JsonValue } from "#core/data/json"
import { headerOf } from "#core/log/header"
import { parseLine } from "#core/log/row"
import { readLog } from "../../fixtures/log-in-memory.ts"

const header = '{"type":"session","version":0,"id":"s","createdAt":1,"delegationDepth":0}'

const user = (seq: number, text = '"x"'): string =>
  `{"type":"user/message","seq":${seq},"time":${seq},"data":{"id":"u${seq}","role":"user",` +
  `"content":[{"type":"text","text":${text}}],"source":{"kind":"user"}},"surfaceOp":"append"}`

const note = (seq: number, data: string): string =>
  `{"type":"feedback/record","seq":${seq},"time":${seq},"data":${data}}`

/** A log of these lines, every one of them ended. */
const log = (...lines: string[]): string => [header, ...lines].map((line) => `${line}\n`).join("")

const okay = { status: "ok", refusal: null, tail: null }

describe("lines of the body", () => {
  it("L1: the first line is the header, each further line one row", () => {
    expect(readLog(log(user(0), user(1)))).toMatchObject({ ...okay, eventCount: 2, nodes: [0, 1] })
    expect(readLog(log())).toMatchObject({ ...okay, eventCount: 0, nodes: [] })
  })

  it("L1: white space around a row is no part of it", () => {
    expect(readLog(log(`  ${user(0)}\t`))).toMatchObject({ ...okay, nodes: [0] })
  })

  it("L2: bytes after the last newline are a torn tail, even where they would be a row", () => {
    const whole = log(user(0))
    const torn = readLog(whole + user(1))
    const byteOffset = Buffer.byteLength(whole)
    expect(torn).toMatchObject({
      status: "torn",
      refusal: null,
      nodes: [0],
      tail: { cause: "unterminated", byteOffset, byteLength: user(1).length },
    })
  })

  it.each(["", " ", "\t", "\r"])("L3: a blank line %j is refused where it stands", (blank) => {
    const read = readLog(log(user(0), blank, user(1)))
    const byteOffset = Buffer.byteLength(log(user(0)))
    expect(read).toMatchObject({
      status: "refused",
      nodes: [0],
      refusal: { refusal: { code: "blank-line" }, row: 2, byteOffset },
    })
  })

  it("L3: a further newline at the end is a blank line too", () => {
    expect(readLog(log(user(0)) + "\n")).toMatchObject({
      status: "refused",
      refusal: { refusal: { code: "blank-line" }, row: 2 },
    })
  })

  it("L4: lines may end in CRLF", () => {
    const crlf = log(user(0), user(1)).replaceAll("\n", "\r\n")
    expect(readLog(crlf)).toMatchObject({ ...okay, eventCount: 2, nodes: [0, 1] })
  })

  it("L5: a byte order mark is refused where it stands", () => {
    expect(readLog("\uFEFF" + log(user(0)))).toMatchObject({
      status: "unreadable",
      refusal: { refusal: { code: "byte-order-mark" }, row: 0, byteOffset: 0 },
    })
    expect(readLog(log(user(0), "\uFEFF" + user(1)))).toMatchObject({
      status: "refused",
      nodes: [0],
      refusal: { refusal: { code: "byte-order-mark" }, row: 2 },
    })
  })

  it("L6: of two equal keys the last one counts", () => {
    const twice = `{"type":"turn/end",${user(0).slice(1)}`
    expect(readLog(log(twice))).toMatchObject({ ...okay, nodes: [0] })
    const data = '{"text":"first","text":"last"}'
    expect(parseLine(data)).toStrictEqual(right({ text: "last" }))
  })

  it.each([
    "NaN",
    "Infinity",
    "-Infinity",
    "undefined",
    "01",
    "1.",
    "'x'",
    "[1,]",
    "{",
    "x",
    "\u0000",
  ])("L7: %j is no JSON", (text) => {
    expect(parseLine(text)).toStrictEqual(left({ code: "invalid-json" }))
    expect(readLog(log(note(0, text)))).toMatchObject({
      status: "refused",
      refusal: { refusal: { code: "invalid-json" }, row: 1 },
    })
  })

  it("L7: an unescaped control character in a string is no JSON", () => {
    expect(parseLine('"a\u0007b"')).toStrictEqual(left({ code: "invalid-json" }))
    expect(parseLine(String.raw`"a\u0007b"`)).toStrictEqual(right("a\u0007b"))
  })

  it.each(["1e400", "-1e400"])("L8: %s overflows and is refused wherever it stands", (number) => {
    expect(readLog(log(note(0, `{"text":"x","meta":[${number}]}`)))).toMatchObject({
      status: "refused",
      refusal: {
        refusal: {
          code: "not-lossless",
          fault: { what: "non-finite", path: ["data", "meta", 0] },
        },
      },
    })
  })

  it.each<[string, string, (string | number)[]]>([
    ["in a payload", note(0, '{"text":"x","meta":-0}'), ["data", "meta"]],
    ["as a seq", note(0, '{"text":"x"}').replace('"seq":0', '"seq":-0'), ["seq"]],
    ["as a time", note(0, '{"text":"x"}').replace('"time":0', '"time":-0.0'), ["time"]],
    ["in a payload of an unknown type", '{"type":"x/y","seq":0,"time":1,"data":[-0]}', ["data", 0]],
  ])("L9: −0 %s is refused", (_, line, path) => {
    expect(readLog(log(line))).toMatchObject({
      status: "refused",
      refusal: { refusal: { code: "not-lossless", fault: { what: "negative-zero", path } } },
    })
  })

  it("L9: −0 in the header is refused", () => {
    expect(readLog(`${header.replace('"createdAt":1', '"createdAt":-0')}\n`)).toMatchObject({
      refusal: {
        refusal: { code: "not-lossless", fault: { what: "negative-zero", path: ["createdAt"] } },
      },
    })
  })

  it("L10: a lone surrogate in a string is kept", () => {
    const read = readLog(log(user(0, String.raw`"end \ud83d"`)))
    expect(read).toMatchObject({ ...okay, nodes: [0] })
    expect(read.messages[0]?.["content"]).toStrictEqual([{ type: "text", text: "end \ud83d" }])
  })

  it("L11: keys that objects inherit are data like any other", () => {
    const data =
      '{"id":"u0","role":"user","content":[],"source":{"kind":"user"},' +
      '"__proto__":{"content":[1]},"constructor":1,"toString":null}'
    const read = readLog(log(user(0).replace(/"data":.*(?=,"surfaceOp")/, () => `"data":${data}`)))
    expect(read).toMatchObject({ ...okay, nodes: [0] })
    expect(JSON.stringify(read.messages[0])).toBe(data)
  })

  it("L11: `__proto__` as a key of an envelope is a key too many", () => {
    expect(readLog(log(user(0).replace("{", '{"__proto__":{},')))).toMatchObject({
      refusal: { refusal: { code: "envelope-shape", seq: 0, fault: { path: ["__proto__"] } } },
    })
  })

  it("L12: a whole number beyond 2^53−1 is refused as a seq", () => {
    const big = note(0, '{"text":"x"}').replace('"seq":0', '"seq":9007199254740993')
    expect(readLog(log(big))).toMatchObject({
      refusal: { refusal: { code: "envelope-shape", seq: null, fault: { path: ["seq"] } } },
    })
  })

  it("L12: a whole number beyond 2^53−1 elsewhere is the number that JSON.parse makes of it", () => {
    const data =
      '{"id":"u0","role":"user","content":[],"source":{"kind":"user"},"n":9007199254740993}'
    const read = readLog(log(user(0).replace(/"data":.*(?=,"surfaceOp")/, () => `"data":${data}`)))
    expect(read.status).toBe("ok")
    expect(read.messages[0]?.["n"]).toBe(9007199254740992)
  })

  it("L13: a row of 1000 levels is read, one of 1001 is refused", () => {
    // the row is level 1, the payload level 2, the array under `n` level 3
    const nested = (depth: number): string =>
      `{"text":"x","n":${"[".repeat(depth) + "]".repeat(depth)}}`
    expect(readLog(log(note(0, nested(998))))).toMatchObject({ ...okay, eventCount: 1 })
    expect(readLog(log(note(0, nested(999))))).toMatchObject({
      status: "refused",
      eventCount: 0,
      refusal: { refusal: { code: "not-lossless", fault: { what: "too-deep" } }, row: 1 },
    })
  })

  it("L13: 100,000 levels are refused, in a row and in the header", () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000)
    const tooDeep = { refusal: { code: "not-lossless", fault: { what: "too-deep" } } }
    expect(readLog(log(note(0, deep)))).toMatchObject({ status: "refused", refusal: tooDeep })
    expect(readLog(`{"x":${deep}}\n`)).toMatchObject({ status: "unreadable", refusal: tooDeep })
  })

  it.each(["null", "1", '"x"', "[]", '[{"type":"turn/start"}]'])(
    "L14: %s is a row and no object",
    (row) => {
      expect(readLog(log(row))).toMatchObject({
        status: "refused",
        refusal: { refusal: { code: "row-not-object", seq: null }, row: 1 },
      })
    },
  )

  it("L15: a line that the byte layer could not decode is refused where it stands", () => {
    const half = Buffer.concat([
      Buffer.from(log(user(0))),
      Buffer.from([0x22, 0xe4, 0xbd]),
      Buffer.from(`${user(1)}\n`),
    ])
    expect(readLog(half)).toMatchObject({
      status: "refused",
      nodes: [0],
      refusal: {
        refusal: { code: "invalid-utf8" },
        row: 2,
        byteOffset: Buffer.byteLength(log(user(0))),
      },
    })
  })

  it("L15: a header that the byte layer could not decode makes the log unreadable", () => {
    expect(readLog(Buffer.from([0xff, 0x0a]))).toMatchObject({
      status: "unreadable",
      refusal: { refusal: { code: "invalid-utf8" }, row: 0, byteOffset: 0 },
    })
  })
})

describe("the first line", () => {
  it.each<[string, JsonValue]>([
    ["null", null],
    ["a number", 0],
    ["a string", "session"],
    ["an array", [{ type: "session" }]],
    ["an object without a type", { version: 0, id: "s", createdAt: 1, delegationDepth: 0 }],
    ["an object of another type", { type: "sessions", version: 0 }],
    ["an event", { type: "turn/start", seq: 0, time: 1, data: { turn: 1 } }],
  ])("L16: %s is no header", (_, value) => {
    expect(headerOf(value)).toStrictEqual(left({ code: "not-a-log" }))
  })

  it.each([
    ["an empty file", ""],
    ["a file of one newline", "\n"],
    ["text", "hello\n"],
    ["bytes that are no text", "PK\u0003\u0004\n"],
    ["a JSON value that is no object", "[]\n"],
    ["a header that is not ended", header],
  ])("L16: %s is no log", (_, content) => {
    expect(readLog(content)).toMatchObject({
      status: "unreadable",
      fold: null,
      refusal: { refusal: { code: "not-a-log" }, row: 0 },
    })
  })
})
