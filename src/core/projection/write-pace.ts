/** How many events, or how much time, may pass before a checkpoint is stored again. */
export interface WritePace {
  readonly everyEvents: number
  /** Behind the first event that is not stored. */
  readonly intervalMs: number
}

/** source  projection cache of the agent, as it is shipped */
export const defaultPace: WritePace = { everyEvents: 200, intervalMs: 5_000 }

/** Events since the last checkpoint that was stored. */
export interface Unstored {
  readonly events: number
  readonly sinceMs: number | null
}

export const allStored: Unstored = { events: 0, sinceMs: null }

/** What may make it time to store a checkpoint; a tick is time that passed without an event. */
export type PaceMoment =
  | { readonly is: "created" | "disposed" }
  | { readonly is: "event"; readonly type: string; readonly nowMs: number }
  | { readonly is: "tick"; readonly nowMs: number }

/** Whether to store now, and what is unstored then. */
export interface PaceStep {
  readonly isDue: boolean
  readonly unstored: Unstored
}

const due: PaceStep = { isDue: true, unstored: allStored }

/** When a tick will find something to store, if no event does before; null for never. */
export const nextTickMs = ({ intervalMs }: WritePace, { sinceMs }: Unstored): number | null =>
  sinceMs === null ? null : sinceMs + intervalMs

const after = (pace: WritePace, unstored: Unstored, nowMs: number): PaceStep => {
  const tickMs = nextTickMs(pace, unstored)
  const isDue = unstored.events >= pace.everyEvents || (tickMs !== null && nowMs >= tickMs)
  return isDue ? due : { isDue, unstored }
}

/**
 * Whether a moment in the life of a session is one to store a checkpoint: its beginning, its end, the
 * end of a turn, so many events, or so much time behind the first of them.
 *
 * shape   what is due counts as stored from then on: where storing fails, the next moment that is
 *         due stores it
 */
export const stepPace = (pace: WritePace, unstored: Unstored, moment: PaceMoment): PaceStep => {
  switch (moment.is) {
    case "created":
    case "disposed":
      return due
    case "tick":
      return after(pace, unstored, moment.nowMs)
    case "event": {
      if (moment.type === "turn/end") return due
      const { nowMs } = moment
      const grown = { events: unstored.events + 1, sinceMs: unstored.sinceMs ?? nowMs }
      return after(pace, grown, nowMs)
    }
  }
}
