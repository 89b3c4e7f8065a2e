/** A name or a path of any length, for a line that people read; the record has it whole. */
export const clipped = (text: string): string =>
  text.length > 120 ? `${text.slice(0, 119)}…` : text
