import { printableLine } from "./escape.ts"
import type { PromptRecord } from "./prompt-record.ts"
import type { Column } from "./table.ts"
import { tableText } from "./table.ts"

const columns: readonly Column[] = [
  { title: "seq", align: "right" },
  { title: "time", align: "left" },
  { title: "step", align: "left" },
  { title: "change", align: "left" },
  { title: "state", align: "left" },
  { title: "chars", align: "right" },
  { title: "tokens", align: "right" },
  { title: "text", align: "left" },
]

// with the other columns it fits a wide terminal
const shownCharacters = 60

const stateText = ({ shadowed, isEffective, characters }: PromptRecord): string => {
  if (shadowed !== null) return `shadowed by ${shadowed.seq}`
  if (isEffective) return "in effect"
  return characters === 0 ? "empty" : "superseded"
}

// a number that no calendar reaches is shown as it is
const timeText = (time: number): string => {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? String(time) : date.toISOString()
}

const firstLine = (text: string): string => {
  const end = text.indexOf("\n")
  const line = printableLine(end < 0 ? text : text.slice(0, end))
  if (line.length > shownCharacters) return `${line.slice(0, shownCharacters - 1)}…`
  return end < 0 ? line : `${line} …`
}

/** A prompt for people: a row of the table. */
export const promptRow = (prompt: PromptRecord): readonly string[] => [
  String(prompt.seq),
  timeText(prompt.time),
  `${prompt.turn}.${prompt.step}`,
  prompt.change,
  stateText(prompt),
  String(prompt.characters),
  String(prompt.tokens),
  firstLine(prompt.text),
]

/** The table of the prompts of a log, up to where it was read. */
export const promptsText = (rows: readonly (readonly string[])[]): string =>
  rows.length === 0 ? "no system prompt up to there\n" : tableText(columns, rows)
