/** The order of UTF-16 code units: that of Array.prototype.sort, the same in every locale. */
export const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
