import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { brokenRowsOf, plainSessions } from "./arbitraries/sessions.ts"
import { compare, loadPeer } from "./peer.ts"

const peer = await loadPeer()
const note = peer === null ? " (skipped: @deepseek-ai/dsh-session is not installed)" : ""

describe(`the public fold of format 0${note}`, () => {
  it.skipIf(peer === null)(
    "PL12: gives the same nodes and replacements and refuses at the same seq",
    () => {
      const seen = { accepted: 0, refused: 0 }
      fc.assert(
        fc.property(plainSessions(), (session) => {
          if (peer === null) return
          const { code, ours, theirs, isSame } = compare(peer, brokenRowsOf(session))
          expect({ ours, isSame }).toEqual({ ours: theirs, isSame: true })
          seen[code === null ? "accepted" : "refused"]++
        }),
      )
      expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(0)
    },
  )
})
