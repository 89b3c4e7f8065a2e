/** What the user asked for cannot be done as asked: exit status 3, and the message as it stands. */
export class UsageError extends Error {
  override readonly name = "UsageError"
}

/** The system's name of an error, such as ENOENT, or null. */
export const errnoOf = (cause: unknown): string | null =>
  cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : null
