/** What a canonical file name says of the log inside. */
export interface LogName {
  /** The format version, which the header must repeat. */
  readonly version: number
  readonly container: Container
}

export type Container = "jsonl" | "jsonl.zstd"

// no leading zero, no upper case, no v0
const canonical = /^session(?:\.v([1-9][0-9]{0,8}))?\.(jsonl(?:\.zstd)?)$/

/** Reads a canonical log name; null for any other name. */
export const logNameOf = (name: string): LogName | null => {
  const match = canonical.exec(name)
  return match === null
    ? null
    : {
        version: match[1] === undefined ? 0 : Number(match[1]),
        container: match[2] === "jsonl" ? "jsonl" : "jsonl.zstd",
      }
}
