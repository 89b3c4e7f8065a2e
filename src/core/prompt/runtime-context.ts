import type { JsonValue } from "../data/json.ts"
import { isJsonObject, ownValue } from "../data/json.ts"
import type { SessionEvent } from "../log/envelope.ts"
import { runsHold, sortedRuns, sourceRunsOf } from "../log/source-runs.ts"
import type { Message } from "../messages/event-message.ts"
import type { SurfaceState } from "../surface/state.ts"
import { nodesOf } from "../surface/state.ts"
import type { ContextSection } from "./render.ts"
import { soleText } from "./system-prompt.ts"

/** What the model was last told of the runtime context. */
export type RuntimeContextState =
  | { readonly is: "never" }
  /** It was told, and the message is no longer on the surface. */
  | { readonly is: "shadowed" }
  | {
      readonly is: "retained"
      readonly seq: number
      /** Null where the message is not one text, which equals no other. */
      readonly text: string | null
    }

export const neverTold: RuntimeContextState = { is: "never" }

const ownKind = "runtime-context"

// the wording is ours: what counts is that it ends each earlier block
const clearedText =
  "There is no runtime context now. Every runtime context before this one has ended."

const ownMessage = (event: SessionEvent): Message | null => {
  if (event.type !== "user/message" || !isJsonObject(event.data)) return null
  const source = ownValue(event.data, "source")
  return isJsonObject(source) && source["kind"] === ownKind ? event.data : null
}

/**
 * What a log says, read from its newest event backwards: the newest message of the runtime context
 * that is still on the surface.
 *
 * cost    the events behind that message; all of them where there is none
 */
export const restoreRuntimeContext = (
  surface: SurfaceState,
  eventAt: (seq: number) => SessionEvent,
): RuntimeContextState => {
  const live = new Set(nodesOf(surface))
  let isTold = false
  for (let seq = surface.nextSeq - 1; seq >= surface.baseSeq; seq--) {
    const message = ownMessage(eventAt(seq))
    if (message === null) continue
    if (live.has(seq)) return { is: "retained", seq, text: soleText(message) }
    isTold = true
  }
  return isTold ? { is: "shadowed" } : neverTold
}

const cites = (value: JsonValue | undefined, seq: number): boolean => {
  const sources = value === undefined ? null : sourceRunsOf(value)
  return sources !== null && runsHold(sortedRuns(sources), seq)
}

/**
 * The state after one further event of a live log.
 *
 * shape   the same state where the event does not matter; a message that is shadowed is gone, also
 *         where an older one is still on the surface
 */
export const stepRuntimeContext = (
  state: RuntimeContextState,
  event: SessionEvent,
): RuntimeContextState => {
  const message = ownMessage(event)
  if (message !== null) return { is: "retained", seq: event.seq, text: soleText(message) }
  const isShadowed =
    state.is === "retained" &&
    isJsonObject(event["surfaceOp"] ?? null) &&
    cites(event["sourceEventSeqs"], state.seq)
  return isShadowed ? { is: "shadowed" } : state
}

/** A message to offer to the step that is about to begin. It is not logged before that is accepted. */
export interface RuntimeContextCandidate {
  readonly text: string
  readonly sections: readonly ContextSection[]
}

/**
 * What to tell the model now, or null: the whole runtime context where it is not the one that the
 * model was told last, and once that there is none any more.
 *
 * shape   `current` is what `joinContextSections` makes of the sections
 * law     PM75 in properties/prompt.prop.ts
 */
export const runtimeContextCandidate = (
  state: RuntimeContextState,
  current: string,
  sections: readonly ContextSection[],
): RuntimeContextCandidate | null => {
  if (current === "" && state.is === "never") return null
  const text = current === "" ? clearedText : current
  if (state.is === "retained" && state.text === text) return null
  return { text, sections: current === "" ? [] : sections }
}

/** The message of a candidate; its source names the parts, where there are any. */
export const runtimeContextMessage = (
  id: string,
  { text, sections }: RuntimeContextCandidate,
): Message => ({
  id,
  role: "user",
  source:
    sections.length === 0
      ? { kind: ownKind }
      : {
          kind: ownKind,
          form: "snapshot",
          sections: sections.map(({ name, text: part }) => ({ name, text: part })),
        },
  content: [{ type: "text", text }],
})
