/** Why a log is not opened, made or written to. */
export type StoreRefusal =
  | { readonly code: "log-exists"; readonly path: string }
  | { readonly code: "log-unreadable"; readonly path: string; readonly errno: string }
  | {
      /** Another writer has it, or may have it: of a process of another machine nobody knows. */
      readonly code: "log-locked"
      readonly path: string
      /** What it holds the log with; it may be removed where that process is known to be gone. */
      readonly lock: string
      readonly pid: number
      readonly isHere: boolean
    }
  /** The system refused a write; what was not written before is not in the log. */
  | { readonly code: "log-unwritten"; readonly path: string; readonly errno: string }
  | {
      /** Somebody else wrote to it. */
      readonly code: "log-changed"
      readonly path: string
      readonly expectedBytes: number
      readonly foundBytes: number
    }
  | { readonly code: "log-closed"; readonly path: string }
