import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, right } from "fp-ts/lib/Either.js"
import type { LogHeader } from "../log/header.ts"
import type { EventSlice } from "./advance.ts"
import type { ProjectionRows } from "./checkpoint.ts"
import type { RegistryRefusal } from "./refusal.ts"
import type { ProjectionRegistry } from "./registry.ts"
import type { Restored } from "./restore.ts"
import { restoreFloor, restoreRows } from "./restore.ts"

/** Units that were restored, and what was wrong with the stored rows, if anything was. */
export interface RestoredLog extends Restored {
  readonly distrust: RegistryRefusal | null
}

/**
 * Restores units from stored rows and as little of a log as they need; where the rows are of no use,
 * from the whole log without them.
 *
 * @param readFrom  the events from a seq on; called once, or a second time with 0
 * errors  those of restoreRows over the whole log
 */
export const restoreLog = (
  registry: ProjectionRegistry,
  rows: ProjectionRows,
  readFrom: (baseSeq: number) => EventSlice,
  header: LogHeader,
  inheritedEventCount: number,
): Either<RegistryRefusal, RestoredLog> => {
  const floor = restoreFloor(registry, rows) ?? 0
  const slice = readFrom(floor)
  const restored = restoreRows(registry, rows, slice, header, inheritedEventCount)
  if (!isLeft(restored)) return right({ ...restored.right, distrust: null })
  const whole = floor === 0 ? slice : readFrom(0)
  const anew = restoreRows(registry, {}, whole, header, inheritedEventCount)
  return isLeft(anew) ? anew : right({ ...anew.right, distrust: restored.left })
}
