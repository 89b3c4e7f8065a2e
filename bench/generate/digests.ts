import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { writeBigLog } from "./big-log.ts"
import type { FormatVersion } from "./dialect.ts"
import type { Sample } from "./sample.ts"
import { sampleDigests, type Digests } from "./samples.ts"
import { shapeNames } from "./shapes.ts"

const shapeBytes = 2_000_000
const shapeSeed = 1
const shapeFormats: readonly FormatVersion[] = [0, 4]

/** Digests of what this generator makes: every sample, and every shape in two formats. */
export type CommittedDigests = {
  readonly samples: Digests
  /** By `shape/format`; two megabytes each, seed 1. */
  readonly shapes: Digests
}

const shapeDigests = (): Digests => {
  const folder = mkdtempSync(join(tmpdir(), "refold-digests-"))
  try {
    return Object.fromEntries(
      shapeNames.flatMap((shape) =>
        shapeFormats.map((format) => {
          const path = join(folder, `${shape}-${format}`)
          const log = writeBigLog(path, { shape, format, seed: shapeSeed, bytes: shapeBytes })
          const { bytes, sha256, summary } = log
          return [`${shape}/${format}`, { bytes, events: summary.eventCount, sha256 }]
        }),
      ),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * The digests to commit; makes every shape once in a temporary folder.
 *
 * errors  those of the file system
 */
export const makeDigests = (samples: readonly Sample[]): CommittedDigests => ({
  samples: sampleDigests(samples),
  shapes: shapeDigests(),
})
