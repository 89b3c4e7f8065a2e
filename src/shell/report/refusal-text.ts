import type { LosslessFault } from "../../core/data/lossless-json.ts"
import type { LocatedRefusal } from "../../core/data/located.ts"
import type { Refusal, ShapeFault } from "../../core/data/refusal.ts"
import { refusalSeq } from "../../core/data/refusal.ts"
import type { Finding } from "../../core/data/relation-refusal.ts"
import type { LogReport } from "../../core/fold/log-report.ts"
import { clipped } from "./clipped.ts"
import { faultText } from "./fault-text.ts"
import { isRelation, relationSentence } from "./relation-text.ts"

const pathText = (path: readonly (string | number)[], root: string): string =>
  path.length === 0 ? root : clipped(path.join("."))

const shapeText = ({ path, expected }: ShapeFault): string =>
  expected === "nothing"
    ? `${pathText(path, "the payload")} is not allowed here`
    : `${pathText(path, "the payload")} should be: ${expected}`

const losslessText = ({ what, path }: LosslessFault): string =>
  `JSON cannot keep ${what.replaceAll("-", " ")} at ${pathText(path, "the top")}`

/** One refusal in a sentence, from its code and its numbers. */
export const sentenceOf = (refusal: Refusal): string => {
  switch (refusal.code) {
    case "blank-line":
      return "the line is blank"
    case "byte-order-mark":
      return "the line begins with a byte order mark"
    case "invalid-utf8":
      return "the line is not valid UTF-8"
    case "invalid-json":
      return "the line is not valid JSON"
    case "line-too-long":
      return `the line is longer than ${refusal.limitBytes} bytes`
    case "too-many-values":
      return `the line holds more than ${refusal.limit} values`
    case "not-lossless":
      return losslessText(refusal.fault)
    case "not-a-log":
      return "the first line is no session header"
    case "header-field":
      return `header: ${shapeText(refusal.fault)}`
    case "version-unsupported":
      return `format ${refusal.version} is newer than ${refusal.newest}, the newest that is read`
    case "version-mismatch":
      return `the file name says format ${refusal.named}, the header ${refusal.version}`
    case "row-not-object":
      return "the row is no JSON object"
    case "envelope-shape":
    case "run-shape":
    case "payload-shape":
    case "projection-shape":
      return shapeText(refusal.fault)
    case "event-type-unknown":
      return `unknown event type ${clipped(refusal.type)}, which is not marked ignorable`
    case "surface-op-shape":
      return "surfaceOp is neither append nor a replacement of this format"
    case "sources-shape":
      return "sourceEventSeqs is no list of seqs and growing ranges"
    case "seq-not-contiguous":
      return `seq ${refusal.expected} was expected here`
    case "surface-op-missing":
      return "an event of this type needs a surfaceOp"
    case "surface-op-forbidden":
      return "an event of this type may not have a surfaceOp"
    case "sources-forbidden":
      return "an event of this type may not have sourceEventSeqs"
    case "sources-empty":
      return "sourceEventSeqs is empty"
    case "sources-repeated":
      return `source ${refusal.source} is cited twice`
    case "source-not-earlier":
      return `source ${refusal.source} is not an earlier event`
    case "endpoint-not-earlier":
      return `endpoint ${refusal.endpoint} is not an earlier event`
    case "endpoint-not-on-surface":
      return `endpoint ${refusal.endpoint} is not on the current surface`
    case "range-reversed":
      return `${refusal.start} stands after ${refusal.end} on the surface`
    case "source-missing":
      return `node ${refusal.shadowed} is replaced but not cited`
    case "head-protected":
      return `the system prompt ${refusal.head} at the head may only be replaced alone, by another one`
    case "tool-result-range":
      return `a tool result may only replace one tool result, not the range from ${refusal.shadowed}`
    case "tool-result-changed":
      return `more than the content of tool result ${refusal.shadowed} was changed`
    case "header-seq-shape":
      return "headerSeq must be there when tools are added, and only then"
    case "header-seq-not-header":
      return `headerSeq ${refusal.headerSeq} is no earlier request header`
    case "tool-definition-missing":
      return `request header ${refusal.headerSeq} does not define tool ${clipped(refusal.toolName)} exactly once and in full`
    case "projection-registered":
      return `an interpreter of ${clipped(refusal.type)} is registered already`
    case "projection-missing":
      return `no interpreter of ${clipped(refusal.type)} is registered`
    case "projection-removed":
      return `the interpreter of ${clipped(refusal.type)} was removed after its work was used`
    case "projection-target":
      return `${refusal.target} is no live message that can be rewritten here`
    case "projection-image":
      return `message ${refusal.target} has ${refusal.imageCount} images, none at index ${refusal.imageIndex}`
    case "projection-identity":
      return `the rewritten message ${refusal.target} has another id or role`
    case "inherited-marker-unexpected":
      return "a marker of inherited events in a log that inherited none"
    case "inherited-marker-missing":
      return "the header says that events were inherited, but no marker says which"
    case "upgrade-refused":
      return `it cannot be read as format ${refusal.to}: ${refusal.cause}${refusal.causeCount > 1 ? ` and ${refusal.causeCount - 1} more` : ""} (${refusal.from} to ${refusal.to})`
    case "inherited-cut-beyond-end":
      return `${refusal.cut} events should be inherited, but there are only ${refusal.eventCount}`
  }
}

/** One finding in a sentence, whoever asked for it. */
export const findingSentence = (finding: Finding): string =>
  isRelation(finding) ? relationSentence(finding) : sentenceOf(finding)

/** One refusal with its place and its code. */
const refusalText = ({ refusal, row, byteOffset }: LocatedRefusal): string => {
  const seq = refusalSeq(refusal)
  const where = seq === null ? `row ${row} (byte ${byteOffset})` : `seq ${seq}`
  return `${where}: ${sentenceOf(refusal)} [${refusal.code}]`
}

/** Why a log was not read to its end, in a line; null where nothing was wrong. */
export const reportText = (report: LogReport): string | null => {
  if (report.fault !== null) return `${faultText(report.fault)} [${report.fault.code}]`
  if (report.refusal !== null) return refusalText(report.refusal)
  const { tail } = report
  if (tail === null) return null
  return tail.cause === "unterminated"
    ? `the last line is torn: ${tail.byteLength} bytes from byte ${tail.byteOffset} were left out`
    : `${tail.byteLength} bytes from byte ${tail.byteOffset} were left out after ${refusalText(tail.cause)}`
}
