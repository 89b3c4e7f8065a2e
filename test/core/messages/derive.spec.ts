import { describe, expect, it } from "vitest"
import type { JsonArray, JsonObject, JsonValue } from "#core/data/json"
import type { SurfaceKind } from "#core/format/surface-kind"
import { surfaceKind } from "#core/format/surface-kind"
import { deriveEventMessage } from "#core/messages/derive"
import {
  every,
  developer,
  note,
  requestHeader,
  system,
  toolResult,
  user,
  userWith,
  assistant,
} from "../surface/events.ts"

const inner = (data: JsonValue): JsonValue => (data as JsonObject)["message"] ?? null

const empty: JsonArray = []

describe("the message that one event puts before the model", () => {
  it("M1: of a user message it is the payload itself, empty or not", () => {
    for (const event of [user(), userWith(empty)])
      expect(deriveEventMessage(surfaceKind.user, event.data)).toBe(event.data)
  })

  it("M1: nothing is put around it, whatever its source", () => {
    const data = { ...(user().data as JsonObject), source: { kind: "plugin", plugin: "x" } }
    expect(deriveEventMessage(surfaceKind.user, data)).toBe(data)
  })

  it.each(every)(
    "M2: format %d: of an assistant message it is the message, if it says anything",
    (version) => {
      const { data } = assistant(version)
      expect(deriveEventMessage(surfaceKind.assistant, data)).toBe(inner(data))
      expect(deriveEventMessage(surfaceKind.assistant, assistant(version, "").data)).toBeNull()
    },
  )

  it("M3: of system and developer messages likewise", () => {
    const cases: readonly (readonly [SurfaceKind, JsonValue, JsonValue])[] = [
      [surfaceKind.system, system(3).data, system(3, "").data],
      [surfaceKind.system, system(4).data, system(4, "").data],
      [
        surfaceKind.developer,
        developer([{ type: "tool-removal", toolName: "ls" }]).data,
        developer().data,
      ],
    ]
    for (const [kind, full, bare] of cases) {
      expect(deriveEventMessage(kind, full)).toBe(inner(full))
      expect(deriveEventMessage(kind, bare)).toBeNull()
    }
  })

  it.each(every)("M4: format %d: of a tool result it is the message, empty or not", (version) => {
    for (const { data } of [toolResult(version), toolResult(version, "c", "")])
      expect(deriveEventMessage(surfaceKind.toolResult, data)).toBe(inner(data))
  })

  it("M5: of any other event there is none", () => {
    for (const { data } of [note, requestHeader(4, []), user(), assistant(4)])
      expect(deriveEventMessage(surfaceKind.none, data)).toBeNull()
    for (const data of [null, [], "text", {}, { message: null }, { message: [] }])
      for (const kind of [surfaceKind.system, surfaceKind.assistant, surfaceKind.toolResult])
        expect(deriveEventMessage(kind, data)).toBeNull()
  })

  it("M6: a rewritten message goes before all of this", () => {
    const rewritten = { id: "u", role: "user", content: empty }
    for (const kind of Object.values(surfaceKind))
      expect(deriveEventMessage(kind, user().data, rewritten)).toBe(rewritten)
  })
})
