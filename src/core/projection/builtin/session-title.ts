import { objectField, textField } from "../../format/lifecycle/fields.ts"
import { exactly, nonempty } from "../../log/shape.ts"
import { shapeCodec } from "../codec.ts"
import type { ValueCodec } from "../codec.ts"
import type { ProjectionDefinition } from "../definition.ts"
import { nullable } from "./nullable.ts"
import { totalApply } from "./total-apply.ts"

/** The title of a session, and the kind of who gave it; both null before the first. */
export interface SessionTitle {
  readonly title: string | null
  readonly givenBy: string | null
}

const codec: ValueCodec<SessionTitle> = shapeCodec(
  exactly({
    title: nullable(nonempty, "nonempty string"),
    givenBy: nullable(nonempty, "nonempty string"),
  }),
)

/** The latest title: each `session/title` carries it whole. */
export const sessionTitle: ProjectionDefinition<SessionTitle, SessionTitle> = {
  key: "sessionTitle",
  stateVersion: 1,
  codec,
  reads: new Set(["session/title"]),
  init: () => ({ title: null, givenBy: null }),
  apply: totalApply((state, _facts, data) => {
    const title = textField(data, "title")
    const source = objectField(data, "source")
    const givenBy = source === null ? null : textField(source, "kind")
    // a text that is empty is none, and nothing was titled by it
    if (title === null || title === "") return state
    const by = givenBy === "" ? null : givenBy
    return title === state.title && by === state.givenBy ? state : { title, givenBy: by }
  }),
  wire: { codec, view: (state) => state },
}
