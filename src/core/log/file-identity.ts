/** What tells one state of a file from another. */
export interface FileIdentity {
  readonly size: number
  readonly mtimeMs: number
  /** Of the last change to the file or to what is said of it: nobody can set it back. */
  readonly ctimeMs: number
  readonly ino: number
  readonly dev: number
}

/**
 * Whether a file is the same and was not written to since: size, time of change, and place. A link
 * to it, or another owner, makes it no other.
 */
export const isSameFile = (a: FileIdentity, b: FileIdentity): boolean =>
  a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino && a.dev === b.dev

/** The part of a file's figures that tells its states apart, as plain data. */
export const identityOf = ({ size, mtimeMs, ctimeMs, ino, dev }: FileIdentity): FileIdentity => ({
  size,
  mtimeMs,
  ctimeMs,
  ino,
  dev,
})
