import type { JsonValue } from "../data/json.ts"
import type { EventFacts } from "../log/event-facts.ts"
import type { LogHeader } from "../log/header.ts"
import type { Fold } from "./fold.ts"
import { stepFold } from "./fold.ts"

/** A fold whose draft and state nobody here knows: it may be stepped with its own draft alone. */
interface AnyFold {
  readonly reads: ReadonlySet<string>
  readonly begin: (header: LogHeader) => unknown
  readonly step: (draft: never, facts: EventFacts, data: JsonValue | undefined) => void
  readonly seal: (draft: never) => unknown
  readonly resume: (state: never) => unknown
}

export type Folds = Readonly<Record<string, AnyFold>>

type StateOf<F> = F extends { readonly seal: (draft: never) => infer State } ? State : never

export type ProductState<F extends Folds> = { readonly [Name in keyof F]: StateOf<F[Name]> }

/** The drafts of a product; what each one is, only its own fold knows. */
export type ProductDraft = readonly unknown[]

/** Several folds as one: one pass over a log, each with its own draft. */
export const product = <F extends Folds>(folds: F): Fold<ProductDraft, ProductState<F>> => {
  const entries = Object.entries(folds) as unknown as readonly (readonly [
    string,
    Fold<unknown, unknown>,
  ])[]
  const each = entries.map(([, fold]) => fold)
  const drafts = (make: (fold: Fold<unknown, unknown>, name: string) => unknown): ProductDraft =>
    entries.map(([name, fold]) => make(fold, name))
  return {
    reads: new Set(each.flatMap((fold) => [...fold.reads])),
    begin: (header) => drafts((fold) => fold.begin(header)),
    step: (draft, facts, data) => {
      for (const [i, fold] of each.entries()) {
        if (data === undefined) fold.step(draft[i], facts, undefined)
        else stepFold(fold, draft[i], facts, data)
      }
    },
    seal: (draft) =>
      Object.fromEntries(
        entries.map(([name, fold], i) => [name, fold.seal(draft[i])]),
      ) as ProductState<F>,
    resume: (state) => drafts((fold, name) => fold.resume(state[name])),
  }
}
