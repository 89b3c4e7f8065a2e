import { canonicalJson } from "../data/canonical-json.ts"
import type { Message } from "./event-message.ts"

/** A running hash, handed in: ES2023 has none. */
export interface Hash {
  readonly update: (text: string) => void
  readonly digest: () => string
}

/**
 * The digest of a list of messages, fed one by one so that they need not be in memory together.
 *
 * shape   hash of the RFC 8785 text of their array, in UTF-8
 */
export const messagesDigest = (messages: Iterable<Message>, hash: Hash): string => {
  let separator = "["
  for (const message of messages) {
    hash.update(separator + canonicalJson(message))
    separator = ","
  }
  hash.update(separator === "[" ? "[]" : "]")
  return hash.digest()
}
