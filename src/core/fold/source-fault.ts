/** Why a source could not be read at all. `errno` is the system's name of the cause, or null. */
export interface SourceFault {
  readonly code:
    | "not-found"
    | "not-permitted"
    | "not-a-file"
    | "no-logs"
    | "container-unsupported"
    | "changed-while-reading"
    | "read-failed"
    | "internal-failure"
  readonly errno: string | null
}

/** The system's name of an error, such as ENOENT, or null. */
export const errnoOf = (cause: unknown): string | null =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : null

/** The fault that a file system names so; `read-failed` for what has no name of its own here. */
export const faultOfErrno = (errno: string): SourceFault => {
  switch (errno) {
    case "ENOENT":
    case "ENOTDIR":
      return { code: "not-found", errno }
    case "EACCES":
    case "EPERM":
      return { code: "not-permitted", errno }
    case "EISDIR":
    case "ENXIO":
      return { code: "not-a-file", errno }
    default:
      return { code: "read-failed", errno }
  }
}
