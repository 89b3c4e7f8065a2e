/**
 * A text as the name of one file or directory, as the agent makes it of session ids.
 *
 * shape   letters, digits, `.`, `_` and `-` stay; every other UTF-16 code unit becomes `~XXXX`, and so
 *         do the dots of `.` and `..`. No two texts have one name
 * source  facts of the log format 1.1
 */
export const pathSegment = (text: string): string => {
  const escaped = (unit: string): string =>
    `~${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`
  if (text === "." || text === "..") return text.replaceAll(".", escaped("."))
  // by code unit, not by character: a lone surrogate is a text like any other
  return text.replace(/[^A-Za-z0-9._-]/g, escaped)
}
