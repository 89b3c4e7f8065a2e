import type { FormatVersion } from "./dialect.ts"

const keptAsIs = /[A-Za-z0-9._-]/
const slugLimit = 251

const escapeUnit = (unit: string): string =>
  `~${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`

// By UTF-16 code unit, as the layout asks: an astral character becomes two escapes.
const escapeUnits = (text: string): string => {
  let escaped = ""
  for (let i = 0; i < text.length; i++) {
    const unit = text.charAt(i)
    escaped += keptAsIs.test(unit) ? unit : escapeUnit(unit)
  }
  return escaped
}

/** The directory of a project under the sessions root, made from the working directory. */
export const projectDirectory = (cwd: string | undefined): string => {
  if (cwd === undefined) return "_no-cwd"
  const slug = cwd
    .split(/[/\\:]+/)
    .map(escapeUnits)
    .join("-")
    .replace(/^-+/, "")
  return `--${(slug === "" ? "root" : slug).slice(0, slugLimit)}--`
}

/** The directory of a session under its project, made from the session id. */
export const sessionDirectory = (id: string): string =>
  id === "." || id === ".." ? id.replaceAll(".", "~002E") : escapeUnits(id)

/** The canonical name of the uncompressed log of a format version. */
const logFileName = (format: FormatVersion): string =>
  format === 0 ? "session.jsonl" : `session.v${format}.jsonl`

/** The path of a log under the sessions root, with `/` between its parts. */
export const logPath = (format: FormatVersion, id: string, cwd: string | undefined): string =>
  `${projectDirectory(cwd)}/${sessionDirectory(id)}/${logFileName(format)}`
