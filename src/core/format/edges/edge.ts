import type { JsonObject, JsonValue } from "../../data/json.ts"
import type { FormatVersion } from "../format.ts"
import type { MigrationCause } from "./cause.ts"
import type { ChildEvidence } from "./child-evidence.ts"
import type { SeqMap } from "./seq-map.ts"

/** What a migration must be told, since no log and no language holds it. */
export interface Evidence {
  /** SHA-256 of the UTF-8 text, in lower-case hex. */
  readonly sha256: (text: string) => string
  /** What is known of each direct child of the session; null where nobody looked. */
  readonly children: readonly ChildEvidence[] | null
}

/** Where the rows of the new log and the causes against it go, in order, while a log is read. */
export interface Outlet {
  /** `isSound` is false once a cause was told of the row: nothing more is asked of it. */
  readonly row: (row: JsonObject, isSound: boolean) => void
  readonly cause: (cause: MigrationCause) => void
}

/** A migration under way. Private to one log. */
export interface EdgeRun {
  /**
   * Takes the next body row as `parseLine` gives it: an event or a packed run. A row that is not
   * sound was refused before, and causes no more causes.
   */
  readonly step: (row: JsonValue, isSound?: boolean) => void
  /** Ends the log; nothing may be stepped behind it. */
  readonly end: () => SeqMap
  /** The event of the old log behind one that was written so far; null where there is none. */
  readonly sourceSeq: (newSeq: number) => number | null
}

/**
 * From one format to a later one, row by row.
 *
 * shape   `JSON.stringify` of a row is its line. Once a cause was told, the rows are worth nothing;
 *         later causes are told all the same. Nothing of the source is changed. Rows are looked at,
 *         not the surface: that the new log folds is for its reader to say
 * cost    memory follows what is pending: an unanswered attempt and what came behind it, and the
 *         map of seqs, which grows by its breaks
 * law     MI1, MI2 in properties/edges.prop.ts
 */
export interface Edge {
  readonly from: FormatVersion
  readonly to: FormatVersion
  /** The header of the new log. Runs alone; what is wrong with a header is told by `begin`. */
  readonly header: (header: JsonObject) => JsonObject
  readonly begin: (header: JsonObject, evidence: Evidence, outlet: Outlet) => EdgeRun
}
