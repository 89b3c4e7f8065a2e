import { createHash } from "node:crypto"
import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"

/** A process, told apart from all others that were or will be. */
export interface ProcessName {
  /** The machine since its start, and the part of it in which the number counts. */
  readonly machine: string
  readonly pid: number
  /** When it began, in the units of the system; empty where that is not known. */
  readonly startedAt: string
}

const orEmpty = (read: () => string): string => {
  try {
    return read()
  } catch {
    // a system that does not tell
    return ""
  }
}

/** State and start of a process that the system knows; null where there is none, or nobody tells. */
const statOf = (pid: number): { readonly state: string; readonly startedAt: string } | null => {
  const text = orEmpty(() => readFileSync(`/proc/${pid}/stat`, "latin1"))
  // the name before it is in brackets, and may hold anything
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
  const [state = "", startedAt = ""] = [fields[0], fields[19]]
  return text === "" ? null : { state, startedAt }
}

let known: ProcessName | null = null

/** The name of this process. */
export const ownProcess = (): ProcessName => {
  if (known !== null) return known
  const boot = orEmpty(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1"))
  const numbering = orEmpty(() => readlinkSync("/proc/self/ns/pid"))
  const machine = createHash("sha256")
    .update([hostname(), boot, numbering].join("\n"))
    .digest("hex")
    .slice(0, 16)
  const { pid } = process
  known = { machine, pid, startedAt: statOf(pid)?.startedAt ?? "" }
  return known
}

const isKnownToSystem = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    // it is there, and somebody else's
    return cause instanceof Error && "code" in cause && cause.code === "EPERM"
  }
}

/**
 * Whether a process is gone for sure. One of another machine, or from before this one was started,
 * never is: its number says nothing here.
 */
export const isGone = ({ machine, pid, startedAt }: ProcessName): boolean => {
  if (machine !== ownProcess().machine) return false
  if (!isKnownToSystem(pid)) return true
  const stat = statOf(pid)
  if (stat === null || startedAt === "") return false
  // a dead one whose parent did not ask for it yet; another one of the same number
  return stat.state === "Z" || stat.state === "X" || stat.startedAt !== startedAt
}
