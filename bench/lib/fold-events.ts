import { isLeft } from "fp-ts/lib/Either.js"
import { formatOfVersion } from "#core/format/catalog"
import type { SessionEvent } from "#core/log/envelope"
import { envelopeFacts } from "#core/log/envelope"
import { SurfaceDraft } from "#core/surface/draft"
import { noProjections } from "#core/surface/message-projection"
import { planSurfaceEvent } from "#core/surface/plan"
import { emptySurface } from "#core/surface/state"
import type { SurfaceRest } from "#core/surface/view"

const nothingElse: SurfaceRest = {
  payloadOf: () => null,
  headerAt: () => null,
  isSameToolResult: () => true,
}

const bareNode = { tokens: 0, derives: true, digest: 0, byteOffset: -1, byteLength: 0 }

/** The surface of format-0 events in memory: envelope, plan, apply; no payload, no price. */
export const foldEvents = (events: readonly SessionEvent[]): SurfaceDraft => {
  const format = formatOfVersion(0)
  if (format === null) throw new Error("format 0 is gone")
  const draft = new SurfaceDraft(emptySurface(format), noProjections)
  for (const event of events) {
    const facts = envelopeFacts(format, event)
    if (isLeft(facts)) throw new Error(facts.left.code)
    const plan = planSurfaceEvent(draft, facts.right, nothingElse)
    if (isLeft(plan)) throw new Error(plan.left.code)
    draft.apply(plan.right, bareNode)
  }
  return draft
}
