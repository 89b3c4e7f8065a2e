import type { FormatVersion } from "./dialect.ts"
import { FileSink, type Written } from "./line-sink.ts"
import { workUntil } from "./long-session.ts"
import { firstCreatedAt, newAgent } from "./new-session.ts"
import { Prng } from "./prng.ts"
import type { SessionSummary } from "./session-summary.ts"
import { shapeOf, type ShapeName } from "./shapes.ts"

/** What one big log shall be. */
export type BigLogRequest = {
  readonly shape: ShapeName
  readonly format: FormatVersion
  readonly seed: number
  readonly bytes: number
}

/**
 * Writes one log of a shape to a file.
 *
 * shape   the same request gives the same bytes everywhere; ends with the turn in which the size
 *         was reached
 * cost    memory follows the surface, not the log: bounded for every shape but `uncompacted`
 * errors  those of the file system
 */
export const writeBigLog = (
  path: string,
  { shape, format, seed, bytes }: BigLogRequest,
): Written & { readonly summary: SessionSummary } => {
  const prng = new Prng(`${seed}`).split(`${shape} ${format}`)
  const header = {
    id: `bench-${shape}-${seed}`,
    createdAt: firstCreatedAt,
    cwd: "/srv/code/atlas",
    delegationDepth: 0,
  }
  const sink = new FileSink(path)
  const kind = shapeOf(shape, format)
  const agent = newAgent(format, header, sink, prng, kind.profile)
  workUntil(agent, kind, bytes)
  return { ...sink.close(), summary: agent.log.summary() }
}
