import { describe, expect, it } from "vitest"
import { measuredProcess } from "../../bench/lib/measured-process.ts"

const megabyte = 2 ** 20

describe("a program in a process of its own", () => {
  it("BE11: is measured by its own peak of memory, whatever its parent holds", async () => {
    const held = Buffer.alloc(400 * megabyte, 1)
    const usage = await measuredProcess(["-e", "process.stdout.write('x'.repeat(200_000))"])
    expect(held.length).toBeGreaterThan(0)
    expect(usage.stdout).toHaveLength(200_000)
    expect(usage.peakBytes).toBeGreaterThan(20 * megabyte)
    expect(usage.peakBytes).toBeLessThan(300 * megabyte)
    expect(usage.processorMs).toBeGreaterThan(0)
    const more = await measuredProcess(["-e", `Buffer.alloc(${500 * megabyte}, 1)`])
    expect(more.peakBytes).toBeGreaterThan(500 * megabyte)
  })

  it("BE11: is given its input", async () => {
    const echo = "process.stdin.pipe(process.stdout)"
    expect((await measuredProcess(["-e", echo], "ab")).stdout).toBe("ab")
  })

  it("BE11: is no measurement where it fails", async () => {
    await expect(measuredProcess(["-e", "console.error('no'); process.exit(4)"])).rejects.toThrow(
      /status 4: no/,
    )
  })
})
