import { execFileSync } from "node:child_process"
import { readFileSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { BenchUsageError } from "../flags.ts"

const root = fileURLToPath(new URL("../../", import.meta.url))

/** A commit, built in a tree of its own. */
export interface BuiltCommit {
  /** As it was named on the command line. */
  readonly name: string
  /** The file that runs the command line. */
  readonly main: string
}

const git = (...args: readonly string[]): string =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })

/** errors  a BenchUsageError for a name that is no commit */
export const commitOf = (name: string): string => {
  try {
    return git("rev-parse", "--verify", `${name}^{commit}`).trim()
  } catch {
    throw new BenchUsageError(`"${name}" is no commit`)
  }
}

/** Forgets the trees whose directories are gone. */
export const pruneWorktrees = (): void => void git("worktree", "prune")

const lockIn = (tree: string): string => readFileSync(join(tree, "package-lock.json"), "utf8")

/** Checks a commit out below a directory and builds it, with its own packages where they differ. */
export const buildCommit = (directory: string, name: string, place: string): BuiltCommit => {
  const tree = join(directory, place)
  git("worktree", "add", "--detach", tree, commitOf(name))
  const run = (program: string, ...args: readonly string[]): void =>
    void execFileSync(program, args, { cwd: tree, stdio: ["ignore", "ignore", "inherit"] })
  if (lockIn(tree) === lockIn(root))
    symlinkSync(join(root, "node_modules"), join(tree, "node_modules"))
  else run("npm", "ci", "--ignore-scripts")
  run(process.execPath, "node_modules/typescript/bin/tsc", "-b", "src")
  return { name, main: join(tree, "dist/shell/main.js") }
}
