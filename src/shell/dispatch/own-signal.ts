import { setMaxListeners } from "node:events"

/** A signal that follows another: each task under way listens to it, which would be a leak there. */
export const ownSignal = (signal: AbortSignal): AbortSignal => {
  const own = AbortSignal.any([signal])
  setMaxListeners(0, own)
  return own
}
