import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { filesIn } from "./files.ts"
import type { Measured } from "./measure.ts"

/**
 * Speed and peak memory of decoding, each file in a process of its own: the built files, see `npm run
 * build`. With a folder as argument the files stay there, and another Node can read them.
 */

const kept = process.argv[2]
const folder = kept ?? mkdtempSync(join(tmpdir(), "refold-bench-"))
mkdirSync(folder, { recursive: true })
const measure = fileURLToPath(new URL("measure.ts", import.meta.url))

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0)

try {
  for (const path of filesIn(folder)) {
    const container = path.endsWith(".gz") ? "gzip" : "zstd"
    const output = execFileSync(process.execPath, ["--import", "tsx", measure, path, container])
    const { decodedBytes, frames, fault, ms, rssBefore, rssAfter } = JSON.parse(
      output.toString(),
    ) as Measured
    console.log(
      `${basename(path).padEnd(22)} ${megabytes(decodedBytes).padStart(5)} MB ` +
        `${String(frames).padStart(6)} frames ${megabytes((decodedBytes / ms) * 1000).padStart(5)} MB/s ` +
        `peak ${megabytes(rssAfter).padStart(4)} MB, ${megabytes(rssBefore)} before` +
        (fault === null ? "" : ` ${fault}`),
    )
  }
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true })
}
