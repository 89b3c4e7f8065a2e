import type { Profile } from "./agent.ts"
import { hasChunkEvents, type FormatVersion } from "./dialect.ts"
import type { LengthLaw } from "./log-normal.ts"

export const shapeNames = ["mixed", "chunky", "fat", "uncompacted"] as const

export type ShapeName = (typeof shapeNames)[number]

/** One kind of big log: how its sessions look and what happens to its surface. */
export type Shape = {
  readonly profile: Profile
  readonly stepsPerTurn: LengthLaw
  /** Surface appends between two compactions, or null for a log that is never compacted. */
  readonly compactEvery: number | null
  /** Fewest and most nodes that a compaction leaves alone. */
  readonly retain: readonly [number, number]
  /** Share of tool results that are rewritten. */
  readonly toolRewriteShare: number
  /** Share of all surface events that rewrite one node anywhere on the surface. */
  readonly nodeRewriteShare: number
}

// Formats 2 and later keep the stream inside the message; hook events then make up the many rows
// that touch no surface.
const hookPairs = (format: FormatVersion): number => (hasChunkEvents(format) ? 0 : 3)

const mixed = (format: FormatVersion): Shape => ({
  profile: {
    prompt: { median: 260, spread: 0.9, cap: 6_000 },
    answer: { median: 160, spread: 0.8, cap: 4_000 },
    toolResult: { median: 1_500, spread: 1.2, cap: 100_000 },
    deltasPerStep: 3,
    unicodeShare: 0.06,
    reasoningShare: 0.1,
    parallelShare: 0.05,
    hookPairs: hookPairs(format),
    incidentShare: 0.04,
  },
  stepsPerTurn: { median: 8, spread: 0.7, cap: 60 },
  compactEvery: 500,
  retain: [40, 120],
  toolRewriteShare: 0.1,
  nodeRewriteShare: 0,
})

const chunky = (format: FormatVersion): Shape => {
  const base = mixed(format)
  return {
    ...base,
    profile: {
      ...base.profile,
      prompt: { median: 120, spread: 0.6, cap: 1_000 },
      answer: { median: 180, spread: 0.5, cap: 1_000 },
      toolResult: { median: 300, spread: 0.8, cap: 6_000 },
      deltasPerStep: 60,
      reasoningShare: 0.6,
      hookPairs: 0,
    },
  }
}

const fat = (format: FormatVersion): Shape => {
  const base = mixed(format)
  return {
    ...base,
    profile: {
      ...base.profile,
      toolResult: { median: 4_000, spread: 1, cap: 100_000 },
      deltasPerStep: 0,
      hookPairs: 0,
    },
  }
}

const uncompacted = (format: FormatVersion): Shape => ({
  ...mixed(format),
  compactEvery: null,
  toolRewriteShare: 0,
  nodeRewriteShare: 0.2,
})

const shapes: Readonly<Record<ShapeName, (format: FormatVersion) => Shape>> = {
  mixed,
  chunky,
  fat,
  uncompacted,
}

/** The shape of that name, as a writer of that format would leave it. */
export const shapeOf = (name: ShapeName, format: FormatVersion): Shape => shapes[name](format)

/** The same for the short logs of an archive, which would otherwise never be compacted. */
export const archiveShapeOf = (name: ShapeName, format: FormatVersion): Shape => {
  const shape = shapeOf(name, format)
  return shape.compactEvery === null ? shape : { ...shape, compactEvery: 40, retain: [6, 20] }
}
