import { isLeft } from "fp-ts/lib/Either.js"
import type { Refusal } from "../data/refusal.ts"
import type { LogHeader } from "../log/header.ts"
import { headerOf } from "../log/header.ts"
import { parseLine } from "../log/row.ts"
import type { LineText } from "./line-text.ts"

/** What the first line of a log says. */
export interface OpenedHeader {
  readonly header: LogHeader | null
  readonly refusal: Refusal | null
  /** Whether it is a session header, of whatever version; other text is no log at all. */
  readonly isLog: boolean
}

const refused = (refusal: Refusal): OpenedHeader => ({
  header: null,
  refusal,
  // a session of a version or with fields that we do not take is a log
  isLog: refusal.code === "header-field" || refusal.code === "version-unsupported",
})

/** Reads the first line of a log; `namedVersion` is the version that the file's name states. */
export const openHeader = (text: LineText, namedVersion: number | null): OpenedHeader => {
  if (typeof text !== "string") return refused(text)
  const value = parseLine(text)
  if (isLeft(value)) {
    const { code } = value.left
    // text that is not JSON is no log at all, whatever is wrong with it
    const isText = code === "invalid-json" || code === "blank-line"
    return refused(isText ? { code: "not-a-log" } : value.left)
  }
  const header = headerOf(value.right)
  if (isLeft(header)) return refused(header.left)
  const { version } = header.right.format
  const isNamed = namedVersion === null || namedVersion === version
  return {
    header: header.right,
    refusal: isNamed ? null : { code: "version-mismatch", named: namedVersion, version },
    isLog: true,
  }
}
