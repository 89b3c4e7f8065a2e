import { describe, expect, it } from "vitest"
import type { FormatVersion } from "#core/format/format"
import { LogReading } from "#core/fold/log-reading"
import { builtInProjections } from "#core/surface/image-offload"
import { headerIn } from "../../fixtures/log-in-memory.ts"
import type { Case } from "./hand-written.ts"
import {
  answer,
  append,
  callRun,
  chunk,
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
import { bytesOf, scanned, scanRanges } from "./scanning.ts"

describe("lines in the layout of writers", () => {
  it.each<Case>([
    ["a turn", 4, row("turn/start", '{"turn":1}')],
    ["a message", 4, user(text)],
    ["a message that is empty", 1, user("")],
    ["a reasoning block with a signature", 1, user('{"type":"reasoning","text":"","s":[1.5]}')],
    ["a message with usage", 4, answer(',"stream":[],"usage":{"inputTokens":3,"totalTokens":3}')],
    ["a tool result", 4, result('"c"')],
    ["nested tool results", 3, user(nestedResult(15))],
    ["a chunk of text", 1, chunk('{"type":"text-delta","text":"é€𝄞"}')],
    ["a chunk of usage", 1, chunk(`${usage}}`)],
    [
      "a replacement",
      2,
      user(text, ',"sourceEventSeqs":[1,[3,5]],"surfaceOp":{"op":"replace","start":1,"end":5}'),
    ],
    ["a packed run", 0, run('{"turn":1,"step":1,"index":0,"dt":[-1],"texts":["a",""]}')],
    ["a call, names first", 1, callRun('"id":"c","name":"ls","dt":[],"args":["{}"]')],
    ["a call, gaps first", 1, callRun('"dt":[],"id":"c","args":["{}"]')],
    ["the last exact integer", 4, todo("9007199254740991")],
    ["a large number that nobody counts with", 4, todo("9007199254740993")],
    ["300 digits", 4, todo("1".repeat(300))],
    ["escapes in a text", 4, todo('"\\ud800\\n\\/\\u00e9"')],
    ["64 levels", 4, todo("[".repeat(64) + "]".repeat(64))],
  ])("CO7: %s: are read without the parser", (_, version, line) => {
    expect(verdictOn(version, line)).toBe("plain")
  })

  it.each<Case>([
    ["blanks", 4, row("turn/start", '{"turn": 1}')],
    ["CRLF", 4, `${user(text)}\r`],
    ["another order of keys", 4, '{"seq":7,"type":"turn/start","time":5,"data":{"turn":1}}'],
    ["a flag of the envelope", 4, row("turn/start", '{"turn":1}', ',"ignorable":true')],
    ["a type that nobody knows", 4, row("x/later", "{}", ',"ignorable":true')],
    [
      "a system prompt",
      4,
      row(
        "system/message",
        `{"turn":1,"step":1,"message":{"id":"s","role":"system","source":{"kind":"system-prompt"},"content":[]}}`,
        append,
      ),
    ],
    ["a request header", 1, row("request/header", '{"header":{}}')],
    ["citations that do not grow", 1, user(text, `,"sourceEventSeqs":[2,1]${append}`)],
    ["65 levels", 4, todo("[".repeat(65) + "]".repeat(65))],
    ["sixteen nested tool results", 3, user(nestedResult(16))],
    ["301 digits", 4, todo("1".repeat(301))],
  ])("CO7: %s: are left to the parser", (_, version, line) => {
    expect(verdictOn(version, line)).toBe("parsed")
  })
})

describe("what a scan keeps", () => {
  it("CO13: rows of the surface with their price, place and citations; the others are counted", () => {
    const found = scan(
      1,
      row("turn/start", '{"turn":1}'),
      row("step/start", '{"turn":1,"step":1}').replace('"seq":7', '"seq":8'),
      run('{"turn":1,"step":1,"index":0,"dt":[1,1],"texts":["a","b","c"]}').replace('0":7', '0":9'),
      chunk(`${usage}}`).replace('"seq":7', '"seq":12'),
      answer("").replace('"seq":7', '"seq":13').replace(append, `,"sourceEventSeqs":[12]${append}`),
    )
    const length = chunk(`${usage}}`).length + 1
    expect(found).toMatchObject({
      rows: [
        { seq: 12, op: 0, sources: null, tokens: 0, derives: 0, byteLength: length },
        // five units are two tokens, and four each for the block and the role
        { seq: 13, op: 1, sources: { runs: [12, 12], length: 1 }, tokens: 10, derives: 1 },
      ],
      samples: [[0, 1, 2, 5, 3, 0, 0, 0, 0]],
      counts: {
        eventCount: 7,
        turnCount: 1,
        stepCount: 1,
        firstSeq: 7,
        firstTimeMs: 5,
        lastTimeMs: 5,
      },
      fallbackCount: 0,
      stop: null,
    })
  })

  it("CO13: usage counts as the parser counts it, wherever it stands", () => {
    const samplesIn = (version: FormatVersion, line: string): number =>
      scan(version, line).samples.length
    expect(samplesIn(1, chunk('{"type":"usage","model":"m","usage":{"inputTokens":3}}'))).toBe(1)
    expect(samplesIn(1, chunk('{"type":"text"}').replace('"chunk"', '"usage":{},"chunk"'))).toBe(1)
    expect(samplesIn(1, row("assistant/chunk", '{"turn":1}'))).toBe(0)
    expect(samplesIn(1, answer(`,"chunk":${usage}}`))).toBe(1)
    expect(samplesIn(4, answer(`,"stream":[{"chunk":${usage}}}]`))).toBe(1)
    expect(samplesIn(4, answer(`,"stream":[{"chunk":${usage}}}],"usage":null`))).toBe(1)
    expect(samplesIn(4, answer(',"stream":[],"usage":null'))).toBe(0)
  })

  it("CO13: a row that costs nothing has no price of the row before it", () => {
    const next = chunk(`${usage}}`).replace('"seq":7', '"seq":8')
    expect(scan(1, user(text), next).rows).toMatchObject([
      { tokens: 10 },
      { tokens: 0, derives: 0 },
    ])
  })

  it("CO13: a first row beyond the prefix is counted, so that the seam shows", () => {
    const found = scanned(1, bytesOf([user(text)]), { isFast: true, throughSeq: 3 })
    expect(found).toMatchObject({ counts: { eventCount: 1, firstSeq: 7 }, stop: { refusal: null } })
  })
})

describe("a row of a seq that is far away", () => {
  it("CO14: is refused, and nothing is made in its size", () => {
    const far = user(text).replace('"seq":7', '"seq":9007199254740990')
    const late = user("").replace('"seq":7', '"seq":9007199254740990')
    const header = headerIn(1)
    for (const line of [far, late.replace('"id":"u"', '"id":""')]) {
      const bytes = bytesOf([line])
      const reading = new LogReading({
        projections: builtInProjections,
        throughSeq: Infinity,
        tolerance: "default",
        namedVersion: null,
        lineAt: () => line,
      })
      reading.line(JSON.stringify(header), { byteOffset: 0, byteLength: 1 })
      let isTaken = true
      scanRanges(1, bytes, {
        isFast: true,
        onRange: (range) => {
          isTaken = reading.range(range)
          return isTaken
        },
      })
      expect(isTaken).toBe(false)
      expect(reading.finish({ byteOffset: 0, byteLength: 0 }).fold?.surface.nextSeq).toBe(0)
    }
  })
})
