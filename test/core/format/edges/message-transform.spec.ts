import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import type { MessageOrigin } from "#core/format/edges/message-transform"
import { migratedMessage, migratedPrompt } from "#core/format/edges/message-transform"
import type { FormatVersion } from "#core/format/format"
import { surfaceKind } from "#core/format/surface-kind"
import { sha256 } from "../../../fixtures/migration.ts"
import { assistant, result, text, user } from "./logs.ts"

const origin: MessageOrigin = {
  sessionId: "s",
  seq: 7,
  kind: surfaceKind.user,
  namelessCompaction: null,
}

const of = (
  message: JsonObject,
  from: FormatVersion,
  to: FormatVersion,
  more: Partial<MessageOrigin> = {},
): JsonObject => migratedMessage(message, from, to, { ...origin, ...more })

const plugin = (name: string, more: JsonObject = {}): JsonObject => ({
  kind: "plugin",
  plugin: name,
  ...more,
})

describe("what a message must become", () => {
  it("MI39: most messages stay what they are", () => {
    const answer = assistant("a")["message"] as JsonObject
    for (const from of [0, 1, 2, 3, 4] as const) {
      expect(of(user("u"), from, 4)).toStrictEqual(user("u"))
      expect(of(answer, from, 4, { kind: surfaceKind.assistant })).toStrictEqual(answer)
    }
  })

  it("MI39: behind format 0 they have an identity, and their compaction too", () => {
    const { id: _id, role: _role, ...bare } = user("u")
    expect(of(bare, 0, 1)).toStrictEqual(user("legacy-message:s:7"))
    const compact = user("u", { source: plugin("compact") })
    expect(of(compact, 0, 1)).toStrictEqual(compact)
    expect(of(compact, 0, 1, { namelessCompaction: 3 })).toStrictEqual(
      user("u", { source: plugin("compact", { compactionId: "legacy-compaction:s:3" }) }),
    )
  })

  it("MI39: behind format 1 changes of goals are events of their own", () => {
    const source = { kind: "goal", goalId: "g", revision: 1, round: 0, change: { id: "g" } }
    expect(of(user("u", { source }), 1, 2)).toStrictEqual(user("u", { source: plugin("goal") }))
    expect(of(user("u", { source }), 0, 4)).toStrictEqual(user("u", { source: { kind: "goal" } }))
  })

  it("MI39: behind format 2 code mode has another name, behind format 3 one of its own", () => {
    const old = user("u", { source: plugin("tools-code-mode") })
    expect(of(old, 2, 3)).toStrictEqual(user("u", { source: plugin("tools-ptc") }))
    expect(of(old, 2, 4)).toStrictEqual(user("u", { source: { kind: "ptc-mode" } }))
    expect(of(old, 0, 2)).toStrictEqual(old)
  })

  it("MI39: behind format 3 results are messages, and what is a plugin's says so", () => {
    const block = {
      type: "tool-result",
      toolCallId: "c1",
      content: [{ type: "x" }],
      isError: true,
      a: 1,
    }
    const message = { ...(result("r")["message"] as JsonObject), content: [block], b: 2 }
    expect(of(message, 3, 4, { kind: surfaceKind.toolResult })).toStrictEqual({
      id: "r",
      role: "tool",
      source: { kind: "tool", callId: "c1" },
      toolCallId: "c1",
      content: [{ type: "plugin:x" }],
      isError: true,
      "plugin:result:a": 1,
      "plugin:message:b": 2,
    })
    const strange = user("u", {
      source: plugin("me", { form: "notice" }),
      content: [{ type: "x" }],
    })
    expect(of(strange, 3, 4)).toStrictEqual(
      user("u", { source: { kind: "plugin:me", form: "notice" }, content: [{ type: "plugin:x" }] }),
    )
    const prompt = plugin("@deepseek-ai/dsh-system-prompt")
    const system = { id: "m", role: "system", source: prompt, content: [text("p")] }
    expect(of(system, 3, 4, { kind: surfaceKind.system })["source"]).toStrictEqual({
      kind: "system-prompt",
    })
    expect(of(user("u", { source: prompt }), 3, 4)["source"]).toStrictEqual({
      kind: "runtime-context",
    })
  })

  it("MI39: a prompt becomes a message of the system, unless it is empty", () => {
    const anchor = { seq: 3, type: "request/header" as const }
    const of3 = migratedPrompt({ text: "Be brief.", anchor }, "demo-session", 3, sha256)
    expect(of3).toStrictEqual({
      id: "v2-to-v3-system-0fcb03b30dba87ef8aa2e25d04855f1f83deaef908da7d7f1adeb4d4822088a2",
      role: "system",
      source: plugin("@deepseek-ai/dsh-system-prompt"),
      content: [text("Be brief.")],
    })
    expect(migratedPrompt({ text: "Be brief.", anchor }, "demo-session", 4, sha256)).toStrictEqual({
      ...of3,
      source: { kind: "system-prompt" },
    })
    expect(migratedPrompt({ text: "", anchor }, "demo-session", 4, sha256)).toBeNull()
  })
})
