import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import { append, causesOf, dataOf, event, result, step, text, user } from "./logs.ts"
import type { Source } from "./logs.ts"

const first = (one: JsonObject, source?: Source): JsonValue | undefined =>
  dataOf(0, [one], source)[0]

describe("what format 0 may hold and format 1 may not", () => {
  it.each(["request/header-delta", "mode/set"])("MI18: %s is refused", (type) => {
    expect(causesOf(0, [event(type, {})])).toStrictEqual([
      { code: "event-type-retired", class: "unsupported", seq: 0, type },
    ])
  })

  it("MI18: a request header for a fallback is refused", () => {
    const header = { config: { provider: "p", model: "m" } }
    expect(causesOf(0, [event("request/header", { header, reason: "fallback" })])).toStrictEqual([
      { code: "request-fallback", class: "unsupported", seq: 0 },
    ])
  })

  it("MI18: an unknown type is refused, ignorable or not", () => {
    const cause = { code: "event-type-unknown", class: "unsupported", type: "x/y" }
    expect(causesOf(0, [event("x/y", {}), event("x/y", {}, { ignorable: true })])).toStrictEqual([
      { ...cause, seq: 0 },
      { ...cause, seq: 1 },
    ])
  })

  it("MI19: a member too many and one too few are refused, with their place", () => {
    const cause = { code: "payload-shape", class: "malformed" }
    expect(
      causesOf(0, [
        event("permission/preset", { preset: "p", previous: "q" }),
        append(
          "user/message",
          user("u", { source: { kind: "agent-instructions", form: "instructions" } }),
        ),
        append("user/message", user("u", { note: 1 })),
        append("user/message", user("u", { content: [{ ...text("a"), more: 1 }] })),
        append("user/message", user("u", { source: { kind: "user", more: 1 } })),
        append(
          "user/message",
          user("u", {
            source: { kind: "plugin", plugin: "p", form: "instructions", summary: "s" },
          }),
        ),
        append(
          "user/message",
          user("u", { source: { kind: "plugin", plugin: "p", form: "snapshot" } }),
        ),
        append("tool/result", result("r", "c1", { error: { name: "n", code: "c", reason: "r" } })),
      ]),
    ).toStrictEqual(
      [
        ["permission/preset", ["previous"], "nothing"],
        ["user/message", ["source", "changes"], "array"],
        ["user/message", ["note"], "nothing"],
        ["user/message", ["content", 0, "more"], "nothing"],
        ["user/message", ["source", "more"], "nothing"],
        ["user/message", ["source", "summary"], "nothing"],
        ["user/message", ["source", "sections"], "sections"],
        ["tool/result", ["error", "reason"], "nothing"],
      ].map(([type, path, expected], seq) => ({ ...cause, seq, type, fault: { path, expected } })),
    )
  })

  it("MI19: sources and blocks of nobody's are kept, and so is a plugin's without a form", () => {
    const strange = user("u", {
      source: { kind: "mine", more: { deep: true } },
      content: [{ type: "mine", more: 1 }],
    })
    const formless = user("v", { source: { kind: "plugin", plugin: "p", summary: "s" } })
    expect(
      dataOf(0, [append("user/message", strange), append("user/message", formless)]),
    ).toStrictEqual([strange, formless])
  })

  it("MI19: what a chunk holds is not looked at", () => {
    const chunk = { turn: 1, step: 1, chunk: { type: "of later" } }
    expect(first(event("assistant/chunk", chunk))).toStrictEqual(chunk)
  })

  it("MI10: a header field that nobody knows is refused, and the rest goes on", () => {
    const migrated = step(0, [event("plan/mode", { active: 1 })], { header: { note: "x" } })
    expect(migrated.header).toStrictEqual({
      type: "session",
      version: 1,
      id: "s",
      createdAt: 1,
      delegationDepth: 0,
    })
    expect(migrated.causes).toMatchObject([
      { code: "header-field", class: "malformed", seq: null, fault: { path: ["note"] } },
      { code: "payload-shape", seq: 0 },
    ])
  })
})
