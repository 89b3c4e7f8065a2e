import type { JsonValue } from "#core/data/json"

type Draw = (below: number) => number

/** A log after one accident. */
export interface Damaged {
  readonly how: (typeof accidents)[number]
  readonly bytes: Buffer
  /** Lines from the start, header included, that are as they were. */
  readonly intact: number
}

/** What can happen to a log; the last ones only a program does to it. */
export const accidents = [
  "truncated",
  "flipped",
  "dropped",
  "doubled",
  "swapped",
  "joined",
  "split",
  "number",
  "key",
  "nested",
] as const

const numbers = [
  ...["0", "1", "2", "3", "-1", "-0", "0.5", "1e400", "9007199254740991", "9007199254740992"],
  ...["4294967296", "1000000", "1000007", "null", '"7"', "[]", "{}", "[[0,9007199254740990]]"],
]

const numberPattern = /(?<=[:,[])-?\d+(?=[,}\]])/g

const withNumber = (line: string, draw: Draw): string => {
  const places = [...line.matchAll(numberPattern)]
  const place = places[draw(places.length)]
  if (place === undefined) return line
  const near = Number(place[0]) + draw(5) - 2
  const number = draw(2) === 0 ? String(near) : (numbers[draw(numbers.length)] ?? "0")
  return line.slice(0, place.index) + number + line.slice(place.index + place[0].length)
}

// walks down to a key anywhere in a value, and leaves it out
const withoutKey = (value: JsonValue, draw: Draw): JsonValue => {
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value) as readonly (readonly [string, JsonValue])[]
  const at = draw(entries.length)
  const [key, inner] = entries[at] ?? ["", null]
  const isInside = typeof inner === "object" && inner !== null && draw(2) === 0
  const changed = isInside
    ? entries.with(at, [key, withoutKey(inner, draw)])
    : entries.toSpliced(at, 1)
  return Array.isArray(value) ? changed.map(([, each]) => each) : Object.fromEntries(changed)
}

const deepened = (line: string, draw: Draw): string => {
  const levels = [3, 60, 998, 1001, 3000][draw(5)] ?? 3
  const places = [...line.matchAll(numberPattern)]
  const place = places[draw(places.length)]
  const deep = "[".repeat(levels) + "]".repeat(levels)
  if (place === undefined) return deep
  return line.slice(0, place.index) + deep + line.slice(place.index + place[0].length)
}

const changedText = (how: Damaged["how"], line: Buffer, draw: Draw): Buffer => {
  const text = line.toString("utf8")
  if (how === "number") return Buffer.from(withNumber(text, draw))
  if (how === "nested") return Buffer.from(deepened(text, draw))
  return Buffer.from(JSON.stringify(withoutKey(JSON.parse(text) as JsonValue, draw)))
}

const newline = Buffer.from("\n")

const joined = (lines: readonly Buffer[]): Buffer =>
  Buffer.concat(lines.flatMap((line) => [line, newline]))

const flipped = (lines: readonly Buffer[], draw: Draw): Damaged => {
  const bytes = joined(lines)
  const at = draw(bytes.length)
  bytes[at] = draw(4) === 0 ? draw(256) : (bytes[at] ?? 0) ^ (1 << draw(8))
  let intact = 0
  for (let end = -1; intact < lines.length; intact++) {
    end += (lines[intact]?.length ?? 0) + 1
    if (end >= at) break
  }
  return { how: "flipped", bytes, intact }
}

/**
 * One accident to a line behind the header, or to any byte.
 *
 * @param lines  at least a header and two rows
 */
export const damage = (lines: readonly Buffer[], how: Damaged["how"], draw: Draw): Damaged => {
  if (how === "flipped") return flipped(lines, draw)
  if (how === "truncated") {
    const bytes = joined(lines)
    const cut = bytes.subarray(0, draw(bytes.length))
    let intact = 0
    for (const byte of cut) if (byte === 0x0a) intact++
    return { how, bytes: cut, intact }
  }
  const isPair = how === "swapped" || how === "joined"
  const at = 1 + draw(lines.length - (isPair ? 2 : 1))
  const line = lines[at] ?? newline
  const next = lines[at + 1] ?? newline
  const before = lines.slice(0, at)
  const behind = lines.slice(at + (isPair ? 2 : 1))
  switch (how) {
    case "dropped":
      return { how, bytes: joined([...before, ...behind]), intact: at }
    case "doubled":
      return { how, bytes: joined([...before, line, line, ...behind]), intact: at + 1 }
    case "swapped":
      return { how, bytes: joined([...before, next, line, ...behind]), intact: at }
    case "joined":
      return { how, bytes: joined([...before, Buffer.concat([line, next]), ...behind]), intact: at }
    case "split": {
      const cut = draw(line.length + 1)
      const parts = [line.subarray(0, cut), line.subarray(cut)]
      return { how, bytes: joined([...before, ...parts, ...behind]), intact: at }
    }
    default:
      return {
        how,
        bytes: joined([...before, changedText(how, line, draw), ...behind]),
        intact: at,
      }
  }
}
