import { isLeft } from "fp-ts/lib/Either.js"
import type { JsonObject } from "#core/data/json"
import type { Refusal } from "#core/data/refusal"
import { formats } from "#core/format/catalog"
import type { FormatVersion } from "#core/format/format"
import type { SessionEvent } from "#core/log/envelope"
import { builtInProjections } from "#core/surface/image-offload"
import type { LiveSurface } from "#core/surface/live"
import { liveSurface, readNodes, validateNext } from "#core/surface/live"
import type { MessageProjections } from "#core/surface/message-projection"
import type { Draft } from "./events.ts"
import { numbered } from "./events.ts"

/** A log that somebody appends to, with the surface that is kept beside it. */
export class LiveLog {
  readonly events: SessionEvent[] = []
  live: LiveSurface
  projections: MessageProjections = builtInProjections

  constructor(version: FormatVersion, baseSeq = 0) {
    const format = formats[version]
    if (format === undefined) throw new RangeError(`no format ${version}`)
    this.live = liveSurface(format, baseSeq)
  }

  /** The event that a draft would be if it were appended now. */
  next(draft: Draft): SessionEvent {
    const seq = this.live.state.baseSeq + this.events.length
    return numbered([draft], seq)[0] as JsonObject as SessionEvent
  }

  /** Asks for an event; null where it may come next. */
  validate(event: SessionEvent): Refusal | null {
    const verdict = validateNext(this.live, this.events, this.projections, event)
    if (isLeft(verdict)) return verdict.left
    this.live = verdict.right
    return null
  }

  /** Asks, then appends. */
  append(draft: Draft): Refusal | null {
    const event = this.next(draft)
    const refusal = this.validate(event)
    if (refusal === null) this.events.push(event)
    return refusal
  }

  /** The live nodes, or why they cannot be had. */
  read(): readonly number[] | Refusal {
    const verdict = readNodes(this.live, this.events, this.projections)
    if (isLeft(verdict)) return verdict.left
    const [live, nodes] = verdict.right
    this.live = live
    return nodes
  }
}
