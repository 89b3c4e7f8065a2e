import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const exitInterrupted = 130

/** A directory of this process, gone with it; `onExit` is called once it is. */
export const temporaryDirectory = (onExit: () => void = () => {}): string => {
  const directory = mkdtempSync(join(tmpdir(), "refold-bench-"))
  process.on("exit", () => {
    rmSync(directory, { recursive: true, force: true })
    onExit()
  })
  for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const)
    process.once(signal, () => process.exit(exitInterrupted))
  return directory
}
