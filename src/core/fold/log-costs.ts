import type { TimedSample } from "../columns/row-facts.ts"
import type { JsonValue } from "../data/json.ts"
import type { EventFacts } from "../log/event-facts.ts"
import type { LogHeader } from "../log/header.ts"
import type { LineRange } from "../log/line-range.ts"
import type { CostFigures } from "../tokens/cost-figures.ts"
import type { CostDraft, CostState } from "../tokens/cost-fold.ts"
import { costFold, cutCosts, takeRoute, takeSample } from "../tokens/cost-fold.ts"
import type { PriceTable } from "../tokens/price-table.ts"
import type { Fold } from "./fold.ts"
import { stepFold } from "./fold.ts"

/** Costs of a log, beside its fold, from rows and from columns alike. */
export class LogCosts {
  private readonly table: PriceTable
  private readonly fold: Fold<CostDraft, CostState>
  private readonly draft: CostDraft
  private readonly read: (line: LineRange) => JsonValue
  // of a scanned log only those headers are read that a report follows
  private unread: LineRange | null = null

  /** Begins a log, or goes on from a state; `read` gives the payload of a row read before. */
  constructor(
    header: LogHeader,
    table: PriceTable,
    state: CostState | null,
    read: (line: LineRange) => JsonValue,
  ) {
    this.table = table
    this.fold = costFold(table)
    this.draft = state === null ? this.fold.begin(header) : this.fold.resume(state)
    this.read = read
  }

  step(facts: EventFacts, data: JsonValue): void {
    stepFold(this.fold, this.draft, facts, data)
  }

  /** Notes where a request header stands. */
  header(line: LineRange): void {
    this.unread = line
  }

  cut(seq: number): void {
    cutCosts(this.draft, seq)
  }

  sample(seq: number, sample: TimedSample): void {
    this.settle()
    takeSample(this.table, this.draft, seq, sample.timeMs, sample)
  }

  figures(): CostFigures {
    return this.draft.figures
  }

  state(): CostState {
    this.settle()
    return this.fold.seal(this.draft)
  }

  private settle(): void {
    if (this.unread === null) return
    takeRoute(this.draft, this.read(this.unread))
    this.unread = null
  }
}
