import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, it } from "vitest"

const candidate = fileURLToPath(new URL("../../shared", import.meta.url))

/** Path of the reference material beside the checkout, or null where it is not there. */
export const sharedDirectory: string | null = existsSync(candidate) ? candidate : null

const note = "skipped: ../shared is missing"

/** `describe` for suites that read ../shared; elsewhere a skip that says why. */
export const describeShared = (name: string, body: (shared: string) => void): void => {
  if (sharedDirectory === null) {
    describe.skip(`${name} (${note})`, () => {
      it(note, () => {})
    })
  } else {
    const shared = sharedDirectory
    describe(name, () => body(shared))
  }
}

/** `it` for single tests that read ../shared; elsewhere a skip that says why. */
export const itShared = (name: string, body: (shared: string) => void | Promise<void>): void => {
  if (sharedDirectory === null) {
    it.skip(`${name} (${note})`, () => {})
  } else {
    const shared = sharedDirectory
    it(name, () => body(shared))
  }
}
