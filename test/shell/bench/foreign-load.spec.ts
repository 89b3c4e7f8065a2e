import { describe, expect, it } from "vitest"
import type { Load } from "#shell/bench/foreign-load"
import { loadOf, LoadWatch, procLoad } from "#shell/bench/foreign-load"
import { MachineBusyError } from "#shell/border"

/** A machine whose figures are given, one after the other; the last one stays. */
const machineOf = (...loads: readonly (readonly [number, number, number])[]) => {
  let at = 0
  return (): Load => {
    const [atMs, machineMs, ownMs] = loads[Math.min(at++, loads.length - 1)] ?? [0, 0, 0]
    return { atMs, machineMs, ownMs }
  }
}

describe("the load of others", () => {
  it("BE5: is all that the machine does, without this process and its ended children", () => {
    // user nice system idle iowait irq softirq steal guest guest_nice, in hundredths of a second
    const machineStat = "cpu  100 20 30 9999 888 4 5 6 77 7\ncpu0 1 1 1 1 1 1 1 1 1 1\n"
    // utime stime cutime cstime are the 14th to the 17th
    const ownStat = "42 (a (b) c) S 1 1 1 0 -1 0 0 0 0 0 700 800 3 4 20 0 1 0 5 6\n"
    expect(loadOf(machineStat, ownStat, { user: 5000, system: 6000 }, 12)).toStrictEqual({
      machineMs: 1650,
      ownMs: 11 + 70,
      atMs: 12,
    })
  })

  it("BE5: is refused above 0.15 of a core, and not at it", () => {
    const quiet = new LoadWatch(machineOf([0, 0, 0], [1000, 1150, 1000], [2000, 2250, 2000]))
    quiet.check()
    quiet.check()
    expect(quiet.end()).toBe(0.125)
    const busy = new LoadWatch(machineOf([0, 0, 0], [1000, 1000, 1000], [2000, 2160, 2000]))
    busy.check()
    expect(() => busy.check()).toThrow(MachineBusyError)
    expect(() => busy.check()).not.toThrow()
  })

  it("BE5: is refused at the end where only the sum of short looks is above", () => {
    const watch = new LoadWatch(machineOf([0, 0, 0], [400, 100, 0]))
    watch.check()
    expect(() => watch.end()).toThrow("0.25 of a core, more than 0.15")
  })

  it("BE5: leaves out what was skipped", () => {
    const watch = new LoadWatch(machineOf([0, 0, 0], [9000, 9000, 0], [10_000, 9100, 0]))
    watch.skip()
    watch.check()
    expect(watch.end()).toBe(0.1)
  })

  it("BE5: is unknown where the system does not tell, and then nothing is refused", () => {
    const watch = new LoadWatch(() => null)
    watch.check()
    watch.skip()
    expect(watch.end()).toBeNull()
  })

  it.runIf(process.platform === "linux")("BE5: is read from the system", () => {
    const before = procLoad()
    const after = procLoad()
    expect(before?.ownMs).toBeGreaterThan(0)
    expect(before?.machineMs).toBeGreaterThan(before?.ownMs ?? 0)
    expect(after?.atMs).toBeGreaterThan(before?.atMs ?? Infinity)
  })
})
