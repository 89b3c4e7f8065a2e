import type { ImageRef } from "./content.ts"
import type { LengthLaw } from "./log-normal.ts"
import type { Prng } from "./prng.ts"
import type { SessionLog } from "./session-log.ts"
import { standardTools } from "./tool-kit.ts"

/** How the sessions of one kind look: lengths, and how often things happen. */
export type Profile = {
  readonly prompt: LengthLaw
  readonly answer: LengthLaw
  readonly toolResult: LengthLaw
  /** Stream deltas of one answer; 0 for logs whose writer kept no stream. */
  readonly deltasPerStep: number
  /** Share of texts in other scripts. */
  readonly unicodeShare: number
  /** Share of answers that reason before they call a tool. */
  readonly reasoningShare: number
  /** Share of steps with two or three calls at once. */
  readonly parallelShare: number
  /** Pairs of hook events around each tool call. */
  readonly hookPairs: number
  /** Share of steps that carry something unusual: retry, approval, dispatch, image, header change. */
  readonly incidentShare: number
}

/** A tool call that was advertised and has no result yet. */
export type PendingCall = {
  readonly callId: string
  readonly name: string
  readonly arguments: string
  /** Seq of its `tool/call`, or null while it waits. */
  readonly callSeq: number | null
}

/** What the coding agent behind a log knows; the actions in this folder read and change it. */
export class Agent {
  log: SessionLog
  prng: Prng
  profile: Profile
  turn = 0
  step = 0
  isTurnOpen = false
  isStepOpen = false
  /** Advertised and unanswered calls of the open step, in order. */
  pending: PendingCall[] = []
  /** Tools of the latest request header. */
  tools: readonly string[] = standardTools
  headerSeq: number | null = null
  /** Why the next step would send a header if there were none. */
  headerReason: "initial" | "resume" = "initial"
  systemText = ""
  provider = "harbor"
  model = "harbor-coder-2"
  titled = false
  /** Surface appends since the last compaction. */
  appendsSinceCompaction = 0
  toolResultCount = 0
  appendCount = 0
  rewriteCount = 0

  constructor(log: SessionLog, prng: Prng, profile: Profile) {
    this.log = log
    this.prng = prng
    this.profile = profile
  }

  /** The same agent at the same point, going on in another log. */
  branch(log: SessionLog, label: string): Agent {
    const prng = this.prng.split(label)
    return Object.assign(new Agent(log, prng, this.profile), this, { log, prng })
  }

  /** Coordinates of the open step. */
  get at(): { turn: number; step: number } {
    return { turn: this.turn, step: this.step }
  }

  countAppend(): void {
    this.appendCount++
    this.appendsSinceCompaction++
  }
}

/** A stored picture that exists nowhere. */
export const imageRef = (prng: Prng, name: string): ImageRef => ({
  attachmentId: `sha256:${prng.hex(8)}`,
  mediaType: prng.pick(["image/png", "image/jpeg", "image/webp"]),
  bytes: prng.integer(900, 400_000),
  width: prng.integer(16, 2048),
  height: prng.integer(16, 2048),
  name,
})
