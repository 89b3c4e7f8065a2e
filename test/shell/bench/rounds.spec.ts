import { describe, expect, it } from "vitest"
import { interleaved, timed, timingOf } from "#shell/bench/rounds"

describe("rounds of cases", () => {
  const caseIn = (order: string[]) => (name: string) => ({
    name,
    run: () => order.push(name),
  })

  it("BE1: go through all cases once, then in turns, each round from another one on", async () => {
    const order: string[] = []
    const rounds: number[] = []
    const timings = await interleaved(["a", "b", "c"].map(caseIn(order)), {
      rounds: 4,
      sampleMs: 0,
      onRound: () => rounds.push(order.length),
    })
    expect(order.join("")).toBe("abc" + "abc" + "bca" + "cab" + "abc")
    expect(rounds).toStrictEqual([3, 6, 9, 12, 15])
    expect(timings.map(({ name }) => name)).toStrictEqual(["a", "b", "c"])
  })

  it("BE1: wait for each case before they go on, and hand on every result", async () => {
    const order: string[] = []
    const slow = {
      name: "slow",
      run: async () => {
        order.push("begin")
        await new Promise((resolve) => setImmediate(resolve))
        return order.push("end")
      },
    }
    const results: (readonly [string, number])[] = []
    const onResult = (name: string, result: number): void => void results.push([name, result])
    await interleaved([slow, caseIn(order)("quick")], { rounds: 1, sampleMs: 0, onResult })
    expect(order.join(" ")).toBe("begin end quick begin end quick")
    expect(results).toStrictEqual([
      ["slow", 2],
      ["quick", 3],
      ["slow", 5],
      ["quick", 6],
    ])
  })

  it("BE1: end with what a case or the end of a round throws", async () => {
    const options = { rounds: 1, sampleMs: 0 }
    const run = (): never => {
      throw new Error("case")
    }
    await expect(interleaved([{ name: "a", run }], options)).rejects.toThrow("case")
    const onRound = (): never => {
      throw new Error("round")
    }
    const cases = [{ name: "a", run: () => 1 }]
    await expect(interleaved(cases, { ...options, onRound })).rejects.toThrow("round")
  })

  it("BE1: say the least, the median and the most of their samples", () => {
    expect(timingOf("a", [5, 1, 9, 3, 4])).toStrictEqual({
      name: "a",
      minMs: 1,
      medianMs: 4,
      maxMs: 9,
    })
  })

  it("BE1: run a case as often as a sample needs", async () => {
    const order: string[] = []
    await timed(caseIn(order)("a"), 3)
    expect(order).toStrictEqual(["a", "a", "a"])
  })
})
