/**
 * Freezes a value and all that its enumerable own keys lead to, in place.
 *
 * shape   the same value; cycles are gone through once, and depth does not use the call stack.
 *         What a getter throws comes through
 * cost    everything that can be reached, also where it is frozen already
 */
export const deepFreeze = <A>(value: A): A => {
  const open: unknown[] = [value]
  const seen = new Set<object>()
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next !== "object" || next === null || seen.has(next)) continue
    seen.add(next)
    Object.freeze(next)
    for (const inner of Object.values(next)) if (typeof inner === "object") open.push(inner)
  }
  return value
}
