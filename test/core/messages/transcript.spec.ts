import { describe, expect, it } from "vitest"
import { isTranscriptEvent } from "#core/messages/transcript"
import { sessionHeader } from "../../../properties/arbitraries/dialect.ts"
import { FoldCarrier, rightRow } from "../../../properties/carriers.ts"
import type { Draft } from "../surface/events.ts"
import {
  assistant,
  developer,
  every,
  note,
  numbered,
  replacing,
  system,
  toolResult,
  user,
} from "../surface/events.ts"

describe("what a person saw", () => {
  it.each(every)(
    "M10: format %d: user, assistant and tool messages where they were appended",
    (version) => {
      const events: readonly Draft[] = [
        user(),
        note,
        assistant(version),
        toolResult(version),
        replacing(version, user("summary"), [0, 3], [0, 2, 3]),
        assistant(version, ""),
        replacing(version, user("again"), [4, 5], [4, 5]),
      ]
      const seen: number[] = []
      const fold = new FoldCarrier(sessionHeader(version, null), {
        onTranscript: ({ byteOffset }) => seen.push(byteOffset),
      })
      for (const row of numbered(events)) expect(fold.offer(row)).toBeNull()
      // what replaced it later is for the model only, and has not erased it
      expect(seen).toEqual([0, 2, 3, 5])
      expect(fold.fold.surface.nodes().map(({ seq }) => seq)).toEqual([6])
    },
  )

  it("M10: system and developer messages are not for people", () => {
    const events = [system(4), user(), developer([{ type: "text", text: "x" }]), toolResult(4)]
    const seen = numbered(events).filter((row) => isTranscriptEvent(rightRow(4, row).facts))
    expect(seen.map(({ seq }) => seq)).toEqual([1, 3])
  })
})
