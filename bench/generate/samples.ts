import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { sha256 } from "./line-sink.ts"
import type { Sample } from "./sample.ts"
import { atlasSamples } from "./samples-atlas.ts"
import { betweenSamples } from "./samples-between.ts"
import { chatSamples } from "./samples-chat.ts"
import { samplesReadme } from "./samples-readme.ts"
import { tidepoolSamples } from "./samples-tidepool.ts"
import { expectations, type Expectations } from "./session-summary.ts"

/** Every sample log, sorted by path. */
export const makeSamples = (): readonly Sample[] =>
  [...atlasSamples(), ...betweenSamples(), ...tidepoolSamples(), ...chatSamples()].toSorted(
    (a, b) => (a.path < b.path ? -1 : 1),
  )

/** Size, events and digest of each sample, by path. */
export type Digests = Readonly<Record<string, { bytes: number; events: number; sha256: string }>>

export const sampleDigests = (samples: readonly Sample[]): Digests =>
  Object.fromEntries(
    samples.map(({ path, bytes, summary }) => [
      path,
      { bytes: bytes.length, events: summary.eventCount, sha256: sha256(bytes) },
    ]),
  )

/** What the model expects of each sample, by path. */
export const sampleExpectations = (samples: readonly Sample[]): Expectations =>
  expectations(Object.fromEntries(samples.map(({ path, summary }) => [path, summary])))

/**
 * Writes the samples and their README to a folder that is emptied first.
 *
 * errors  those of the file system
 */
export const writeSamples = (root: string, samples: readonly Sample[]): void => {
  rmSync(root, { recursive: true, force: true })
  for (const { path, bytes } of samples) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), bytes)
  }
  writeFileSync(join(root, "README.md"), samplesReadme(samples))
}
