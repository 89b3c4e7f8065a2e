/** What a surface node is. Numbers, since a fold keeps one for each live node. */
export const surfaceKind = {
  none: 0,
  system: 1,
  developer: 2,
  user: 3,
  assistant: 4,
  toolResult: 5,
} as const

export type SurfaceKind = (typeof surfaceKind)[keyof typeof surfaceKind]
