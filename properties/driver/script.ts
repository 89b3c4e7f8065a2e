import fc from "fast-check"
import { unlistedTools } from "#core/prompt/tool-order"
import { drawFrom } from "../scale.ts"
import { models } from "./models.ts"

type Draw = (below: number) => number

/** Something about an agent that is other from now on. */
export type Change =
  /** Null takes the part away. */
  | { readonly is: "section" | "context"; readonly name: string; readonly text: string | null }
  /** A tool with its description; null takes it away. */
  | { readonly is: "tool"; readonly name: string; readonly text: string | null }
  | { readonly is: "model"; readonly model: number }
  /** A configured order of tools, by their names; null for that of the names. */
  | { readonly is: "order"; readonly names: readonly string[] | null }

/** Where the owner of an agent cancels its turn. */
export type CancelPoint =
  | "assembling"
  | "preparing"
  /** By an observer of the events of the admission, before the request goes out. */
  | "admitted"
  /** The adapter has the request, and has not begun. */
  | "unstarted"
  /** The model has said something. */
  | "speaking"
  /** The model has begun, and said nothing that could be seen. */
  | "silent"
  /** While it is decided whether a failed attempt is repeated. */
  | "recovering"
  | "calling"

/** What comes of an attempt that failed. */
export type Recovery =
  /** Again, by a policy that logs its retries. */
  | "policy"
  /** Again, and nothing else is logged. */
  | "plain"
  /** Again, after a compaction. */
  | "compaction"

export interface StepScript {
  /** What happens before it, as by the tools of the step before. */
  readonly changes: readonly Change[]
  /** A compaction before the step is decided: tokens that it keeps; null without one. */
  readonly compacts: number | null
  /** Whether long results of tools are shortened before the step is decided. */
  readonly prunes: boolean
  readonly decision: "enter" | "series" | "reject" | "empty"
  /** Input that comes while the request is prepared; it is for the next step. */
  readonly injects: boolean
  readonly cancels: CancelPoint | null
  /** Attempts that fail before one that does not; with a change that is made before the next one. */
  readonly failures: readonly { readonly recovery: Recovery; readonly change: Change | null }[]
  /** Whether the attempt after them fails too, for good. */
  readonly isLost: boolean
  readonly calls: number
}

/** Something that happens to an agent or its log. */
export type Command =
  | { readonly is: "turn"; readonly steps: readonly StepScript[] }
  | { readonly is: "change"; readonly change: Change }
  | { readonly is: "compact"; readonly retainTokens: number }
  | { readonly is: "offload" }
  /** The process ends, and the newest events with it; another one goes on with the log. */
  | { readonly is: "restart"; readonly lostEvents: number }
  /** `at` of 100 parts of the log; either the child or the parent goes on. */
  | { readonly is: "fork"; readonly at: number; readonly goesOn: "child" | "parent" }

const oneOf = <A>(draw: Draw, first: A, ...rest: readonly A[]): A =>
  [first, ...rest][draw(rest.length + 1)] ?? first

const chance = (draw: Draw, oneIn: number): boolean => draw(oneIn) === 0

const some = <A>(draw: Draw, below: number, make: (draw: Draw) => A): readonly A[] =>
  Array.from({ length: draw(below) }, () => make(draw))

const sectionTexts = ["", "Be brief.", "You are {{model}}.", "Work.\n\nAnd rest."] as const

const changeOf = (draw: Draw): Change => {
  switch (draw(9)) {
    case 0:
    case 1:
      return {
        is: "section",
        name: oneOf(draw, "rules", "style", "place"),
        // a reference without a value ends the turn
        text: chance(draw, 25) ? "{{nobody}}" : oneOf(draw, null, ...sectionTexts),
      }
    case 2:
    case 3:
      return {
        is: "context",
        name: oneOf(draw, "sandbox", "approval"),
        text: chance(draw, 25) ? "{{nobody}}" : oneOf(draw, null, "", "read-only", "in {{model}}"),
      }
    case 4:
    case 5:
    case 7:
      return {
        is: "tool",
        name: oneOf(draw, "ls", "grep", "edit"),
        text: oneOf(draw, null, "does it", "does it", "does it better"),
      }
    case 6:
      return chance(draw, 3)
        ? { is: "order", names: oneOf(draw, null, null, [unlistedTools], ["ls", unlistedTools]) }
        : { is: "model", model: draw(models.length) }
    default:
      return { is: "model", model: draw(models.length) }
  }
}

const cancelOf = (draw: Draw): CancelPoint =>
  oneOf(
    draw,
    "assembling",
    "preparing",
    "admitted",
    "unstarted",
    "speaking",
    "silent",
    "recovering",
    "calling",
  )

const stepOf = (draw: Draw): StepScript => ({
  changes: chance(draw, 3) ? [changeOf(draw)] : [],
  compacts: chance(draw, 8) ? draw(60) : null,
  prunes: chance(draw, 8),
  decision: chance(draw, 8) ? oneOf(draw, "series", "series", "reject", "empty") : "enter",
  injects: chance(draw, 6),
  cancels: chance(draw, 8) ? cancelOf(draw) : null,
  failures: chance(draw, 4)
    ? some(draw, 3, (each) => ({
        recovery: oneOf(each, "policy", "plain", "compaction"),
        change: chance(each, 3) ? changeOf(each) : null,
      }))
    : [],
  isLost: chance(draw, 20),
  calls: chance(draw, 2) ? draw(3) : 0,
})

const commandOf = (draw: Draw): Command => {
  const n = draw(22)
  if (n < 11) return { is: "turn", steps: [stepOf(draw), ...some(draw, 4, stepOf)] }
  if (n < 15) return { is: "change", change: changeOf(draw) }
  if (n < 17) return { is: "compact", retainTokens: draw(60) }
  if (n < 19) return { is: "offload" }
  if (n < 21) return { is: "restart", lostEvents: chance(draw, 2) ? 0 : draw(12) }
  return { is: "fork", at: draw(101), goesOn: oneOf(draw, "child", "parent") }
}

/** What happens to an agent, from numbers: the model that it begins with, then one command each. */
const scriptOf = (seeds: readonly number[]): readonly Command[] => [
  { is: "change", change: { is: "model", model: (seeds[0] ?? 0) % models.length } },
  ...seeds.map((seed) => commandOf(drawFrom(seed))),
]

/** Whole conversations; a failing one shrinks to the commands that it needs. */
export const scripts = (maxLength = 14): fc.Arbitrary<readonly Command[]> =>
  fc.array(fc.nat(), { minLength: 1, maxLength, size: "max" }).map(scriptOf)
