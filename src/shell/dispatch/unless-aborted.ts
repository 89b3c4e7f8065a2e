/**
 * What work comes to, or the reason of a signal that is aborted before.
 *
 * shape   the work is not stopped by that: its owner does so
 */
export const unlessAborted = async <A>(work: Promise<A>, signal: AbortSignal): Promise<A> => {
  let leave = (): void => {}
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason as Error)
    signal.addEventListener("abort", leave, { once: true })
    if (signal.aborted) leave()
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener("abort", leave)
  }
}
