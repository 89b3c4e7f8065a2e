import type { AnyProjection } from "../definition.ts"
import { goal } from "./goal.ts"
import { inbox } from "./inbox.ts"
import { sessionStats } from "./session-stats.ts"
import { sessionTitle } from "./session-title.ts"
import { team } from "./team.ts"
import { todo } from "./todo.ts"
import { tokenUsage } from "./token-usage.ts"
import { turnBoundary } from "./turn-boundary.ts"

/** The units that come with this library; a registry holds those of them that somebody registers. */
export const builtInUnits: readonly AnyProjection[] = [
  turnBoundary,
  sessionTitle,
  tokenUsage,
  inbox,
  goal,
  team,
  todo,
  sessionStats,
]
