import { isLeft } from "fp-ts/lib/Either.js"
import type { RangeScan } from "../columns/row-columns.ts"
import { detailAt, factsAt, SampleReader } from "../columns/row-facts.ts"
import type { JsonValue } from "../data/json.ts"
import type { CutRefusal, Refusal } from "../data/refusal.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import type { EventFacts } from "../log/event-facts.ts"
import { surfaceOp } from "../log/event-facts.ts"
import type { LogHeader } from "../log/header.ts"
import type { LineRange } from "../log/line-range.ts"
import { endSeedType, isInheritedMarker, markerRefusal } from "../log/inherited-marker.ts"
import { runPrefix } from "../log/packed-run.ts"
import type { LogRow } from "../log/row.ts"
import { rowOf } from "../log/row.ts"
import { takeHeader } from "../request/header-fold.ts"
import { admitRow, noDetail } from "../surface/admit.ts"
import { SurfaceDraft } from "../surface/draft.ts"
import type { Message } from "../messages/event-message.ts"
import type { SurfaceState } from "../surface/state.ts"
import { emptySurface } from "../surface/state.ts"
import type { SurfaceRest } from "../surface/view.ts"
import { planSurfaceEvent, shadowedBy } from "../surface/plan.ts"
import { isSameToolResult } from "../surface/tool-result.ts"
import type { RequestPoints } from "../request/request-points.ts"
import type { ToolEvent } from "../request/tool-events.ts"
import type { CostFigures } from "../tokens/cost-figures.ts"
import { addSample, cutUsage } from "../tokens/usage-fold.ts"
import { addCounts, markInherited } from "./activity-fold.ts"
import { stepFold } from "./fold.ts"
import type { LogFoldOptions, LogFoldView, SurfaceTokens } from "./log-fold-options.ts"
import type { LogCounts, LogCountsDraft } from "./log-counts.ts"
import { logCountsFold } from "./log-counts.ts"
import { LogCosts } from "./log-costs.ts"
import { LogTeller } from "./log-teller.ts"
import type { LogFoldState } from "./log-fold-state.ts"

/** The row that is being admitted; its payload may have to be read again, as that of any other. */
interface Candidate {
  readonly seq: number
  readonly data: JsonValue | undefined
  readonly line: LineRange
  readonly digest: number
}

const noCandidate: Candidate = {
  seq: -1,
  data: undefined,
  line: { byteOffset: 0, byteLength: 0 },
  digest: 0,
}

/**
 * A whole log in one pass: the surface, and beside it what is counted on the way.
 *
 * A draft: private to one reading. A refused row leaves all of it as it was.
 */
export class LogFold implements LogFoldView {
  readonly header: LogHeader
  readonly surface: SurfaceDraft
  private readonly options: LogFoldOptions
  private readonly counted: LogCountsDraft
  private readonly teller: LogTeller
  private readonly requestHeaders: Map<number, LineRange> = new Map()
  // of a scanned log only the last header is read, when somebody asks for it
  private unreadHeader: LineRange | null = null
  // null where nobody asked what calls cost
  private readonly costs: LogCosts | null
  private candidate: Candidate = noCandidate
  private readonly rest: SurfaceRest

  /** Begins a log, or goes on from a prefix of it that was folded before. */
  constructor(
    header: LogHeader,
    options: LogFoldOptions,
    from: { readonly state: LogFoldState; readonly surface: SurfaceState } | null = null,
  ) {
    this.header = header
    this.options = options
    const surface = from?.surface ?? emptySurface(header.format)
    this.surface = new SurfaceDraft(surface, options.projections)
    this.counted =
      from === null ? logCountsFold.begin(header) : logCountsFold.resume(from.state.counts)
    for (const [seq, line] of from?.state.requestHeaders ?? []) this.requestHeaders.set(seq, line)
    const { prices = null } = options
    const read = (line: LineRange): JsonValue => this.read(line)
    this.costs =
      prices === null ? null : new LogCosts(header, prices, from?.state.costs ?? null, read)
    this.teller = new LogTeller(header, options)
    this.rest = {
      payloadOf: (seq) => this.payloadOf(seq),
      headerAt: (seq) => {
        const line = this.requestHeaders.get(seq)
        return line === undefined ? null : this.read(line)
      },
      isSameToolResult: (shadowed, next) =>
        this.isSameDigest(shadowed) ||
        isSameToolResult(header.format, this.payloadOf(shadowed), this.payloadOf(next)),
    }
  }

  /** Whether the last accepted event is the one that was asked for. */
  get isDone(): boolean {
    return this.surface.nextSeq > this.options.throughSeq
  }

  /** Where requests were told of tools: request headers and developer messages, in order. */
  get toolEvents(): readonly ToolEvent[] {
    return this.teller.toolEvents
  }

  /** Takes the next row; the refusal leaves everything as it was. */
  step(row: LogRow, line: LineRange): Refusal | null {
    const { facts, data } = row
    this.candidate = { seq: facts.seq, data, line, digest: 0 }
    const admission = admitRow(this.surface, row, this.rest, line.byteOffset, line.byteLength)
    if (isLeft(admission)) return admission.left
    const unexpected = markerRefusal(this.header, facts.type, facts.seq, data)
    if (unexpected !== null) return unexpected

    const accepted = this.cut(facts, row)
    this.teller.request(accepted, data, this)
    const { plan, detail } = admission.right
    this.surface.apply(
      plan.nextSeq === accepted.seq + accepted.count
        ? plan
        : { op: "none", nextSeq: accepted.seq + accepted.count },
      detail,
    )
    stepFold(logCountsFold, this.counted, accepted, data)
    this.costs?.step(accepted, data)
    if (facts.type === "request/header") this.requestHeaders.set(facts.seq, line)
    this.teller.change(plan, facts, line)
    this.teller.usageIn(facts, data)
    this.options.onRow?.(this.header.format, { facts, data, line, shadowedSeqs: shadowedBy(plan) })
    return null
  }

  /**
   * Goes past a refused row, as a check does: its node is put where it says, or at the end, so that
   * what follows is judged by itself. The fold tells of no log that anybody has then.
   *
   * shape   whether the surface is now what the row says
   */
  pass({ facts }: LogRow, { byteOffset, byteLength }: LineRange): boolean {
    const { surface } = this
    const { seq, kind, op, start, end } = facts
    const nextSeq = seq + facts.count
    if (kind === surfaceKind.none) {
      surface.skipTo(nextSeq)
      return true
    }
    const detail = { ...noDetail, byteOffset, byteLength }
    const isReplacement = op === surfaceOp.replace
    const first = isReplacement ? surface.placeOf(start) : -1
    const last = isReplacement ? surface.placeOf(end) : -1
    // of a range with one end its other nodes are not known
    const from = first < 0 ? last : first
    const to = last < 0 ? first : last
    if (from < 0 || to < from) {
      surface.apply({ op: "append", nextSeq, seq, kind }, detail)
      return !isReplacement
    }
    const shadowedSeqs = surface.seqsBetween(from, to)
    const plan = { op: "replace", nextSeq, seq, kind, start, end, from, to, shadowedSeqs } as const
    surface.apply(plan, detail)
    this.teller.change(plan, facts, { byteOffset, byteLength })
    return first >= 0 && last >= 0
  }

  // scanned rows off the surface that say something all the same
  private takeLogOnly(type: string, seq: number, line: LineRange): Refusal | null {
    if (type === "request/header") {
      this.requestHeaders.set(seq, line)
      this.unreadHeader = line
      this.costs?.header(line)
    } else if (type === endSeedType) {
      const data = this.read(line)
      if (!isInheritedMarker(data)) return null
      const refusal = markerRefusal(this.header, type, seq, data)
      if (refusal !== null) return refusal
      markInherited(this.counted.activity, seq)
      cutUsage(this.counted.usage, seq)
      this.costs?.cut(seq)
    }
    return null
  }

  /**
   * Takes what the scanner found in the next range of the log. The rows are proven by themselves;
   * what they do to the surface is planned here, as for a single row.
   *
   * errors  the first refusal of the planner; the fold is of no use then, as the range was counted
   *         to its end
   */
  stepRange({ rows, counts }: RangeScan): Refusal | null {
    const { surface } = this
    if (counts.eventCount > 0 && counts.firstSeq !== surface.nextSeq)
      return { code: "seq-not-contiguous", seq: counts.firstSeq, expected: surface.nextSeq }
    const { vocabulary } = this.header.format.rules
    const samples = new SampleReader(rows)
    for (let row = 0; row < rows.rowCount; row++) {
      const type = vocabulary[rows.types[row] as number] ?? ""
      const facts = factsAt(this.header.format, rows, row, type)
      const detail = detailAt(rows, row)
      this.candidate = { seq: facts.seq, data: undefined, line: detail, digest: detail.digest }
      // rows without need of a plan lie in between: the scanner has seen that no seq is missing
      surface.skipTo(facts.seq)
      const plan = planSurfaceEvent(surface, facts, this.rest)
      if (isLeft(plan)) return plan.left
      const refusal = this.takeLogOnly(type, facts.seq, detail)
      if (refusal !== null) return refusal
      // of the start of a step the sample says which one it is
      const place = type === "step/start" ? samples.of(row) : null
      this.teller.scannedRequest(facts, place, detail, this)
      surface.apply(plan.right, detail)
      this.teller.change(plan.right, facts, detail)
      for (let sample = samples.of(row); sample !== null; sample = samples.of(row)) {
        addSample(this.counted.usage, facts.seq, sample)
        this.costs?.sample(facts.seq, sample)
        this.teller.usage(facts.seq, sample)
      }
    }
    if (counts.eventCount > 0) {
      surface.skipTo(counts.firstSeq + counts.eventCount)
      this.teller.scannedTo(surface.nextSeq - 1)
    }
    addCounts(this.counted.activity, counts)
    return null
  }

  /** Passes over events off the surface that are known to be right, and only counts them. */
  passOver(seq: number, count: number, firstTimeMs: number, lastTimeMs: number): void {
    this.surface.skipTo(seq + count)
    const { activity } = this.counted
    addCounts(activity, {
      eventCount: count,
      turnCount: 0,
      stepCount: 0,
      firstSeq: seq,
      firstTimeMs,
      lastTimeMs,
      lineCount: 1,
      fallbackCount: 0,
    })
  }

  /** The fold so far as plain data; requests are no part of it. */
  state(): LogFoldState {
    const { surface } = this
    const nodes = surface.nodes()
    const projected = nodes.flatMap(({ seq }): (readonly [number, Message])[] => {
      const message = surface.projectedMessage(seq)
      return message === undefined ? [] : [[seq, message]]
    })
    return {
      nextSeq: surface.nextSeq,
      replaceGeneration: surface.replaceGeneration,
      contentGeneration: surface.contentGeneration,
      nodes: nodes.map((node) => ({ ...node, digest: 0 })),
      projected,
      usedProjections: [...surface.usedProjections.keys()],
      counts: this.counts(),
      requestHeaders: [...this.requestHeaders],
      costs: this.costs?.state() ?? null,
    }
  }

  /** What must hold once the last row of a whole log is in. */
  endRefusal(): CutRefusal | null {
    const { inheritedEvents, inheritedMarkerSeq, eventCount } = this.counts().activity
    if (!this.header.isSeeded) return null
    if (this.header.seedLength === null)
      return inheritedMarkerSeq === null ? { code: "inherited-marker-missing", seq: null } : null
    return inheritedEvents > eventCount
      ? { code: "inherited-cut-beyond-end", seq: null, cut: inheritedEvents, eventCount }
      : null
  }

  /** The counts so far, as a value. */
  counts(): LogCounts {
    if (this.unreadHeader !== null) {
      takeHeader(this.counted.request, this.read(this.unreadHeader))
      this.unreadHeader = null
    }
    return logCountsFold.seal(this.counted)
  }

  requestPoints(): RequestPoints {
    return this.teller.requestPoints()
  }

  /** What reported usage cost; null where no prices were given. */
  costFigures(): CostFigures | null {
    return this.costs?.figures() ?? null
  }

  /** The price of the surface as it is now. */
  tokens(): SurfaceTokens {
    const { request } = this.counts()
    // up to format 2 the prompt is no node: it stands in the request header
    const hasPromptNode = this.header.format.kinds.has("system/message")
    const system = hasPromptNode ? this.surface.systemTokens : request.systemTokens
    const messages = this.surface.liveTokens - (hasPromptNode ? system : 0)
    const tools = request.toolsTokens
    return { system, tools, messages, total: system + tools + messages }
  }

  private payloadOf(seq: number): JsonValue {
    const { candidate } = this
    if (seq === candidate.seq) return candidate.data ?? this.read(candidate.line)
    const node = this.surface.node(seq)
    return node === null ? null : this.read(node)
  }

  // equal digests say that the bytes are equal; of others the data may still be
  private isSameDigest(shadowed: number): boolean {
    const { digest } = this.candidate
    return digest !== 0 && this.surface.node(shadowed)?.digest === digest
  }

  /** The payload of a row that was accepted before, read again. */
  read(line: LineRange): JsonValue {
    const row = rowOf(this.header.format, JSON.parse(this.options.lineAt(line)) as JsonValue)
    return isLeft(row) ? null : row.right.data
  }

  // a prefix may end inside a packed run
  private cut(facts: EventFacts, row: LogRow): EventFacts {
    const room = this.options.throughSeq - facts.seq + 1
    return facts.count > room ? runPrefix(facts, row.value, room) : facts
  }
}
