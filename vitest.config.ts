import { defineConfig } from "vitest/config"
import type { TestProjectConfiguration } from "vitest/config"

const explore = process.env["REFOLD_EXPLORE"] === "1"
// CI adds up the totals of its runs from this file.
const jsonFile = process.env["REFOLD_TEST_JSON"]

const minute = 60_000

if (explore) {
  // Chosen here, once, so that every test process has the same one; REFOLD_SEED repeats a run.
  const seed = (process.env["REFOLD_SEED"] ??= String(Math.floor(Math.random() * 0x7fff_ffff)))
  console.log(`explore: REFOLD_SEED=${seed}`)
}

/** One run of the same files; `conditions` decide whether "#core/…" is a source or a built file. */
const suite = (name: string, conditions: string[]): TestProjectConfiguration => ({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    name,
    include: explore
      ? ["properties/**/*.prop.ts"]
      : ["test/**/*.spec.ts", "properties/**/*.prop.ts"],
    setupFiles: ["properties/setup.ts"],
    pool: "forks",
    // a process for each of some five hundred files took longer than the tests in them
    isolate: false,
    testTimeout: explore ? 0 : minute,
    hookTimeout: explore ? 0 : minute,
  },
})

export default defineConfig({
  test: {
    // all cores: one is kept free unless asked for
    maxWorkers: "100%",
    projects: [suite("source", ["source", "node"]), suite("dist", ["node"])],
    reporters: jsonFile ? ["default", ["json", { outputFile: jsonFile }]] : ["default"],
  },
})
