import type { Format } from "../format/format.ts"
import type { SurfaceKind } from "../format/surface-kind.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import type { PayloadShapes } from "../log/payload-shapes.ts"
import { shapesV1 } from "../log/payload-shapes.ts"
import type { ObjectShape, Shape } from "../log/shape.ts"
import { any, object, record, string, tagged } from "../log/shape.ts"
import type { RequestMark } from "../request/request-points.ts"
import { requestMark } from "../request/request-points.ts"
import type { Token } from "./ascii.ts"
import { tokenOf } from "./ascii.ts"
import type { Scan } from "./shape-scan.ts"
import { objectScan, scanOf } from "./shape-scan.ts"

/** How the scanner treats the rows of one event type. */
export interface TypeEntry {
  readonly type: string
  /** The type as it stands in a line, with the key that follows it. */
  readonly text: Token
  /** Place in the vocabulary of the format. */
  readonly index: number
  readonly kind: SurfaceKind
  /** The scan of the payload; null where the parser reads every row. */
  readonly scan: Scan | null
  /** Whether a fold needs the row; others are counted and dropped. */
  readonly isKept: boolean
  readonly counts: "turn" | "step" | null
  /** What the type tells of requests. */
  readonly mark: RequestMark | null
}

/** Fields that tell of usage, in the order of their captures. */
const reportFields: readonly string[] = ["turn", "step", "usage", "stream", "chunk"]

/** Numbers of the captures of an assistant message or chunk. */
export const captured = { turn: 0, step: 1, usage: 2, stream: 3, chunk: 4 } as const

// rare rows, and rows of which more is asked than a scan can tell
const parsedTypes: ReadonlySet<string> = new Set([
  "system/message",
  "developer/message",
  "request/header",
  "session/end-seed",
  "image/offload",
  "assistant/attempt",
  "llm/retry-started",
])

// narrower than the format asks: whether a chunk reports usage must be plain from its first bytes
const usageChunk: ObjectShape = object({ type: string }, { usage: any })
const chunk: ObjectShape = object({}, { chunk: tagged("type", { usage: usageChunk }) })

/** Types of which the turn and the step are asked. */
const placedTypes: ReadonlySet<string> = new Set(["assistant/message", "step/start"])

/** Fields of a tool result that ask for more than its shape. */
const resultFields: readonly string[] = ["error"]

const payloadScan = (shape: Shape, type: string): Scan => {
  if (type === "assistant/chunk") return objectScan(chunk, reportFields)
  if (shape.is !== "object") return scanOf(shape)
  if (placedTypes.has(type)) return objectScan(shape, reportFields)
  return type === "tool/result" ? objectScan(shape, resultFields) : scanOf(shape)
}

// whatever has the shape of format 1 has that of format 0, which leaves more open
const scanShapes = (format: Format): PayloadShapes =>
  format.version === 0 ? shapesV1 : format.rules.payloads

/** Every type of a format, by its place in the vocabulary. */
export const typeTable = (format: Format): readonly TypeEntry[] => {
  const shapes = scanShapes(format)
  return format.rules.vocabulary.map((type, index) => {
    const kind = format.kinds.get(type) ?? surfaceKind.none
    const isParsed = parsedTypes.has(type)
    return {
      type,
      text: tokenOf(`${type}","seq":`),
      index,
      kind,
      scan: isParsed ? null : payloadScan(shapes[type] ?? record, type),
      isKept: isParsed || kind !== surfaceKind.none,
      counts: type === "turn/start" ? "turn" : type === "step/start" ? "step" : null,
      mark: requestMark(type),
    }
  })
}
