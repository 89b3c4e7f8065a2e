import { describe, expect, it } from "vitest"
import { addressOf, addressText, pointAt } from "#core/request/address"
import type { RequestPoint } from "#core/request/request-points"

const point = (turn: number, step: number, attempt: number): RequestPoint => ({
  turn,
  step,
  attempt,
  throughSeq: turn * 100 + step * 10 + attempt,
})

const step = (turn: number, step: number, attempt: number | null) =>
  ({ is: "step", turn, step, attempt }) as const

describe("addresses", () => {
  it("R6: one number is a seq, two are turn and step, a third is the attempt", () => {
    expect(addressOf("42")).toEqual({ is: "seq", seq: 42 })
    expect(addressOf("0")).toEqual({ is: "seq", seq: 0 })
    expect(addressOf("9007199254740991")).toEqual({ is: "seq", seq: 2 ** 53 - 1 })
    expect(addressOf("2.1")).toEqual(step(2, 1, null))
    expect(addressOf("2.1.3")).toEqual(step(2, 1, 3))
    expect(addressOf("10.20.30")).toEqual(step(10, 20, 30))
  })

  it("R7: anything else is none", () => {
    const bad = ["", ".", "1.", ".1", "1..2", "1.2.3.4", "01", "1.02", "-1", "+1", "1e3", "0x1"]
    const worse = [
      "1,2",
      " 1",
      "1 ",
      "1.2\n",
      "a",
      "१",
      "NaN",
      "9007199254740992",
      "1.99999999999999999",
    ]
    for (const text of [...bad, ...worse]) expect([text, addressOf(text)]).toEqual([text, null])
  })

  it("R8: without an attempt the last one is meant; what is not there is null", () => {
    const points = [point(1, 1, 1), point(1, 2, 1), point(1, 2, 2), point(2, 1, 1)]
    expect(pointAt(points, step(1, 2, null))).toBe(points[2])
    expect(pointAt(points, step(1, 2, 1))).toBe(points[1])
    expect(pointAt(points, step(2, 1, 1))).toBe(points[3])
    for (const none of [step(1, 3, null), step(1, 2, 3), step(1, 2, 0), step(3, 1, null)])
      expect(pointAt(points, none)).toBeNull()
    expect(pointAt([], step(1, 1, null))).toBeNull()
  })

  it("R8: the address of a request leads back to it", () => {
    const points = [point(1, 1, 1), point(1, 2, 1), point(1, 2, 2)]
    expect(points.map(addressText)).toEqual(["1.1.1", "1.2.1", "1.2.2"])
    for (const each of points) {
      const address = addressOf(addressText(each))
      expect(address?.is === "step" ? pointAt(points, address) : null).toBe(each)
    }
  })
})
