import type { Shape } from "../../log/shape.ts"
import { leaf } from "../../log/shape.ts"
import { guardOf } from "../../log/shape-guard.ts"

/** A shape, or null in its place. */
export const nullable = (shape: Shape, name: string): Shape => {
  const guard = guardOf(shape)
  return leaf(`${name} or null`, (value) => value === null || guard(value))
}
