import { expect } from "vitest"

/** Fails where a law never met something that it is about. */
export const expectAllSeen = (seen: object): void => {
  for (const [what, times] of Object.entries(seen)) expect([what, times]).not.toEqual([what, 0])
}
