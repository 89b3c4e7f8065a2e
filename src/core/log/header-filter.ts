import type { LogHeader } from "./header.ts"

/** Which logs are wanted, by what their header says; null asks nothing. */
export interface HeaderFilter {
  /** A regular expression over the session id. */
  readonly session: string | null
  /** Epoch milliseconds: created at or after the first, and before the second. */
  readonly sinceMs: number | null
  readonly untilMs: number | null
}

/** The test of a filter. */
export const headerTest = (
  filter: HeaderFilter,
): ((header: Pick<LogHeader, "id" | "createdAtMs">) => boolean) => {
  const session = filter.session === null ? null : new RegExp(filter.session)
  return ({ id, createdAtMs }) =>
    (session === null || session.test(id)) &&
    (filter.sinceMs === null || createdAtMs >= filter.sinceMs) &&
    (filter.untilMs === null || createdAtMs < filter.untilMs)
}
