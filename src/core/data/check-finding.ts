/** What a provider would refuse in the messages that a log comes to. */
export type AcceptanceFinding = {
  /** Event of the message that is at fault. */
  readonly seq: number
  /** The replacement after which it stood so; null for the end of the log. */
  readonly afterSeq: number | null
} & (
  | { readonly code: "message-empty" }
  | {
      readonly code: "call-without-result" | "result-without-call" | "result-not-adjacent"
      readonly callId: string
    }
)

/** A log that two writers went on with: from some seq on every event is there twice. */
export interface ForkFinding {
  readonly code: "sequence-fork"
  /** The first seq that is there twice. */
  readonly seq: number
  /** The seq that was due, one past the end of the first branch. */
  readonly expected: number
  readonly firstEvents: number
  readonly firstBytes: number
  readonly secondEvents: number
  readonly secondBytes: number
}
