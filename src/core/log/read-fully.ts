/** Reads up to `length` bytes of a file at `position` into a buffer at `into`; the bytes read. */
export type ReadAt = (into: number, length: number, position: number) => number

/** Reads until `length` bytes are in or the file ends; one read may give less than was asked. */
export const readFully = (read: ReadAt, into: number, length: number, position: number): number => {
  let done = 0
  while (done < length) {
    const more = read(into + done, length - done, position + done)
    if (more === 0) break
    done += more
  }
  return done
}
