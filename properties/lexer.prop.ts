import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { digestWithout } from "#core/columns/digest"
import type { JsonValue } from "#core/data/json"
import { parsedFault } from "#core/data/lossless-json"
import { lexerOf, testKey } from "../test/core/columns/scanning.ts"
import { jsonValues } from "./arbitraries/json.ts"
import { twistedText, twists } from "./arbitraries/lines-twisted.ts"
import { fewRuns } from "./scale.ts"
import { expectAllSeen } from "./seen.ts"

const maxLexedDepth = 64

/** Whether JSON text is of the language that the lexer claims, by its looks. */
const isPlainText = (text: string): boolean => {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"/gu, "s")
  let depth = 0
  let deepest = 0
  for (const char of bare) {
    if (char === "[" || char === "{") deepest = Math.max(deepest, ++depth)
    else if (char === "]" || char === "}") depth--
  }
  const numbers = bare.match(/-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/gu) ?? []
  const isPlain = (number: string): boolean =>
    !/[eE]/u.test(number) && !number.startsWith("-0") && number.length <= 300
  return deepest <= maxLexedDepth && !/\s/u.test(bare) && numbers.every(isPlain)
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe("the lexer", () => {
  const jsonLike = fc.string({
    unit: fc.constantFrom(...'{}[],:"\\u0019-.eE+ tfn/a\u0007é𝄞'.split(""), "true", "null", '""'),
    maxLength: 12,
  })
  const texts = fc.oneof(
    { arbitrary: fc.tuple(jsonValues, fc.constant([])), weight: 1 },
    { arbitrary: fc.tuple(jsonValues, fc.array(twists, { maxLength: 2 })), weight: 3 },
  )
  const anyText = fc.oneof(
    { arbitrary: texts.map(([value, some]) => twistedText(value, some)), weight: 4 },
    { arbitrary: jsonLike, weight: 1 },
  )

  it("CO6: accepts the JSON that it claims, all of it, and nothing else", () => {
    const seen = { accepted: 0, left: 0, refused: 0 }
    fc.assert(
      fc.property(anyText, (text) => {
        const { lexer, length } = lexerOf(text)
        const isAccepted = lexer.value(0) === length
        expect([text, isAccepted]).toEqual([text, isJson(text) && isPlainText(text)])
        if (isAccepted) {
          seen.accepted++
          expect(parsedFault(JSON.parse(text) as JsonValue)).toBe(null)
        } else if (isJson(text)) seen.left++
        else seen.refused++
      }),
      fewRuns(10),
    )
    expectAllSeen(seen)
  })

  it("CO6: counts the UTF-16 code units of a string", () => {
    const strings = fc
      .tuple(fc.string({ unit: "binary", maxLength: 40 }), fc.array(twists, { maxLength: 2 }))
      .map(([value, some]) => twistedText(value, some))
      .filter((text) => text.startsWith('"') && isJson(text))
    fc.assert(
      fc.property(strings, (text) => {
        const { lexer, length } = lexerOf(text)
        expect(lexer.string(1)).toBe(length)
        expect(lexer.units).toBe((JSON.parse(text) as string).length)
      }),
      fewRuns(5),
    )
  })

  it("CO6: reads integers to the last exact one", () => {
    const integers = fc.oneof(
      fc.maxSafeInteger().map(String),
      fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
      fc.bigInt({ min: -9n, max: 9n }).map((by) => String(2n ** 53n + by)),
      fc.bigInt({ min: -9n, max: 9n }).map((by) => String(-(2n ** 53n) + by)),
      fc.constantFrom("-0", "00", "01", "-", "", "0", "9".repeat(400), "+1"),
    )
    fc.assert(
      fc.property(integers, (text) => {
        const { lexer, length } = lexerOf(text)
        const isExact = /^(?:0|-?[1-9]\d*)$/u.test(text) && Number.isSafeInteger(Number(text))
        expect([text, lexer.integer(0) === length]).toEqual([text, isExact])
        if (isExact) expect(lexer.int).toBe(Number(text))
      }),
      fewRuns(5),
    )
  })
})

describe("the digest of a tool result", () => {
  const bytes = fc.uint8Array({ maxLength: 40 })
  const nothing = new Uint8Array()
  const digest = (head: Uint8Array, content: Uint8Array, tail: Uint8Array): number => {
    const all = Buffer.concat([Buffer.from("?"), head, content, tail, Buffer.alloc(8)])
    const view = new DataView(all.buffer, all.byteOffset, all.length)
    const cut = 1 + head.length
    const end = cut + content.length + tail.length
    return digestWithout(testKey, view, 1, cut, cut + content.length, end)
  }

  it("CO5: is that of the bytes beside the content", () => {
    fc.assert(
      fc.property(bytes, bytes, bytes, bytes, (head, tail, one, other) => {
        const value = digest(head, one, tail)
        expect(Number.isSafeInteger(value) && value > 0).toBe(true)
        expect(digest(head, other, tail)).toBe(value)
      }),
    )
  })

  it("CO5: changes with each of these bytes, and with where the content stands", () => {
    const change = fc.tuple(fc.nat({ max: 79 }), fc.integer({ min: 1, max: 255 }))
    fc.assert(
      fc.property(bytes, bytes, change, (head, tail, [at, by]) => {
        const value = digest(head, nothing, tail)
        const all = Buffer.concat([head, tail])
        if (all.length === 0) return
        const place = at % all.length
        all[place] = (all[place] ?? 0) ^ by
        const changed = [all.subarray(0, head.length), all.subarray(head.length)] as const
        expect(digest(changed[0], nothing, changed[1])).not.toBe(value)
        // one byte more, one less, one moved over the content
        expect(digest(head, nothing, Buffer.concat([tail, Buffer.from([by])]))).not.toBe(value)
        expect(digest(head.slice(1), nothing, tail)).not.toBe(head.length > 0 ? value : NaN)
        if (head.length > 0) {
          const moved = Buffer.concat([head.slice(-1), tail])
          expect(digest(head.slice(0, -1), nothing, moved)).not.toBe(value)
        }
      }),
    )
  })
})
