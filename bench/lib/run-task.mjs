// Runs one task of the workers in a process of its own: URL of its file, the request as JSON on
// standard input.
import { readFileSync } from "node:fs"

const { default: run } = await import(process.argv[2] ?? "")
process.stdout.write(JSON.stringify(await run(JSON.parse(readFileSync(0, "utf8")))))
