import fc from "fast-check"
import type { JsonValue } from "#core/data/json"
import { isArray, isObject } from "../model/naive-row.ts"

/** One change to the text of a line, by numbers that are taken modulo what there is to choose. */
export interface Twist {
  readonly at: number
  readonly how: number
  readonly what: number
}

const nested = (open: string, inner: string, close: string, levels: number): string =>
  open.repeat(levels) + inner + close.repeat(levels)

const depths = [1, 59, 60, 61, 62, 63, 64, 65, 66, 70, 995, 996, 997, 998, 999, 1000, 1001]

const result = '{"type":"tool-result","toolCallId":"c","content":['

const numberTexts: readonly string[] = [
  ...["0", "1", "-1", "-0", "-0.0", "-0.5", "0.5", "1.5", "-1.5", "0.0", "1.0"],
  ...["1e3", "1E-400", "1e400", "-1e+2", "0e0", "0123", "00", "-01", "1.", ".5", "+1", "-", "0x10"],
  ...["9007199254740991", "9007199254740992", "9007199254740993", "90071992547409910"],
  ...["-9007199254740991", "-9007199254740992", "4503599627370497.5", "123456789012345678901"],
  ...["1".repeat(299), "1".repeat(300), "1".repeat(301), "1".repeat(400)],
  ...[`0.${"1".repeat(400)}`, `-${"9".repeat(400)}`, `0.${"0".repeat(330)}1`],
  ...["NaN", "Infinity", "null", "true", "false", "tru", "nulL", "falsy", "True"],
]

const stringTexts: readonly string[] = [
  ...['""', '"text"', '"tool-result"', '"plugin"', '"user"', '"append"', '"usage"'],
  ...['"\\ud800"', '"\\udc00\\ud800"', '"\\ud83d\\ude00"', '"\\u00e9"', '"é€𝄞\u2028"'],
  ...['"\\x"', '"\\u12G4"', '"\\u12"', '"a\tb"', '"\u0000"', '"\u001f"', '"\u007f"', '"a\\/b"'],
  ...['"te\\u0078t"', '"unterminated', "'text'", `"${"long ".repeat(30)}"`],
]

const usage = '{"inputTokens":3,"outputTokens":4}'
const chunkTexts: readonly string[] = [
  usage,
  '{"inputTokens":1,"inputTokens":2}',
  '{"inputTokens":1,"input\\u0054okens":2}',
  '{"inputTokens":-1,"outputTokens":1.5,"totalTokens":null}',
  '{"inputTokens":9007199254740992,"cacheReadTokens":9007199254740991}',
  '{"reasoningTokens":1,"cacheWriteTokens":2,"totalTokens":3}',
  '{"inputTokens":1,"more":2}',
  `{"type":"usage","usage":${usage}}`,
  `{"type":"usage","usage":${usage},"type":"text-delta"}`,
  `{"type":"usage","usage":${usage},"t\\u0079pe":"text-delta"}`,
  `{"type":"usage","usage":${usage},"usage":{"inputTokens":5}}`,
  `{"type":"usage","usage":${usage},"us\\u0061ge":null}`,
  `{"type":"usage","model":"m","usage":${usage}}`,
  `{"type":"text-delta","type":"usage","usage":${usage}}`,
  `{"type":"text-delta","usage":${usage}}`,
  `{"us\\u0061ge":${usage},"type":"usage"}`,
  `{"type":"us\\u0061ge","usage":${usage}}`,
  '{"type":"usage","usage":null}',
  '{"type":"usage","usage":[]}',
  '{"type":"usage"}',
  `[{"type":"chunk","time":1,"chunk":{"type":"usage","usage":${usage}}}]`,
  `[{"chunk":{"type":"usage","usage":${usage}}},{"chunk":{"type":"text"}},null,1]`,
  "[null]",
]

const structureTexts: readonly string[] = [
  ...["[]", "{}", "[null]", "[1,]", "[,]", "{,}", '{"a":1,}', '{"a"}', "{1:2}", "[1 ,2]"],
  '{"kind":"user","kind":"plugin"}',
  '{"kind":"user","k\\u0069nd":"plugin"}',
  '{"kind":"plugin","kind":"user"}',
  '{"kind":"user","kind":5}',
  '{"kind":"us\\u0065r"}',
  '{"type":"text","text":"x","text":"longer than it"}',
  '{"type":"text","text":"x","type":"image"}',
  '{"type":"text","text":"x","t\\u0065xt":"longer than it"}',
  '{"text":"x","type":"text"}',
  '{"__proto__":{"type":"text"},"constructor":1}',
  '{"type":"image","offloaded":true,"attachment":{}}',
  '{"type":"file","name":"é"}',
  '{"type":"tool-call","id":"","name":"ls","arguments":"{}"}',
  '{"type":"tool-addition","toolName":"ls"}',
  `${result}{"type":"text","text":"inner"}]}`,
  `${result}]}`,
]

const strays: readonly string[] = [
  ...numberTexts,
  ...stringTexts,
  ...chunkTexts,
  ...structureTexts,
  ...depths.map((levels) => nested("[", "", "]", levels)),
  ...depths.map((levels) => nested('{"a":', "1", "}", levels)),
  ...depths.map((levels) => nested(result, "", "]}", levels >> 1)),
]

const keyTexts: readonly string[] = [
  ...['"stray"', '"type"', '"seq"', '"time"', '"data"', '"sourceEventSeqs"', '"surfaceOp"'],
  ...['"ignorable"', '"op"', '"start"', '"end"', '"startSeq"', '"endSeq"', '"content"', '"error"'],
  ...['"usage"', '"stream"', '"chunk"', '"turn"', '"step"', '"id"', '"kind"', '"text"'],
  ...['"isError"', '"toolCallId"', '"callId"', '"__proto__"', '"constructor"', '""', '"é"'],
]

const pieces: readonly string[] = [
  ...["\\ud800", "\\udc00", "\\ud83d\\ude00", "\\u0022", "\\u000a", "\\u00", "\\x", "\\", '"'],
  ...["\\n", "\\/", "\\b", "\\\\", '\\"', "é", "€", "𝄞", "\u2028", "\ufeff", "\u007f"],
  ...["\u0000", "\u001f", "\t", "aaaaaaaaaaaaaaaaaaa"],
]

const blanks: readonly string[] = [" ", "\t", "\r", "  ", "\u00a0", "\u000b"]

const pick = <A>(values: readonly A[], n: number, other: A): A => values[n % values.length] ?? other

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`

const twistedString = (text: string, { at, how, what }: Twist): string => {
  // between the quotes, and never inside an escape: what is written stays a string
  const units = [...text.slice(1, -1).matchAll(/\\u....|\\.|[^\\]/gsu)].map(([unit]) => unit)
  const place = at % (units.length + 1)
  const unit = units[place]
  if (how % 4 === 0 && unit !== undefined && !unit.startsWith("\\"))
    return `"${units.with(place, unit.length === 1 ? escaped(unit) : unit).join("")}"`
  if (how % 4 < 3) return `"${units.toSpliced(place, 0, pick(pieces, what, "")).join("")}"`
  return pick(strays, what, "")
}

// a value that stands in for another one without showing at once
const strayLike = (text: string): readonly string[] => {
  if (text.startsWith('"')) return stringTexts
  return /^[-\d]/u.test(text) ? numberTexts : [...chunkTexts, ...structureTexts]
}

type Member = readonly [key: string, value: string]

const objectText = (members: readonly Member[]): string =>
  `{${members.map(([key, value]) => `${key}:${value}`).join(",")}}`

const twistedObject = (members: readonly Member[], { at, how, what }: Twist): string => {
  const i = at % Math.max(1, members.length)
  const [key, value] = members[i] ?? [pick(keyTexts, what, ""), "1"]
  const otherKey = key === '""' ? key : `"${escaped(key.charAt(1))}${key.slice(2)}`
  const stray = pick(what % 2 === 0 ? strays : strayLike(value), what >> 1, "")
  const blank = pick(blanks, what, "")
  switch (how % 14) {
    case 0:
      return objectText([...members.slice(1), ...members.slice(0, 1)])
    case 1:
      return objectText(members.toReversed())
    case 2:
      return objectText([...members, [key, value]])
    case 3:
      return objectText([...members, [key, stray]])
    case 4:
      return objectText([[key, stray], ...members])
    case 5:
      return objectText(members.map((each, k) => (k === i ? [otherKey, value] : each)))
    case 6:
      return objectText([...members, [otherKey, stray]])
    case 7:
      return objectText([...members, [pick(keyTexts, at, ""), stray]])
    case 8:
      return objectText(members.filter((_, each) => each !== i))
    case 9:
      return objectText(members.map((each, k) => (k === i ? [key, blank + value] : each)))
    case 10:
      return objectText(members.map((each, k) => (k === i ? [blank + key + blank, value] : each)))
    case 11:
      return `${objectText(members).slice(0, -1)},}`
    default:
      return objectText(members.map((each, k) => (k === i ? [key, stray] : each)))
  }
}

const arrayText = (items: readonly string[]): string => `[${items.join(",")}]`

const twistedArray = (items: readonly string[], { at, how, what }: Twist): string => {
  const i = at % Math.max(1, items.length)
  const stray = pick(strays, what, "")
  switch (how % 6) {
    case 0:
      return arrayText(items.toSpliced(i, 0, stray))
    case 1:
      return arrayText(items.filter((_, each) => each !== i))
    case 2:
      return arrayText([...items, ...items.slice(i)])
    case 3:
      return arrayText(items.map((item, each) => (each === i ? stray : item)))
    case 4:
      return arrayText(items.map((item, each) => (each === i ? pick(blanks, what, "") : "") + item))
    default:
      return `${arrayText(items).slice(0, -1)},]`
  }
}

const countOf = (value: JsonValue): number => {
  if (isArray(value)) return value.reduce<number>((sum, item) => sum + countOf(item), 1)
  return isObject(value)
    ? Object.values(value).reduce<number>((sum, item) => sum + countOf(item), 1)
    : 1
}

/** JSON text of a value as `JSON.stringify` writes it, but for a twist at some of its places. */
export const twistedText = (value: JsonValue, twists: readonly Twist[]): string => {
  const total = countOf(value)
  const placed = new Map(twists.map((twist) => [twist.at % total, twist] as const))
  let visited = 0
  const text = (inner: JsonValue): string => {
    const twist = placed.get(visited++)
    if (isArray(inner)) {
      const items = inner.map(text)
      return twist === undefined ? arrayText(items) : twistedArray(items, twist)
    }
    if (isObject(inner)) {
      const members = Object.entries(inner).map(([key, each]): Member => [
        JSON.stringify(key),
        text(each),
      ])
      return twist === undefined ? objectText(members) : twistedObject(members, twist)
    }
    const leaf = JSON.stringify(inner)
    if (twist === undefined) return leaf
    if (typeof inner === "string") return twistedString(leaf, twist)
    return pick(twist.how % 3 === 0 ? strays : numberTexts, twist.what, leaf)
  }
  return text(value)
}

const objectPlaces = (value: JsonValue, from = 0): readonly number[] => {
  const inner = isArray(value) ? value : isObject(value) ? Object.values(value) : []
  let at = from + 1
  const places = inner.flatMap((each) => {
    const start = at
    at += countOf(each)
    return objectPlaces(each, start)
  })
  return isObject(value) ? [from, ...places] : places
}

/** JSON text of a value with one key that is repeated or escaped, and a likely value under it. */
export const trappedText = (value: JsonValue, { at, how, what }: Twist): string => {
  const places = objectPlaces(value)
  const place = places[at % Math.max(1, places.length)] ?? 0
  // of the object at this place, another member for other numbers
  const member = place + countOf(value) * (at >> 4)
  return twistedText(value, [{ at: member, how: 2 + (how % 5), what: what * 2 + 1 }])
}

const sequences: readonly (readonly number[])[] = [
  // UTF-8 of two, three and four bytes, the first and last of their kind
  ...[
    [0xc2, 0x80],
    [0xdf, 0xbf],
    [0xe0, 0xa0, 0x80],
    [0xef, 0xbf, 0xbf],
  ],
  ...[
    [0xf0, 0x90, 0x80, 0x80],
    [0xf4, 0x8f, 0xbf, 0xbf],
    [0xef, 0xbb, 0xbf],
  ],
  // and what is none: alone, too long, too short, surrogates, beyond the last one
  ...[[0x80], [0xbf], [0xc0, 0x80], [0xc1, 0xbf], [0xc2], [0xe2, 0x82], [0xe0, 0x80, 0x80]],
  ...[
    [0xed, 0xa0, 0x80],
    [0xed, 0xbf, 0xbf],
    [0xf0, 0x80, 0x80, 0x80],
    [0xf0, 0x9d, 0x84],
  ],
  ...[[0xf4, 0x90, 0x80, 0x80], [0xf5], [0xff], [0xfe, 0xff]],
  ...['"', "\\", ",", ":", "{", "}", "[", "]", "0", "9", "-", ".", "e", " ", "\r", "\t", "\n"].map(
    (char) => [char.charCodeAt(0)],
  ),
  ...[[0], [0x1f], [0x7f], [0x20, 0x20], [0x22, 0x22], [0x5c, 0x5c]],
]

/** A line with one change to its bytes. */
export const twistedBytes = (line: Buffer, { at, how, what }: Twist): Buffer => {
  const place = at % (line.length + 1)
  const head = line.subarray(0, place)
  const sequence = Buffer.from(pick(sequences, what, []))
  switch (how % 8) {
    case 0:
      return Buffer.concat([head, sequence, line.subarray(place)])
    case 1:
      return Buffer.concat([head, sequence, line.subarray(place + sequence.length)])
    case 2:
      return Buffer.concat([head, line.subarray(place + 1)])
    case 3:
      return Buffer.concat([head, line.subarray(Math.max(0, place - 1 - (what % 20)))])
    case 4:
      return Buffer.from(head)
    case 5:
      return Buffer.concat([line, Buffer.from(pick([...blanks, "\r", "x", "}"], what, ""))])
    case 6:
      return Buffer.concat([Buffer.from(pick(["\ufeff", ...blanks], what, "")), line])
    default: {
      const changed = Buffer.from(line)
      if (place < line.length) changed[place] = (changed[place] ?? 0) ^ (1 << (what % 8))
      return changed
    }
  }
}

const number = fc.nat({ max: 0xffff })

/** Any change. */
export const twists: fc.Arbitrary<Twist> = fc.record({ at: number, how: number, what: number })
