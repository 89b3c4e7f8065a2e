import { defect } from "../../data/defect.ts"
import type { JsonValue } from "../../data/json.ts"
import type { FormatVersion } from "../format.ts"
import type { MigrationCause } from "./cause.ts"
import { causeAt } from "./cause.ts"
import type { Edge, EdgeRun, Outlet } from "./edge.ts"
import type { SeqMap } from "./seq-map.ts"
import { composeSeqMaps, oldSeqOf, SeqMapDraft } from "./seq-map.ts"
import { SourceReader } from "./source-event.ts"
import { knownFormat } from "./target-writer.ts"
import { v0ToV1 } from "./v0-to-v1.ts"
import { v1ToV2 } from "./v1-to-v2.ts"
import { v2ToV3 } from "./v2-to-v3.ts"
import { v3ToV4 } from "./v3-to-v4.ts"

// the single steps, each to the next format
const edges: readonly Edge[] = [v0ToV1, v1ToV2, v2ToV3, v3ToV4]

// a log that has the format already stays as it is
const stay = (version: FormatVersion): Edge => ({
  from: version,
  to: version,
  header: (header) => header,
  begin: (_header, _evidence, outlet) => {
    const map = new SeqMapDraft()
    const reader = new SourceReader(knownFormat(version), () => {})
    return {
      step: (row: JsonValue, isSound = true): void => {
        const event = reader.take(row, isSound)
        map.keep(event.facts.seq, event.facts.count)
        outlet.row(event.row, isSound)
      },
      end: () => map.seal(),
      sourceSeq: (seq) => oldSeqOf(map, seq),
    }
  },
})

const keyOf = ({ code, seq }: MigrationCause): string => `${code} ${seq}`

// two edges as one: each row goes through both at once, causes count by the first log
const join = (first: Edge, second: Edge): Edge => ({
  from: first.from,
  to: second.to,
  header: (header) => second.header(first.header(header)),
  begin: (header, evidence, outlet) => {
    const told = new Set<string>()
    let later: EdgeRun | null = null
    const earlier = first.begin(header, evidence, {
      row: (row, isSound) => later?.step(row, isSound),
      cause: (cause) => {
        told.add(keyOf(cause))
        outlet.cause(cause)
      },
    })
    // a header that is wrong already says nothing new under its next version
    let isListening = told.size === 0
    const behind: Outlet = {
      row: outlet.row,
      cause: (found) => {
        const cause = causeAt(found, (seq) => earlier.sourceSeq(seq) ?? seq)
        if (isListening && !told.has(keyOf(cause))) outlet.cause(cause)
      },
    }
    const run = second.begin(first.header(header), evidence, behind)
    later = run
    isListening = true
    return {
      step: (row, isSound) => earlier.step(row, isSound),
      end: (): SeqMap => {
        const map = earlier.end()
        return composeSeqMaps(map, run.end())
      },
      sourceSeq: (seq) => {
        const middle = run.sourceSeq(seq)
        return middle === null ? null : earlier.sourceSeq(middle)
      },
    }
  },
})

/**
 * The way from one format to another as one edge; null where it would lead back.
 *
 * shape   of one event only the first edge that refuses it tells causes, and the same cause of the
 *         same event is told once
 * law     MI2 in properties/edges.prop.ts: the way over a format between = both ways in turn
 */
export const upgradePath = (from: FormatVersion, to: FormatVersion): Edge | null => {
  if (to < from) return null
  const [start, ...rest] = edges.slice(from, to)
  if (start === undefined) return from === to ? stay(from) : defect(`no edge from ${from}`)
  return rest.reduce(join, start)
}
