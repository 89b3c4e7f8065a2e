import { surfaceFold } from "./surface-fold.ts"

await surfaceFold()
