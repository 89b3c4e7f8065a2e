import { runInNewContext } from "node:vm"
import { isRight, left, right } from "fp-ts/lib/Either.js"
import { describe, expect, it } from "vitest"
import { losslessCopy, maxDepth } from "#core/data/lossless-json"

const refused = (what: string, path: readonly (string | number)[] = []): unknown =>
  left({ what, path })

/** `depth` arrays, each the only member of the one around it. */
const nestedArrays = (depth: number): unknown => {
  let value: unknown = []
  for (let level = 1; level < depth; level++) value = [value]
  return value
}

/** `depth` objects, each under the key `a` of the one around it. */
const nestedObjects = (depth: number): unknown => {
  let value: unknown = {}
  for (let level = 1; level < depth; level++) value = { a: value }
  return value
}

const depthOf = (value: unknown): number => {
  let depth = 0
  let inner = value
  while (typeof inner === "object" && inner !== null) {
    depth++
    inner = Object.values(inner)[0]
  }
  return depth
}

describe("what JSON can hold", () => {
  it.each<[string, unknown]>([
    ["null", null],
    ["true", true],
    ["false", false],
    ["the empty string", ""],
    ["a string with a lone surrogate", "\ud800"],
    ["zero", 0],
    ["the largest number", Number.MAX_VALUE],
    ["the smallest number", Number.MIN_VALUE],
    ["a fraction", -0.5],
    ["an empty array", []],
    ["an empty object", {}],
    ["arrays and objects in each other", { a: [1, { b: [null, "x", false] }], c: {} }],
    ["an empty key", { "": 1 }],
  ])("D1: %s is copied", (_, value) => {
    expect(losslessCopy(value)).toStrictEqual(right(value))
  })

  it("D1: nothing of the copy is shared with the input", () => {
    const inner = [1]
    const outer = { inner }
    const copy = losslessCopy(outer)
    inner.push(2)
    Object.assign(outer, { later: true })
    expect(copy).toStrictEqual(right({ inner: [1] }))
  })

  it("D1: a frozen value gives a copy that can be written to", () => {
    const copy = losslessCopy(Object.freeze({ list: Object.freeze([1]) }))
    if (!isRight(copy)) throw new Error("not copied")
    const { list } = copy.right as unknown as { list: number[] }
    list.push(2)
    expect(copy.right).toStrictEqual({ list: [1, 2] })
  })

  it("D2: an object without a prototype is plain", () => {
    const bare = Object.assign(Object.create(null) as object, { a: 1 })
    expect(losslessCopy(bare)).toStrictEqual(right({ a: 1 }))
  })

  it("D2: objects and arrays of another realm are plain, and the copy is of this realm", () => {
    const foreign: unknown = runInNewContext('({ a: [1, { b: null }], c: "x" })')
    expect(foreign instanceof Object).toBe(false)
    const copy = losslessCopy(foreign)
    expect(copy).toStrictEqual(right({ a: [1, { b: null }], c: "x" }))
    expect(isRight(copy) && copy.right instanceof Object).toBe(true)
  })

  it("D2: an array of another realm at the outermost level is plain", () => {
    expect(losslessCopy(runInNewContext("[[]]"))).toStrictEqual(right([[]]))
  })

  it("D2: a bare object of another realm is plain", () => {
    const foreign: unknown = runInNewContext("Object.assign(Object.create(null), { a: 1 })")
    expect(losslessCopy(foreign)).toStrictEqual(right({ a: 1 }))
  })
})

describe("numbers", () => {
  it("D3: −0 is refused, alone and inside", () => {
    expect(losslessCopy(-0)).toStrictEqual(refused("negative-zero"))
    expect(losslessCopy({ a: [0, -0] })).toStrictEqual(refused("negative-zero", ["a", 1]))
  })

  it.each([NaN, Infinity, -Infinity])("D4: %s is refused", (value) => {
    expect(losslessCopy(value)).toStrictEqual(refused("non-finite"))
    expect(losslessCopy([value])).toStrictEqual(refused("non-finite", [0]))
  })
})

describe("values that are no JSON", () => {
  it.each<[string, unknown]>([
    ["undefined", undefined],
    ["a BigInt", 1n],
    ["a function", () => 1],
    ["a class", class {}],
    ["a symbol", Symbol("s")],
  ])("D5: %s is refused, alone, in an array and under a key", (_, value) => {
    expect(losslessCopy(value)).toStrictEqual(refused("not-json"))
    expect(losslessCopy([1, value])).toStrictEqual(refused("not-json", [1]))
    expect(losslessCopy({ a: value })).toStrictEqual(refused("not-json", ["a"]))
  })
})

describe("arrays", () => {
  it("D6: a hole is refused, at the front, in the middle and at the end", () => {
    const front: unknown[] = []
    front[1] = 1
    const middle: unknown[] = [1]
    middle[2] = 3
    const end: unknown[] = [1]
    end.length = 2
    for (const array of [front, middle, end])
      expect(losslessCopy(array)).toStrictEqual(refused("sparse-array"))
  })

  it("D6: further properties are refused, whatever their kind", () => {
    const named = Object.assign([1], { note: "x" })
    const symbolic = Object.assign([1], { [Symbol("s")]: 1 })
    const hidden = Object.defineProperty([1], "note", { value: "x" })
    for (const array of [named, symbolic, hidden])
      expect(losslessCopy({ a: array })).toStrictEqual(refused("decorated-array", ["a"]))
  })

  it("D6: a hole beside a further property does not make up for it", () => {
    const array: unknown[] = []
    array[1] = 2
    Object.assign(array, { note: "x" })
    expect(losslessCopy(array)).toStrictEqual(refused("sparse-array"))
  })
})

describe("objects that are not plain", () => {
  class Point {
    readonly x = 1
  }
  class Row extends Array<number> {}

  it.each<[string, unknown]>([
    ["an instance of a class", new Point()],
    ["an instance of a subclass of Array", Row.from([1])],
    ["a Map", new Map([["a", 1]])],
    ["a Set", new Set([1])],
    ["a Date", new Date(0)],
    ["a regular expression", /x/],
    ["an error", new Error("x")],
    ["a typed array", new Uint8Array(1)],
    ["a boxed string", Object("x")],
    ["a boxed number", Object(1)],
    ["a promise", Promise.resolve(1)],
    ["an object that inherits from a plain one", Object.create({ a: 1 })],
    ["an object that inherits from a bare one", Object.create(Object.create(null) as object)],
    ["an array without a prototype", Object.setPrototypeOf([1], null)],
    ["an array that inherits from an array", Object.setPrototypeOf([1], [])],
    ["an array that is an object", Object.setPrototypeOf([1], Object.prototype)],
    ["an object that is an array", Object.create(Array.prototype)],
    ["a Map of another realm", runInNewContext("new Map()")],
  ])("D7: %s is refused", (_, value) => {
    expect(losslessCopy(value)).toStrictEqual(refused("not-plain"))
    expect(losslessCopy([value])).toStrictEqual(refused("not-plain", [0]))
  })

  /** A function of a program that has the name of a built-in, and this prototype. */
  const imitation = (name: string, prototype: object): object => {
    const maker = function () {}
    Object.defineProperty(maker, "name", { value: name })
    Object.defineProperty(maker, "prototype", { value: prototype })
    return Object.defineProperty(prototype, "constructor", { value: maker, enumerable: false })
  }

  it("D7: a prototype that poses as Object.prototype is found out", () => {
    const posing = Object.create(imitation("Object", Object.create(null) as object)) as object
    expect(losslessCopy(posing)).toStrictEqual(refused("not-plain"))
  })

  it("D7: a prototype that poses as Array.prototype is found out", () => {
    const posing: unknown = Object.setPrototypeOf([1], imitation("Array", []))
    expect(losslessCopy(posing)).toStrictEqual(refused("not-plain"))
  })
})

describe("keys", () => {
  it("D8: a key that is not enumerable is refused", () => {
    const value = Object.defineProperty({ a: 1 }, "b", { value: 2, enumerable: false })
    expect(losslessCopy({ c: value })).toStrictEqual(refused("hidden-key", ["c"]))
  })

  it("D8: a symbol as a key is refused", () => {
    expect(losslessCopy({ a: 1, [Symbol("s")]: 2 })).toStrictEqual(refused("hidden-key"))
  })

  it("D11: `__proto__` as a key of its own is data, and stays it", () => {
    const value: unknown = JSON.parse('{"__proto__":{"a":1},"b":[{"__proto__":null}]}')
    const copy = losslessCopy(value)
    if (!isRight(copy)) throw new Error("not copied")
    expect(JSON.stringify(copy.right)).toBe('{"__proto__":{"a":1},"b":[{"__proto__":null}]}')
    expect(Object.getPrototypeOf(copy.right)).toBe(Object.prototype)
  })

  it("D11: `constructor`, `toString` and `hasOwnProperty` as keys are data", () => {
    const value = { constructor: 1, toString: "x", hasOwnProperty: null }
    expect(losslessCopy(value)).toStrictEqual(right(value))
  })
})

describe("values that are met more than once", () => {
  it("D9: an object inside itself is refused", () => {
    const value: Record<string, unknown> = {}
    value["self"] = value
    expect(losslessCopy(value)).toStrictEqual(refused("cycle", ["self"]))
  })

  it("D9: a cycle over several levels is refused where it closes", () => {
    const list: unknown[] = [1]
    const value = { list, other: 2 }
    list.push({ back: value })
    expect(losslessCopy(value)).toStrictEqual(refused("cycle", ["list", 1, "back"]))
  })

  it("D9: a part that stands beside itself becomes two copies", () => {
    const shared = { a: 1 }
    const copy = losslessCopy([shared, shared, { shared }])
    expect(copy).toStrictEqual(right([{ a: 1 }, { a: 1 }, { shared: { a: 1 } }]))
    const [first, second] = isRight(copy) ? (copy.right as unknown as object[]) : []
    expect(first).not.toBe(second)
  })
})

describe("code that runs while a value is read", () => {
  it("D10: each property is read once", () => {
    let reads = 0
    const value = {
      get a() {
        reads++
        return { n: reads }
      },
    }
    expect(losslessCopy(value)).toStrictEqual(right({ a: { n: 1 } }))
    expect(reads).toBe(1)
  })

  it("D10: an element of an array is read once", () => {
    let reads = 0
    const value = Object.defineProperty([0], 0, {
      enumerable: true,
      get: () => ++reads,
    })
    expect(losslessCopy(value)).toStrictEqual(right([1]))
    expect(reads).toBe(1)
  })

  it("D10: what a getter throws comes through", () => {
    const value = {
      get a(): number {
        throw new Error("no such reading")
      },
    }
    expect(() => losslessCopy(value)).toThrow("no such reading")
  })

  it("D10: `toJSON` is not called", () => {
    let calls = 0
    const maker = () => ++calls
    const value = { a: 1 }
    const bare = Object.assign(Object.create(null) as object, value)
    Object.defineProperty(Object.prototype, "toJSON", { value: maker, configurable: true })
    try {
      expect(losslessCopy([value, bare])).toStrictEqual(right([{ a: 1 }, { a: 1 }]))
    } finally {
      delete (Object.prototype as { toJSON?: unknown }).toJSON
    }
    expect(calls).toBe(0)
  })

  it("D10: `toJSON` of its own is a function under a key like any other", () => {
    expect(losslessCopy({ toJSON: () => 1 })).toStrictEqual(refused("not-json", ["toJSON"]))
  })
})

describe("depth", () => {
  it("D12: the limit is 1000 levels", () => {
    expect(maxDepth).toBe(1000)
  })

  it.each([
    ["arrays", nestedArrays],
    ["objects", nestedObjects],
  ])("D12: 1000 nested %s are copied, 1001 are refused", (_, nested) => {
    const copy = losslessCopy(nested(1000))
    expect(isRight(copy) && depthOf(copy.right)).toBe(1000)
    expect(losslessCopy(nested(1001))).toMatchObject(left({ what: "too-deep" }))
  })

  it("D12: a value on level 1000 may hold plain values", () => {
    let value: unknown = [1, "x", null]
    for (let level = 1; level < 1000; level++) value = [value]
    expect(isRight(losslessCopy(value))).toBe(true)
  })

  it("D12: depth is counted along one path, not summed over neighbours", () => {
    const wide = [nestedArrays(999), nestedObjects(999), nestedArrays(999)]
    expect(isRight(losslessCopy(wide))).toBe(true)
  })

  it("D12: 100,000 levels are refused, and use no call stack", () => {
    expect(losslessCopy(nestedArrays(100_000))).toMatchObject(left({ what: "too-deep" }))
    expect(losslessCopy(nestedObjects(100_000))).toMatchObject(left({ what: "too-deep" }))
  })
})

describe("where a fault stands", () => {
  it("D13: the path holds keys as text and indexes as numbers", () => {
    expect(losslessCopy({ a: [1, { "0": [NaN] }] })).toStrictEqual(
      refused("non-finite", ["a", 1, "0", 0]),
    )
  })

  it("D13: of several faults the first in reading order is told", () => {
    expect(losslessCopy([{ a: 1, b: undefined }, -0])).toStrictEqual(refused("not-json", [0, "b"]))
  })
})
