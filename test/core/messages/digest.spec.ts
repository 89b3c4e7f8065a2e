import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { messagesDigest } from "#core/messages/digest"

const textOf = (messages: readonly Readonly<Record<string, number>>[]): string => {
  let text = ""
  messagesDigest(messages, { update: (more) => (text += more), digest: () => "" })
  return text
}

describe("the digest of messages", () => {
  it("M11: it is taken over the canonical text of their array", () => {
    expect(textOf([])).toBe("[]")
    expect(textOf([{ b: 1, a: 2 }])).toBe('[{"a":2,"b":1}]')
    expect(textOf([{ b: 1 }, {}, { a: 1 }])).toBe('[{"b":1},{},{"a":1}]')
  })

  it("M11: by the hash that is handed in", () => {
    const hash = createHash("sha256")
    const digest = messagesDigest([], {
      update: (text) => void hash.update(text),
      digest: () => hash.digest("hex"),
    })
    // SHA-256 of the two bytes [ and ]
    expect(digest).toBe("4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945")
  })
})
