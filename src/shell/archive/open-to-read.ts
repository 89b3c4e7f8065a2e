import { constants, openSync } from "node:fs"

/**
 * Opens a file to read it, whatever it is, and never waits.
 *
 * errors  throws what the system says
 */
export const openToRead = (file: string): number =>
  // without NONBLOCK, opening a FIFO would wait for somebody to write to it, and hear no signal
  openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
