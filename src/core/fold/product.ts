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
type DraftOf<F> = F extends { readonly begin: (header: LogHeader) => infer Draft } ? Draft : never

export type ProductState<F extends Folds> = { readonly [Name in keyof F]: StateOf<F[Name]> }

/** The draft of each fold of a product, by its name. */
export type ProductDraft<F extends Folds> = { readonly [Name in keyof F]: DraftOf<F[Name]> }

/** Several folds as one: one pass over a log, each with its own draft. */
export const product = <F extends Folds>(folds: F): Fold<ProductDraft<F>, ProductState<F>> => {
  const entries = Object.entries(folds) as unknown as readonly (readonly [
    keyof F,
    Fold<unknown, unknown>,
  ])[]
  const each = (of: (fold: Fold<unknown, unknown>, name: keyof F) => unknown): unknown =>
    Object.fromEntries(entries.map(([name, fold]) => [name, of(fold, name)]))
  return {
    reads: new Set(entries.flatMap(([, fold]) => [...fold.reads])),
    begin: (header) => each((fold) => fold.begin(header)) as ProductDraft<F>,
    step: (draft, facts, data) => {
      for (const [name, fold] of entries) {
        if (data === undefined) fold.step(draft[name], facts, undefined)
        else stepFold(fold, draft[name], facts, data)
      }
    },
    seal: (draft) => each((fold, name) => fold.seal(draft[name])) as ProductState<F>,
    resume: (state) => each((fold, name) => fold.resume(state[name])) as ProductDraft<F>,
  }
}
