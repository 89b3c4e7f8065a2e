import { describe, expect, it } from "vitest"
import { faultsOf } from "./schemas.ts"
import { refold } from "./run.ts"

describe("refold bench", () => {
  it("BE5 BE6: prints a record, or says that others use the machine and prints nothing", async () => {
    const { status, stdout, stderr } = await refold(["bench", "--size", "2e6", "--json"])
    if (status === 2) {
      expect(stdout).toBe("")
      expect(stderr).toMatch(
        /^refold: other processes take [0-9.]+ of a core, more than 0\.15: .*\n$/,
      )
      return
    }
    expect({ status, stderr }).toStrictEqual({ status: 0, stderr: "" })
    const record = JSON.parse(stdout) as { readonly log: { readonly byteCount: number } }
    expect(faultsOf("bench", record)).toStrictEqual([])
    expect(record.log.byteCount).toBeGreaterThanOrEqual(2e6)
  })

  it.each(["0", "-1", "1.5", "2e-3", "x", "1e30"])(
    "BE9: --size %s is wrong usage",
    async (size) => {
      const { status, stdout, stderr } = await refold(["bench", `--size=${size}`])
      expect({ status, stdout }).toStrictEqual({ status: 3, stdout: "" })
      expect(stderr).toContain(`"${size}" is no number of bytes`)
    },
  )
})
