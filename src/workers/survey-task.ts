import { isLeft } from "fp-ts/lib/Either.js"
import { RecoverySurvey } from "../core/check/recovery.ts"
import { headerFigures } from "../core/fold/log-report.ts"
import type { LineText } from "../core/fold/line-text.ts"
import type { OpenedHeader } from "../core/fold/open-header.ts"
import { openHeader } from "../core/fold/open-header.ts"
import { readRow } from "../core/log/row.ts"
import type { OpenLog } from "./log-file.ts"
import { withOpenLog } from "./log-file.ts"
import { readLines, releaseBlock } from "./log-lines.ts"
import type { SurveyReply, SurveyRequest } from "./task-protocol.ts"

const survey = (log: OpenLog): SurveyReply => {
  const found = new RecoverySurvey()
  let opened: OpenedHeader | null = null
  const openedNow = (): OpenedHeader | null => opened
  const header = (text: LineText): boolean => {
    opened = openHeader(text, null)
    return opened.header !== null
  }
  const rest = readLines(log.descriptor, { from: 0, to: log.byteCount }, (text, at) => {
    const format = openedNow()?.header?.format
    if (format === undefined) {
      found.begin(at)
      return header(text)
    }
    const row = typeof text === "string" ? readRow(format, text) : null
    if (row === null || isLeft(row)) found.drop(at)
    else found.row(row.right.facts.seq, row.right.facts.count, at)
    return true
  })
  const end = openedNow()
  return end === null || end.header === null
    ? { is: "no-log", refusal: end?.refusal ?? { code: "not-a-log" }, isLog: end?.isLog ?? false }
    : { is: "surveyed", header: headerFigures(end.header), recovery: found.finish(rest) }
}

/** What a log is made of, damaged or not. */
export default ({ source }: SurveyRequest): SurveyReply => {
  try {
    return withOpenLog(source, null, survey)
  } finally {
    releaseBlock()
  }
}
