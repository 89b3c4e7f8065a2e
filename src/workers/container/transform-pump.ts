import type { Transform } from "node:stream"

/** A decoding stream of Node, fed piece by piece. */
export interface TransformPump {
  /** Feeds a piece and gives out what it decodes to; the piece may be used again afterwards. */
  readonly push: (piece: Uint8Array) => Promise<void>
  /** Says that nothing follows, and waits for the end. */
  readonly finish: () => Promise<void>
  /** How it stands: more is wanted, the end was reached, or the bytes do not decode. */
  readonly state: () => PumpState
  readonly close: () => void
}

type PumpState =
  | { readonly kind: "open" }
  | { readonly kind: "ended" }
  | { readonly kind: "failed"; readonly cause: unknown }

/**
 * Drives a decoding stream by promises.
 *
 * shape   chunks are given out in order and before the promise of their piece resolves, so that
 *         nothing piles up; the last ones may come with `finish`
 */
export const transformPump = (
  stream: Transform,
  onChunk: (chunk: Uint8Array) => void,
): TransformPump => {
  let state: PumpState = { kind: "open" }
  // a stream that ended or failed never calls back for the piece that it was given last
  let settle = (): void => {}
  const drain = (): void => {
    for (;;) {
      const chunk: unknown = stream.read()
      if (chunk === null) return
      onChunk(chunk as Uint8Array)
    }
  }
  stream.on("readable", drain)
  stream.on("end", () => {
    state = { kind: "ended" }
    settle()
  })
  stream.on("error", (cause: unknown) => {
    state = { kind: "failed", cause }
    settle()
  })
  const waitFor = (start: (done: () => void) => void): Promise<void> =>
    new Promise((resolve) => {
      if (state.kind !== "open") return resolve()
      settle = resolve
      start(resolve)
    })
  return {
    push: async (piece) => {
      await waitFor((done) => stream.write(piece, () => done()))
      if (state.kind === "open") drain()
    },
    finish: () => waitFor(() => stream.end()),
    state: () => state,
    close: () => void stream.destroy(),
  }
}
