import { isFault, withOpenLog } from "./log-file.ts"
import type { BlockSink } from "./log-lines.ts"
import { readBlocks, releaseBlock } from "./log-lines.ts"
import type { FloorPass, FloorRequest, PassFigures } from "./task-protocol.ts"

const newline = 10

interface Count {
  bytes: number
  lines: number
}

type OnBlock = (count: Count, bytes: Buffer, from: number, to: number) => void

const onLines =
  (onLine: (bytes: Buffer, from: number, to: number) => void): OnBlock =>
  (count, bytes, from, to) => {
    for (let start = from; start < to;) {
      const end = bytes.indexOf(newline, start)
      onLine(bytes, start, end)
      count.lines++
      start = end + 1
    }
  }

const passes: Readonly<Record<FloorPass, OnBlock>> = {
  read: () => {},
  newlines: onLines(() => {}),
  parse: onLines((bytes, from, to) => {
    JSON.parse(bytes.toString("utf8", from, to))
  }),
}

/**
 * What no reader of logs does without: reading them, finding their lines, parsing each line.
 *
 * shape   bytes behind the last newline are read and are no line
 * errors  an Error for a log that cannot be read, is changed meanwhile, or has a line too long
 * cost    one reused block
 */
export default ({ pass, sources }: FloorRequest): PassFigures => {
  const count: Count = { bytes: 0, lines: 0 }
  const onBlock = passes[pass]
  const sink: BlockSink = {
    tooLong: () => {
      throw new Error("a line is too long")
    },
    block: (bytes, from, to) => {
      onBlock(count, bytes, from, to)
      return true
    },
  }
  for (const source of sources) {
    const read = withOpenLog(source, null, ({ descriptor, byteCount }) => {
      readBlocks(descriptor, { from: 0, to: byteCount }, sink)
      count.bytes += byteCount
    })
    if (isFault(read)) throw new Error(`${source.path}: ${read.fault.code}`)
  }
  releaseBlock()
  return {
    byteCount: count.bytes,
    lineCount: pass === "read" ? null : count.lines,
    eventCount: null,
    nodeCount: null,
    messageTokens: null,
  }
}
