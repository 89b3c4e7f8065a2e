import { readFileSync, readdirSync, rmSync, mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it } from "vitest"
import { makeDigests } from "../../bench/generate/digests.ts"
import { jsonText } from "../../bench/generate/json-text.ts"
import { makeSamples, sampleExpectations, writeSamples } from "../../bench/generate/samples.ts"

const committed = (name: string): string =>
  fileURLToPath(new URL(`../../bench/generate/${name}`, import.meta.url))
const samplesFolder = fileURLToPath(new URL("../../samples", import.meta.url))

const filesBelow = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .toSorted()

describe("committed samples", () => {
  const folder = mkdtempSync(join(tmpdir(), "refold-samples-"))
  const samples = makeSamples()

  afterAll(() => rmSync(folder, { recursive: true }))

  it("are what the generator writes, byte for byte", () => {
    const root = join(folder, "samples")
    writeSamples(root, samples)
    const files = filesBelow(root)
    expect(filesBelow(samplesFolder)).toEqual(files)
    for (const file of files) {
      const made = readFileSync(join(root, file))
      expect(made.equals(readFileSync(join(samplesFolder, file))), file).toBe(true)
    }
  })

  it("have the committed expectations", () => {
    const text = readFileSync(committed("samples-expected.json"), "utf8")
    expect(jsonText(sampleExpectations(samples))).toBe(text)
  })

  it("stay small", () => {
    const bytes = samples.reduce((sum, sample) => sum + sample.bytes.length, 0)
    expect(bytes).toBeLessThan(400_000)
  })

  it("hold what the README promises", () => {
    const summaries = samples.map((sample) => sample.summary)
    const isDescending = ({ start, end }: { start: number; end: number }): boolean => start > end
    expect(summaries.filter(({ torn }) => torn)).toHaveLength(2)
    expect(summaries.filter(({ refusalSeq }) => refusalSeq !== null)).toHaveLength(1)
    expect(summaries.filter(({ inheritedEvents }) => inheritedEvents > 0)).toHaveLength(2)
    expect(summaries.filter((s) => s.replacements.some(isDescending)).length).toBeGreaterThan(2)
  })
})

describe("digests", () => {
  it("of samples and shapes are the committed ones on every platform", () => {
    const text = readFileSync(committed("digests.json"), "utf8")
    expect(jsonText(makeDigests(makeSamples()))).toBe(text)
  })
})
