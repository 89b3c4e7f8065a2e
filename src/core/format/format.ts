import type { ObjectShape } from "../log/shape.ts"
import type { PackedRuns } from "../log/packed-run.ts"
import type { PayloadShapes } from "../log/payload-shapes.ts"
import type { ShapeCheck } from "../log/shape-check.ts"
import { checkOf } from "../log/shape-check.ts"
import { record } from "../log/shape.ts"
import type { SurfaceKind } from "./surface-kind.ts"
import { surfaceKind } from "./surface-kind.ts"

export type FormatVersion = 0 | 1 | 2 | 3 | 4

/** What a format version says, as data; each version is a difference to the one before. */
export interface FormatRules {
  readonly version: FormatVersion
  readonly header: ObjectShape
  /** Header keys that make an otherwise tolerant header invalid. */
  readonly retiredHeaderKeys: readonly string[]
  /** Where the number of inherited events stands: in the header, or at a tagged marker event. */
  readonly inheritedCut: "header" | "marker"
  readonly vocabulary: readonly string[]
  /** Whether a row may hold a packed run of stream deltas, and how it is checked. */
  readonly packedRuns: PackedRuns
  readonly surface: Readonly<Record<string, SurfaceKind>>
  /** The keys of a replacement's endpoints. */
  readonly endpoints: readonly [start: string, end: string]
  /** Whether an assistant message may cite sources: the chunks it was assembled from. */
  readonly assistantSources: boolean
  /** Whether unknown ignorable events may carry surface fields, which then mean nothing. */
  readonly opaqueSurfaceFields: boolean
  /** Events that rewrite messages and cannot be skipped by a reader without an interpreter. */
  readonly projections: readonly string[]
  /** Where the content of a tool result stands: in its one block, or in its message. */
  readonly toolResultContent: "block" | "message"
  readonly payloads: PayloadShapes
}

/** The rules of one format, ready for reading. */
export interface Format {
  readonly rules: FormatRules
  readonly version: FormatVersion
  readonly header: ShapeCheck
  /** Every known event type with what it is on the surface. */
  readonly kinds: ReadonlyMap<string, SurfaceKind>
  readonly projections: ReadonlySet<string>
  /** Payload checks by type; a type without one must hold an object. */
  readonly payloads: ReadonlyMap<string, ShapeCheck>
  readonly anyPayload: ShapeCheck
}

export const formatOf = (rules: FormatRules): Format => ({
  rules,
  version: rules.version,
  header: checkOf(rules.header),
  kinds: new Map(
    rules.vocabulary.map((type) => [type, rules.surface[type] ?? surfaceKind.none] as const),
  ),
  projections: new Set(rules.projections),
  payloads: new Map(
    Object.entries(rules.payloads).map(([type, shape]) => [type, checkOf(shape)] as const),
  ),
  anyPayload: checkOf(record),
})
