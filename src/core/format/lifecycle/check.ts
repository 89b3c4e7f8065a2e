import { isJsonObject } from "../../data/json.ts"
import type { LogHeader } from "../../log/header.ts"
import type { LogRow } from "../../log/row.ts"
import type { SurfaceView } from "../../surface/view.ts"
import { blockTagsRule } from "./block-tags.ts"
import { catalogEntryRule } from "./catalog-entry.ts"
import { commandRule } from "./command.ts"
import { compactionRule } from "./compaction.ts"
import { deliveryRule } from "./delivery.ts"
import type { LocatedRelation, RowPlace } from "./findings.ts"
import { Findings } from "./findings.ts"
import { forkResultRule } from "./fork-result.ts"
import { messageSlotsRule } from "./message-slots.ts"
import type { Sha256 } from "./not-started.ts"
import type { Position } from "./position.ts"
import { advance, startPosition } from "./position.ts"
import { protectedHeadRule } from "./protected-head.ts"
import { ptcRule } from "./ptc.ts"
import { retryRule } from "./retry.ts"
import type { AnyRule, LifecycleRule, RuleEvent, Standing } from "./rule.ts"
import { titleRequestRule } from "./title-request.ts"
import { titleRule } from "./title.ts"
import { toolPairingRule } from "./tool-pairing.ts"
import { turnStepRule } from "./turn-step.ts"

const rulesOf = (sha256: Sha256): readonly AnyRule[] => [
  messageSlotsRule,
  blockTagsRule,
  forkResultRule,
  turnStepRule,
  toolPairingRule(sha256),
  ptcRule,
  retryRule,
  titleRule,
  titleRequestRule,
  commandRule,
  compactionRule,
  protectedHeadRule,
  deliveryRule,
  catalogEntryRule,
]

interface Running {
  readonly rule: LifecycleRule<unknown>
  readonly draft: unknown
  readonly findings: Findings
}

const nothing: readonly LocatedRelation[] = []

/**
 * All rules about a whole log that its format has, in one pass beside the fold of the log.
 *
 * shape   `step` takes every row that the fold has accepted; what it returns are the findings that
 *         are certain then. A finding that only a later event decides comes with that event or at
 *         the end, so the whole is not in order of seq
 * cost    memory for what is open, and for the ids that must not come twice
 */
export class LifecycleCheck {
  private readonly header: LogHeader
  private readonly byType: ReadonlyMap<string, readonly Running[]>
  private readonly running: readonly Running[]
  private position: Position = startPosition
  private readonly out: LocatedRelation[] = []

  constructor(header: LogHeader, sha256: Sha256) {
    const { out } = this
    this.header = header
    this.running = rulesOf(sha256)
      .filter((rule) => header.format.version >= rule.since)
      .map((rule) => ({
        rule: rule as LifecycleRule<unknown>,
        draft: rule.begin(header),
        findings: new Findings(out),
      }))
    const byType = new Map<string, Running[]>()
    for (const each of this.running)
      for (const type of each.rule.reads) {
        const readers = byType.get(type)
        if (readers === undefined) byType.set(type, [each])
        else readers.push(each)
      }
    this.byType = byType
  }

  /** Whether any rule reads events of a type. */
  reads(type: string): boolean {
    return this.byType.has(type)
  }

  /**
   * Takes the next accepted row.
   *
   * shape   the surface may be that before the row or behind it: it is asked about rows alone that
   *         leave it as it is
   */
  step({ facts, data }: LogRow, surface: SurfaceView, place: RowPlace): readonly LocatedRelation[] {
    const readers = this.byType.get(facts.type)
    // what a format does not know takes part in nothing, whatever it is called
    if (readers === undefined || !isJsonObject(data) || !this.header.format.kinds.has(facts.type))
      return nothing
    const event: RuleEvent = { facts, data }
    const before: Standing = { position: this.position, surface }
    for (const { rule, draft, findings } of readers) {
      findings.moveTo(place)
      rule.step(draft, event, before, findings)
    }
    this.position = advance(this.position, facts.type, data)
    return this.taken()
  }

  /** What turns out to be wrong once the log has ended. */
  end(): readonly LocatedRelation[] {
    for (const { findings } of this.running) findings.release()
    return this.taken()
  }

  private taken(): readonly LocatedRelation[] {
    if (this.out.length === 0) return nothing
    return this.out.splice(0)
  }
}

/** Begins the check of a log; `sha256` is asked about the text of crash repairs alone. */
export const lifecycleCheck = (header: LogHeader, sha256: Sha256): LifecycleCheck =>
  new LifecycleCheck(header, sha256)
