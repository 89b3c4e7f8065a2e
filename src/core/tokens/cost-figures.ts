import type { BucketCosts } from "./cost.ts"
import type { PriceFinding } from "./price-table.ts"

/** Reports of usage that have no price, of one model and for one cause. */
export interface Unpriced {
  readonly code: PriceFinding["code"]
  /** Null where the request header names none. */
  readonly provider: string | null
  readonly model: string | null
  /** The bucket without a price; null for other causes. */
  readonly bucket: "cacheRead" | "cacheWrite" | null
  readonly reports: number
}

/**
 * What reported usage cost.
 *
 * units   10⁻¹² USD, whole, as decimal text: such numbers leave those that JSON readers keep
 */
export interface CostFigures {
  readonly picoUsd: string
  readonly input: string
  readonly output: string
  readonly cacheRead: string
  readonly cacheWrite: string
  /** Reports that were priced. */
  readonly reports: number
  /** Reports that were not, which add nothing; by code, provider, model and bucket. */
  readonly unpriced: readonly Unpriced[]
}

export const noCosts: CostFigures = {
  picoUsd: "0",
  input: "0",
  output: "0",
  cacheRead: "0",
  cacheWrite: "0",
  reports: 0,
  unpriced: [],
}

/** Names the reports that are counted together, in an order that code units give. */
const keyOf = ({ code, provider, model, bucket }: Omit<Unpriced, "reports">): string =>
  JSON.stringify([code, provider ?? "", model ?? "", bucket ?? ""])

/** The list with some reports more, or fewer. */
export const addUnpriced = (
  list: readonly Unpriced[],
  cause: Omit<Unpriced, "reports">,
  reports: number,
): readonly Unpriced[] => {
  const key = keyOf(cause)
  const known = list.find((each) => keyOf(each) === key)?.reports ?? 0
  const others = list.filter((each) => keyOf(each) !== key)
  if (known + reports === 0) return others
  return [...others, { ...cause, reports: known + reports }].toSorted((a, b) =>
    keyOf(a) < keyOf(b) ? -1 : 1,
  )
}

const sum = (a: string, b: string): string => String(BigInt(a) + BigInt(b))

/** The sum of two costs. */
export const addCosts = (a: CostFigures, b: CostFigures): CostFigures => ({
  picoUsd: sum(a.picoUsd, b.picoUsd),
  input: sum(a.input, b.input),
  output: sum(a.output, b.output),
  cacheRead: sum(a.cacheRead, b.cacheRead),
  cacheWrite: sum(a.cacheWrite, b.cacheWrite),
  reports: a.reports + b.reports,
  unpriced: b.unpriced.reduce(
    (list, { reports, ...cause }) => addUnpriced(list, cause, reports),
    a.unpriced,
  ),
})

/** The figures of one priced report, or of its taking back. */
export const costFigures = (
  { input, output, cacheRead, cacheWrite }: BucketCosts,
  sign: 1 | -1,
): CostFigures => {
  const text = (picoUsd: bigint): string => String(BigInt(sign) * picoUsd)
  return {
    picoUsd: text(input + output + cacheRead + cacheWrite),
    input: text(input),
    output: text(output),
    cacheRead: text(cacheRead),
    cacheWrite: text(cacheWrite),
    reports: sign,
    unpriced: [],
  }
}
