import type { JsonObject, JsonValue } from "../data/json.ts"
import { ownValue } from "../data/json.ts"
import type { Fold } from "../fold/fold.ts"
import { headerSystemTokens, toolsTokens } from "../tokens/estimate.ts"
import { loggedHeader } from "./header.ts"

/** The latest request header of a log and its price; header null before the first one. */
export interface RequestHeaderState {
  readonly header: JsonObject | null
  /** Tokens of its tool schemas. */
  readonly toolsTokens: number
  /** Tokens of the system text that headers hold up to format 2. */
  readonly systemTokens: number
}

interface HeaderDraft {
  state: RequestHeaderState
}

/** Takes the payload of a request header. */
export const takeHeader = (draft: HeaderDraft, data: JsonValue): void => {
  const header = loggedHeader(data)
  if (header === null) return
  draft.state = {
    header,
    toolsTokens: toolsTokens(ownValue(header, "tools")),
    systemTokens: headerSystemTokens(ownValue(header, "system")),
  }
}

/** Keeps the request header in effect. */
export const requestHeaderFold: Fold<HeaderDraft, RequestHeaderState> = {
  reads: new Set(["request/header"]),
  begin: () => ({ state: { header: null, toolsTokens: 0, systemTokens: 0 } }),
  step: (draft, _facts, data) => {
    if (data !== undefined) takeHeader(draft, data)
  },
  seal: (draft) => draft.state,
  resume: (state) => ({ state }),
}
