import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import type { JsonObject, JsonValue } from "#core/data/json"
import type { Refusal } from "#core/data/refusal"
import { formats } from "#core/format/catalog"
import type { Format, FormatVersion } from "#core/format/format"
import { LogFold } from "#core/fold/log-fold"
import type { LogFoldOptions, Replacement } from "#core/fold/log-fold-options"
import { headerOf } from "#core/log/header"
import type { LogHeader } from "#core/log/header"
import type { LogRow } from "#core/log/row"
import { rowOf } from "#core/log/row"
import { admitRow } from "#core/surface/admit"
import { SurfaceDraft } from "#core/surface/draft"
import { builtInProjections } from "#core/surface/image-offload"
import type { SurfaceNode } from "#core/surface/node"
import type { SurfaceState } from "#core/surface/state"
import { emptySurface, nodesOf, stepSurface, viewOf } from "#core/surface/state"
import { isSameToolResult } from "#core/surface/tool-result"
import type { SurfaceRest } from "#core/surface/view"

export const formatOf = (version: FormatVersion): Format => {
  const format = formats[version]
  if (format === undefined) throw new RangeError(`no format ${version}`)
  return format
}

export const headerIn = (value: JsonObject): LogHeader => {
  const header = headerOf(value)
  if (isLeft(header)) throw new RangeError(`header refused: ${header.left.code}`)
  return header.right
}

/** A row of a log that is known to be right so far. */
export const rightRow = (version: FormatVersion, row: JsonObject): LogRow => {
  const read = rowOf(formatOf(version), row)
  if (isLeft(read)) throw new RangeError(`row refused: ${read.left.code}`)
  return read.right
}

export const noSurface = (version: FormatVersion): SurfaceState => emptySurface(formatOf(version))

/** Accepted rows by seq, asked as the planner asks. */
export class Payloads {
  private readonly format: Format
  private readonly rows: Map<number, LogRow> = new Map()

  constructor(format: Format) {
    this.format = format
  }

  copy(): Payloads {
    const copy = new Payloads(this.format)
    for (const row of this.rows.values()) copy.add(row)
    return copy
  }

  add(row: LogRow): void {
    this.rows.set(row.facts.seq, row)
  }

  payloadOf = (seq: number): JsonValue => {
    const row = this.rows.get(seq)
    if (row === undefined) throw new RangeError(`no payload of ${seq}`)
    return row.data
  }

  rest(candidate: LogRow): SurfaceRest {
    const payloadOf = (seq: number): JsonValue =>
      seq === candidate.facts.seq ? candidate.data : this.payloadOf(seq)
    return {
      payloadOf,
      headerAt: (seq) => {
        const row = this.rows.get(seq)
        return row?.facts.type === "request/header" ? row.data : null
      },
      isSameToolResult: (shadowed, next) =>
        isSameToolResult(this.format, payloadOf(shadowed), payloadOf(next)),
    }
  }
}

/** Everything that a surface state says, as text: equal texts mean equal states. */
export const stateText = (state: SurfaceState): string =>
  JSON.stringify({
    version: state.format.version,
    baseSeq: state.baseSeq,
    nextSeq: state.nextSeq,
    nodes: state.entries.slice(0, state.size).map(plainNode),
    projected: [...state.projected].sort(([a], [b]) => a - b),
    used: [...state.usedProjections.keys()],
    generations: [state.replaceGeneration, state.contentGeneration],
  })

// written out: a node that is shared must not differ in the order of its keys
const plainNode = (node: SurfaceNode): readonly unknown[] => [
  node.seq,
  node.kind,
  node.tokens,
  node.derives,
  node.byteOffset,
  node.byteLength,
]

/** States, one after another: plan, then apply. */
export class StateCarrier {
  state: SurfaceState
  readonly payloads: Payloads

  constructor(state: SurfaceState, payloads: Payloads = new Payloads(state.format)) {
    this.state = state
    this.payloads = payloads
  }

  offer(row: JsonObject): Refusal | null {
    const read = rowOf(this.state.format, row)
    if (isLeft(read)) return read.left
    const next = this.next(read.right)
    if (isLeft(next)) return next.left
    this.payloads.add(read.right)
    this.state = next.right
    return null
  }

  next(row: LogRow): Either<Refusal, SurfaceState> {
    const rest = this.payloads.rest(row)
    const admission = admitRow(viewOf(this.state, builtInProjections), row, rest, -1, 0)
    if (isLeft(admission)) return admission
    const { detail } = admission.right
    const stepped = stepSurface(this.state, builtInProjections, row.facts, rest, detail)
    return isLeft(stepped) ? left(stepped.left) : right(stepped.right)
  }

  get nodes(): readonly number[] {
    return nodesOf(this.state)
  }
}

/** One draft, written to in place. */
export class DraftCarrier {
  draft: SurfaceDraft
  readonly payloads: Payloads

  constructor(version: FormatVersion) {
    this.draft = new SurfaceDraft(noSurface(version), builtInProjections)
    this.payloads = new Payloads(this.draft.format)
  }

  offer(row: JsonObject): Refusal | null {
    const read = rowOf(this.draft.format, row)
    if (isLeft(read)) return read.left
    const admission = admitRow(this.draft, read.right, this.payloads.rest(read.right), -1, 0)
    if (isLeft(admission)) return admission.left
    this.payloads.add(read.right)
    this.draft.apply(admission.right.plan, admission.right.detail)
    return null
  }

  /** Goes on with a new draft, made of what the old one sealed. */
  cut(): void {
    this.draft = new SurfaceDraft(this.draft.seal(), builtInProjections)
  }

  get text(): string {
    const { liveTokens, messageCount, systemTokens } = this.draft
    return stateText(this.draft.seal()) + JSON.stringify({ liveTokens, messageCount, systemTokens })
  }
}

/** The whole fold of a log, over lines that stand in an array. */
export class FoldCarrier {
  readonly fold: LogFold
  readonly replacements: Replacement[] = []
  private readonly lines: string[] = []

  constructor(header: JsonObject, options: Partial<LogFoldOptions> = {}) {
    this.fold = new LogFold(headerIn(header), {
      projections: builtInProjections,
      throughSeq: Infinity,
      lineAt: ({ byteOffset }) => this.lines[byteOffset] ?? "",
      onReplacement: (replacement) => this.replacements.push(replacement),
      ...options,
    })
  }

  offer(row: JsonObject): Refusal | null {
    const read = rowOf(this.fold.header.format, row)
    if (isLeft(read)) return read.left
    // the place of a line is its number here
    const byteOffset = this.lines.push(JSON.stringify(row)) - 1
    const refusal = this.fold.step(read.right, { byteOffset, byteLength: 1 })
    if (refusal !== null) this.lines.pop()
    return refusal
  }

  get text(): string {
    const { fold } = this
    return JSON.stringify([
      stateText(fold.surface.seal()),
      fold.counts().activity,
      fold.counts().usage,
      fold.counts().request,
      fold.requestPoints(),
      fold.tokens(),
      this.replacements,
    ])
  }
}
