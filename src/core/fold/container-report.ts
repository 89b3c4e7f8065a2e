import type { ContainerFault } from "./container-fault.ts"
import type { LineRange } from "../log/line-range.ts"
import type { Tail } from "./log-reading.ts"

/** How the bytes of a log are kept in its file. */
export type Container = "plain" | "zstd" | "gzip" | "zip" | "sqlite"

/** What of the end of decoding changes what is said of a log. */
export interface DecodedEnd {
  readonly fault: ContainerFault | null
  /** A frame or member that the file ends in. */
  readonly torn: LineRange | null
}

/** What is said of a log, whoever says it. */
export interface AnyReport {
  readonly status: "ok" | "torn" | "refused" | "unreadable"
  readonly container: string | null
  readonly byteCount: number | null
  readonly fault: ContainerFault | null
  readonly refusal: object | null
  readonly tail: Tail | LineRange | null
}

const names: Readonly<Record<Container, string>> = {
  plain: "jsonl",
  zstd: "jsonl.zstd",
  gzip: "jsonl.gz",
  zip: "zip",
  sqlite: "sqlite",
}

/** What a container is called in records. */
export const containerName = (container: Container): string => names[container]

/**
 * A report of decoded text, as one of the container that it came in.
 *
 * shape   damage of the container outweighs all that is wrong with the text: what was not decoded
 *         nobody has seen. A frame that the file ends in is a torn tail
 */
export const reportOfContainer = <Report extends AnyReport>(
  report: Report,
  container: Container,
  end: DecodedEnd | null,
): Report => {
  const named = { ...report, container: names[container] }
  if (end === null) return named
  if (end.fault !== null)
    return { ...named, status: "unreadable", fault: end.fault, refusal: null, tail: null }
  if (end.torn === null || report.status !== "ok") return named
  const tail = { cause: "unterminated", byteOffset: report.byteCount ?? 0, byteLength: 0 }
  return { ...named, status: "torn", tail }
}
