import { describe, expect, it } from "vitest"
import type { FormatVersion } from "#core/format/format"
import type { Case } from "./hand-written.ts"
import {
  answer,
  append,
  chunk,
  kind,
  nestedResult,
  result,
  row,
  run,
  scan,
  text,
  todo,
  usage,
  user,
  verdictOn,
} from "./hand-written.ts"

describe("what a scan may not judge", () => {
  it.each<Case>([
    ["in a block", 4, user('{"type":"text","text":"a","text":"longer"}')],
    ["in a block, escaped", 4, user('{"type":"text","text":"a","t\\u0065xt":"longer"}')],
    ["a tag, repeated", 4, user('{"type":"text","text":"a","type":"image"}')],
    [
      "in a message",
      1,
      row(
        "user/message",
        `{"id":"u","role":"user","content":[${text}],"content":[],"source":${kind}}`,
        append,
      ),
    ],
    ["in a place", 4, row("step/start", '{"turn":1,"step":1,"turn":2}')],
    ["an escaped key alone", 4, row("turn/start", '{"t\\u0075rn":1}')],
    ["of usage", 4, answer(',"stream":[],"usage":{"inputTokens":1,"inputTokens":2}')],
    ["of the tag of a chunk", 1, chunk(`${usage},"type":"text-delta"}`)],
    ["of the tag of a chunk, escaped", 1, chunk(`${usage},"t\\u0079pe":"text-delta"}`)],
    ["of the usage of a chunk", 1, chunk(`${usage},"usage":null}`)],
    [
      "a chunk that says later that it is usage",
      1,
      chunk('{"type":"text","type":"usage","usage":{}}'),
    ],
    ["a tag with escapes", 1, chunk('{"type":"us\\u0061ge","usage":{"inputTokens":3}}')],
    [
      "of an error",
      4,
      result('"c"', ',"meta":1,"meta":2,"e\\u0072ror":null').replace(
        '"content"',
        '"isError":true,"content"',
      ),
    ],
  ])("CO8: a repeated or escaped key %s: the parser reads it", (_, version, line) => {
    expect(verdictOn(version, line)).toBe("parsed")
  })

  it.each<Case>([
    ["of a source", 4, user(text).replace(kind, '{"kind":"user","kind":"plugin"}')],
    ["of a source, escaped", 4, user(text).replace(kind, '{"kind":"user","k\\u0069nd":"plugin"}')],
    ["of a call id", 4, result('"c","toolCallId":"d"')],
  ])("CO8: a repeated key %s: the parser refuses what it says last", (_, version, line) => {
    expect(verdictOn(version, line)).toBe("payload-shape")
  })

  it.each<readonly [what: string, line: string, verdict: string]>([
    ["an exponent", todo("1e3"), "parsed"],
    ["an exponent that overflows", todo("1e400"), "not-lossless"],
    ["a count with an exponent", row("turn/start", '{"turn":1e0}'), "parsed"],
    ["a count with a fraction", row("turn/start", '{"turn":1.0}'), "parsed"],
    ["negative zero", todo("-0"), "not-lossless"],
    ["negative zero as a fraction", todo("-0.0"), "not-lossless"],
    ["what only begins like it", todo("-0.5"), "parsed"],
    ["400 digits", todo("1".repeat(400)), "not-lossless"],
    ["a leading zero", todo("0123"), "invalid-json"],
    ["2^53", row("turn/start", '{"turn":9007199254740992}'), "payload-shape"],
    [
      "2^53+1, which rounds to 2^53",
      row("turn/start", '{"turn":9007199254740993}'),
      "payload-shape",
    ],
    [
      "a seq of 2^53",
      row("turn/start", '{"turn":1}').replace('"seq":7', '"seq":9007199254740992'),
      "envelope-shape",
    ],
    ["usage that is no count", answer(',"stream":[],"usage":{"inputTokens":-1}'), "parsed"],
    ["usage of 2^53", answer(',"stream":[],"usage":{"inputTokens":9007199254740992}'), "parsed"],
  ])("CO9: %s: the parser judges the number", (_, line, verdict) => {
    expect(verdictOn(4, line)).toBe(verdict)
  })

  it("CO9: a packed run may not lead beyond the last exact number", () => {
    const last = (members: string, gaps: string): string =>
      run(`{"turn":1,"step":1,"index":0,"dt":[${gaps}],"texts":[${members}]}`).replace(
        '"seq0":7',
        '"seq0":9007199254740991',
      )
    expect(verdictOn(1, last('""', ""))).toBe("plain")
    expect(verdictOn(1, last('"",""', "0"))).toBe("run-shape")
    expect(verdictOn(1, last('"","",""', "0,0"))).toBe("run-shape")
    const late = run('{"turn":1,"step":1,"index":0,"dt":[9007199254740987],"texts":["",""]}')
    expect(verdictOn(1, late)).toBe("run-shape")
    expect(verdictOn(1, late.replace("0987]", "0986]"))).toBe("plain")
  })

  it.each<readonly [what: string, bytes: readonly number[]]>([
    ["a byte that none begins with", [0xff]],
    ["a character cut short", [0xe2, 0x82]],
    ["a character in too many bytes", [0xc0, 0x80]],
    ["a surrogate", [0xed, 0xa0, 0x80]],
    ["a number beyond the last character", [0xf4, 0x90, 0x80, 0x80]],
  ])("CO10: %s: the line is refused, wherever it stands", (_, bytes) => {
    for (const place of ['"hello"', '"id":"u', "{", '"append"}', "user/message"]) {
      const line = user(text)
      const at = line.indexOf(place) + 1
      const broken = Buffer.concat(
        [line.slice(0, at), bytes, line.slice(at)].map((part) => Buffer.from(part as string)),
      )
      expect(verdictOn(4, broken)).toBe("invalid-utf8")
      // and the lines before it are read
      const { counts, stop } = scan(
        4,
        row("turn/start", '{"turn":1}').replace('7,"time"', '6,"time"'),
        broken,
      )
      expect([counts.eventCount, stop?.line]).toStrictEqual([1, 1])
    }
  })

  it.each<readonly [what: string, version: FormatVersion, line: string, verdict: string]>([
    ["no object", 4, row("turn/start", "1"), "payload-shape"],
    ["without a field", 4, row("step/start", '{"turn":1}'), "payload-shape"],
    ["an empty id", 1, user(text).replace('"id":"u"', '"id":""'), "payload-shape"],
    ["a message of format 0 without an id", 0, user(text).replace('"id":"u",', ""), "parsed"],
    ["another role", 4, user(text).replace('"role":"user"', '"role":"robot"'), "payload-shape"],
    ["a block without text", 4, user('{"type":"text"}'), "payload-shape"],
    ["a block without a tag", 4, user('{"text":"a"}'), "payload-shape"],
    ["a retired block", 4, user(nestedResult(1)), "payload-shape"],
    ["another call than the source names", 4, result('"d"'), "payload-shape"],
    ["the same call in other bytes", 4, result('"\\u0063"'), "parsed"],
    ["an error without its flag", 4, result('"c"', ',"error":null'), "payload-shape"],
    ["tool results nested beyond the limit", 3, user(nestedResult(600)), "not-lossless"],
    [
      "a run with too few gaps",
      1,
      run('{"turn":1,"step":1,"index":0,"dt":[],"texts":["a","b"]}'),
      "run-shape",
    ],
    [
      "a run without members",
      1,
      run('{"turn":1,"step":1,"index":0,"dt":[],"texts":[]}'),
      "run-shape",
    ],
    [
      "a run since format 2",
      2,
      run('{"turn":1,"step":1,"index":0,"dt":[],"texts":["a"]}'),
      "envelope-shape",
    ],
    ["text that ends early", 4, user(text).slice(0, -1), "invalid-json"],
    ["text that goes on", 4, `${user(text)}}`, "invalid-json"],
    ["a raw control character", 4, todo('"\t"'), "invalid-json"],
    ["no escape", 4, todo('"\\x"'), "invalid-json"],
    ["nothing", 4, "", "blank-line"],
  ])("CO11: what is not proven valid: %s", (_, version, line, verdict) => {
    expect(verdictOn(version, line)).toBe(verdict)
  })

  it.each<readonly [what: string, block: string, tokens: number]>([
    ["an image", '{"type":"image","data":"é"}', 7],
    ["an image put aside", '{"type":"image","data":"é","offloaded":true}', 7],
    ["a file with blanks", '{"type":"file", "path":"a"}', 7],
    ["a number in other digits", '{"type":"file","n":1.50}', 6],
    ["an escaped character", '{"type":"file","path":"\\u0061"}', 7],
    ["a repeated key", '{"type":"file","path":"a","path":"b"}', 7],
    [
      "inside a tool result",
      '{"type":"tool-result","toolCallId":"c","content":[{"type":"file"}]}',
      8,
    ],
  ])(
    "CO12: a block that is priced by its JSON: %s: has the price of its data",
    (_, block, tokens) => {
      const { rows, fallbackCount } = scan(3, user(block))
      expect([rows, fallbackCount]).toMatchObject([[{ tokens: tokens + 4 + 4 }], 1])
    },
  )
})
