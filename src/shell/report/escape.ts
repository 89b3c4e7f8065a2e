// C0 but for tab and newline, DEL and C1; and the marks that reorder text on a screen
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const unsafeInLine = /[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

// JSON escapes C0 itself
const unsafeInJson = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g

const escapeOf = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`

/** Text from a log, safe to print: control characters become `\uXXXX`; lines stay lines. */
export const printable = (text: string): string => text.replaceAll(unsafe, escapeOf)

/** As `printable`, for one line: a newline or a tab is escaped too. */
export const printableLine = (text: string): string => text.replaceAll(unsafeInLine, escapeOf)

/** JSON text, safe to print: the same value, with what is unsafe escaped inside its strings. */
export const printableJson = (json: string): string => json.replaceAll(unsafeInJson, escapeOf)
