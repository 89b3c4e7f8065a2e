import { isLeft } from "fp-ts/lib/Either.js"
import type { JsonObject, JsonValue } from "../data/json.ts"
import { isJsonObject, ownValue } from "../data/json.ts"
import type { Fold } from "../fold/fold.ts"
import { endSeedType, isInheritedMarker } from "../log/inherited-marker.ts"
import { loggedHeader } from "../request/header.ts"
import { costOf } from "./cost.ts"
import type { CostFigures, Unpriced } from "./cost-figures.ts"
import { addCosts, addUnpriced, costFigures, noCosts } from "./cost-figures.ts"
import type { PriceTable } from "./price-table.ts"
import type { Usage, UsageSample } from "./usage.ts"
import { callTokensOf, usageSample } from "./usage.ts"
import type { UsageDraft, UsageState } from "./usage-fold.ts"
import { addSample, cutUsage, usageFold } from "./usage-fold.ts"

/** The route of the calls that follow; nulls where the request header names none. */
interface NamedRoute {
  readonly provider: string | null
  readonly model: string | null
}

/** What one report added to the figures: a cost, or a cause. */
type Charge =
  | { readonly is: "nothing" }
  | { readonly is: "cost"; readonly figures: CostFigures; readonly undo: CostFigures }
  | { readonly is: "unpriced"; readonly cause: Omit<Unpriced, "reports"> }

/** Costs so far, and what a later report of the same attempt takes back. Plain JSON. */
export interface CostState {
  readonly figures: CostFigures
  readonly last: Charge
  readonly route: NamedRoute
  readonly usage: UsageState
}

export interface CostDraft {
  figures: CostFigures
  last: Charge
  route: NamedRoute
  readonly usage: UsageDraft
}

const nothing: Charge = { is: "nothing" }
const noRoute: NamedRoute = { provider: null, model: null }

const nameIn = (config: JsonObject, key: string): string | null => {
  const value = ownValue(config, key)
  return typeof value === "string" && value !== "" ? value : null
}

/** Takes the payload of a request header: its model answers what follows. */
export const takeRoute = (draft: CostDraft, data: JsonValue): void => {
  const header = loggedHeader(data)
  if (header === null) return
  const config = ownValue(header, "config")
  draft.route = isJsonObject(config)
    ? { provider: nameIn(config, "provider"), model: nameIn(config, "model") }
    : noRoute
}

const chargeOf = (table: PriceTable, route: NamedRoute, usage: Usage, timeMs: number): Charge => {
  // what cost nothing needs no price
  if (callTokensOf(usage) === 0) return nothing
  const { provider, model } = route
  if (model === null)
    return {
      is: "unpriced",
      cause: { code: "price-model-unknown", provider, model, bucket: null },
    }
  const cost = costOf(table, { provider: provider ?? "", model }, usage, timeMs)
  if (isLeft(cost)) {
    const finding = cost.left
    const bucket = finding.code === "price-bucket-unknown" ? finding.bucket : null
    return { is: "unpriced", cause: { code: finding.code, provider, model, bucket } }
  }
  const { buckets } = cost.right
  return { is: "cost", figures: costFigures(buckets, 1), undo: costFigures(buckets, -1) }
}

const add = (figures: CostFigures, charge: Charge, sign: 1 | -1): CostFigures => {
  if (charge.is === "cost") return addCosts(figures, sign === 1 ? charge.figures : charge.undo)
  return charge.is === "nothing"
    ? figures
    : { ...figures, unpriced: addUnpriced(figures.unpriced, charge.cause, sign) }
}

/** Takes the sample of the event at `seq`: what usage counts of it is priced. */
export const takeSample = (
  table: PriceTable,
  draft: CostDraft,
  seq: number,
  timeMs: number,
  sample: UsageSample,
): void => {
  const change = addSample(draft.usage, seq, sample)
  if (change === "none" || sample.usage === null) return
  const before = change === "replaced" ? add(draft.figures, draft.last, -1) : draft.figures
  draft.last = chargeOf(table, draft.route, sample.usage, timeMs)
  draft.figures = add(before, draft.last, 1)
}

/** Forgets all costs: they were inherited, and their own session counts them. */
export const cutCosts = (draft: CostDraft, seq: number): void => {
  cutUsage(draft.usage, seq)
  draft.figures = noCosts
  draft.last = nothing
}

/**
 * Adds up what reported usage cost: the very reports that `usageFold` counts, each at the time of
 * its event and by the model of the request header in effect.
 *
 * law     TZ20 in properties/costs.prop.ts: the same as a naive sum over the reports that count
 */
export const costFold = (table: PriceTable): Fold<CostDraft, CostState> => ({
  reads: new Set([...usageFold.reads, "request/header"]),
  begin: (header) => ({
    figures: noCosts,
    last: nothing,
    route: noRoute,
    usage: usageFold.begin(header),
  }),
  step: (draft, { type, seq, timeMs }, data) => {
    if (data === undefined) return
    if (type === "request/header") takeRoute(draft, data)
    else if (type === endSeedType) {
      if (isInheritedMarker(data)) cutCosts(draft, seq)
    } else {
      const sample = usageSample(type, data)
      if (sample !== null) takeSample(table, draft, seq, timeMs, sample)
    }
  },
  seal: ({ figures, last, route, usage }) => ({
    figures,
    last,
    route,
    usage: usageFold.seal(usage),
  }),
  resume: ({ figures, last, route, usage }) => ({
    figures,
    last,
    route,
    usage: usageFold.resume(usage),
  }),
})
