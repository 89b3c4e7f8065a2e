import { describe, expect, it } from "vitest"
import { printable, printableJson, printableLine } from "#shell/report/escape"
import { foldRecord } from "#shell/report/fold-record"
import { foldText } from "#shell/report/fold-text"
import { messageText } from "#shell/report/message-text"
import { reportText } from "#shell/report/refusal-text"
import foldTask from "#workers/fold-task"
import type { FoldedLog } from "#core/fold/folded-log"
import { temporaryFolder } from "./folder.ts"
import { mode, sessionLog, user } from "./session-logs.ts"

const folder = temporaryFolder()

const folded = (content: string): FoldedLog => {
  const path = folder.file("session.jsonl", content)
  const reply = foldTask({
    source: { path, descriptor: null, namedVersion: null },
    tolerance: "default",
    at: null,
    withDigest: false,
    withTranscript: false,
  })
  if (reply.is !== "folded") throw new Error("the whole log was asked for")
  return reply
}

const causeOf = (content: string): string | null => reportText(folded(content).report)

describe("escapes", () => {
  it("C14: leave text as it is, but for what a terminal acts on", () => {
    expect(printable("é 漢 \u{1f600}\ttab\nline")).toBe("é 漢 \u{1f600}\ttab\nline")
    expect(printableLine("a\tb\nc")).toBe("a\\u0009b\\u000ac")
    expect(printable("\u0000\u001b\u007f\u009f\u202a\u2069")).toBe(
      "\\u0000\\u001b\\u007f\\u009f\\u202a\\u2069",
    )
  })

  it("C14: leave a JSON value the same", () => {
    const value = { "k\u0085": "\u001b[0m \u009b \u202e \u2028 é", n: [1, null] }
    const text = printableJson(JSON.stringify(value))
    expect(text).toBe('{"k\\u0085":"\\u001b[0m \\u009b \\u202e \u2028 é","n":[1,null]}')
    expect(JSON.parse(text)).toStrictEqual(value)
  })
})

describe("a fold for people", () => {
  it("C32: is a line each of what it is", () => {
    const rows = Array.from({ length: 25 }, (_, seq) => user(seq, ""))
    const log = folded(sessionLog("ma\u001b\nny", ...rows))
    const lines = foldText(foldRecord(log), log).split("\n")
    expect(lines).toContain("session      ma\\u001b\\u000any")
    expect(lines).toContain(
      "nodes        25: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 … (5 more)",
    )
    expect(lines).toContain("digest       –")
    expect(lines).toContain("status       ok")
  })

  it("C32: says why it ends early, and nothing of a log that could not be read", () => {
    const torn = folded(`${sessionLog("torn")}{"type"`)
    const byteOffset = sessionLog("torn").length
    expect(foldText(foldRecord(torn), torn)).toMatch(
      new RegExp(
        `^cause +the last line is torn: 7 bytes from byte ${byteOffset} were left out$`,
        "m",
      ),
    )
    const none = folded("hello\n")
    expect(foldText(foldRecord(none), none)).toBe("")
  })

  it("C9: a cause has a place and a code, and is short whatever a log holds", () => {
    expect(causeOf(sessionLog("ok", mode(0)))).toBeNull()
    const type = "x".repeat(100_000)
    const unknown = causeOf(sessionLog("s", { type, seq: 0, time: 0, data: {} }))
    expect(unknown).toBe(
      `seq 0: unknown event type ${"x".repeat(119)}…, which is not marked ignorable [event-type-unknown]`,
    )
    const deep = `{"type":"plan/mode","seq":0,"time":1,"data":${"[".repeat(5000)}${"]".repeat(5000)}}`
    expect(causeOf(sessionLog("s", deep))).toMatch(
      /^row 1 \(byte \d+\): JSON cannot keep too deep at data\.0\.[0.]{100,113}… \[not-lossless\]$/,
    )
    const shape = causeOf(sessionLog("s", { type: "turn/start", seq: 0, time: 0, data: {} }))
    expect(shape).toMatch(/^seq 0: turn should be: [a-z ]+ \[payload-shape\]$/)
  })
})

describe("a message for people", () => {
  it("C32: is its number and role, then its blocks", () => {
    const message = {
      role: "assistant",
      content: [
        { type: "reasoning", text: "first\nsecond" },
        { type: "text", text: "said" },
        { type: "tool-call", id: "c", name: "ls", arguments: '{"a":1}' },
        { type: "image", data: "…" },
      ],
    }
    expect(messageText(message, 3)).toBe(
      [
        "── 3 assistant",
        "(reasoning)",
        "  first",
        "  second",
        "said",
        '→ ls({"a":1})',
        '{"type":"image","data":"…"}',
        "",
        "",
      ].join("\n"),
    )
    const result = {
      role: "user",
      content: [{ type: "tool-result", content: [{ type: "text", text: "a.txt" }] }],
    }
    expect(messageText(result, 1)).toBe("── 1 user\na.txt\n\n")
    // odd blocks are shown as they are
    expect(messageText({ role: 1, content: ["x"] }, 1)).toBe('── 1 ?\n"x"\n\n')
  })
})
