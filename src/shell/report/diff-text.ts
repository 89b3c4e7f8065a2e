import type { JsonValue } from "../../core/data/json.ts"
import { clipped } from "./clipped.ts"
import type { DiffRecord, DifferenceFields } from "./diff-record.ts"
import { printableLine } from "./escape.ts"
import { placeText } from "./request-text.ts"

const valueText = (value: JsonValue | undefined): string =>
  value === undefined ? "nothing" : clipped(printableLine(JSON.stringify(value)))

const differenceText = ({ pointer, before, after }: DifferenceFields): string =>
  `${pointer === "" ? "" : `${printableLine(pointer)}: `}${valueText(before)} → ${valueText(after)}`

const namesText = (names: readonly string[]): string => names.map(printableLine).join(" ")

const partText = ({ part, messageIndex }: DiffRecord): string =>
  part === "message" || messageIndex !== null
    ? `${part === "system" ? "system prompt, message" : "message"} ${messageIndex ?? 0}`
    : part === "system"
      ? "system prompt"
      : (part ?? "")

/** How two requests differ, for people. */
export const diffText = (record: DiffRecord): string => {
  const names = `${placeText(record.a)} and ${placeText(record.b)}`
  const shared = `${record.sharedMessages} messages, ${record.sharedBytes} bytes`
  if (record.isSame) return `${names} are the same: ${shared}\n`
  const { tools } = record
  const lines: (readonly [string, string])[] = [
    ["differ in", partText(record)],
    ["shared", shared],
    ["then", `${record.removedMessages} messages → ${record.addedMessages} messages`],
    ...record.config.map((each) => ["config", differenceText(each)] as const),
    ...(tools.added.length === 0 ? [] : [["tools added", namesText(tools.added)] as const]),
    ...(tools.removed.length === 0 ? [] : [["tools removed", namesText(tools.removed)] as const]),
    ...(tools.changed.length === 0 ? [] : [["tools changed", namesText(tools.changed)] as const]),
    ...(record.difference === null
      ? []
      : [["first change", differenceText(record.difference)] as const]),
  ]
  return `${names}\n${lines.map(([name, value]) => `${name.padEnd(15)}${value}\n`).join("")}`
}
