import type { LosslessFault } from "../data/lossless-json.ts"

/** Why a scope cannot have a parent. Scopes are identities and have no names. */
export interface ScopeRefusal {
  readonly code: "scope-bound" | "scope-unbound" | "scope-cycle"
}

/** Why a contribution was not registered. */
export type ContributionRefusal =
  | {
      readonly code: "section-order" | "context-order"
      readonly name: string
      readonly order: number
    }
  | { readonly code: "variable-name"; readonly name: string }
  | {
      readonly code: "section-registered" | "context-registered" | "variable-registered"
      readonly name: string
      /** Whether it is there in the scope at hand, not in the global layer. */
      readonly isScoped: boolean
    }

/** Why a tool order cannot be configured. */
export type ToolOrderRefusal =
  | { readonly code: "tool-order-repeated"; readonly name: string }
  | { readonly code: "tool-order-rest-missing" }

/** Why nothing could be assembled. */
export type AssemblyRefusal =
  | { readonly code: "complete-sections"; readonly names: readonly string[] }
  | { readonly code: "tool-parameters"; readonly name: string; readonly fault: LosslessFault }
  | { readonly code: "tool-name-reserved"; readonly name: string }
  | {
      readonly code: "tool-order-unknown"
      /** Configured names that no provider knows, as configured. */
      readonly unknown: readonly string[]
      /** All known names, in order of their code units. */
      readonly known: readonly string[]
    }

/** What is wrong with an assembly that listeners answered with. */
export type AssemblyFault =
  | {
      readonly code: "assembly-name-empty"
      readonly of: "section" | "context" | "tool"
      readonly index: number
    }
  | {
      readonly code: "assembly-name-repeated" | "assembly-text"
      readonly of: "section" | "context"
      readonly name: string
    }
  | {
      readonly code: "assembly-variable-name" | "assembly-variable-value"
      readonly name: string
    }

/** The text that a reference stands in. */
export interface TextOwner {
  readonly is: "section" | "context"
  readonly name: string
}

/** Why a text could not be rendered: the first reference in it that has no value. */
export type RenderRefusal =
  | {
      readonly code: "reference-malformed"
      readonly owner: TextOwner
      /** The whole group, or where there is none 16 code units from its opening. */
      readonly excerpt: string
    }
  | {
      readonly code: "reference-unknown"
      readonly owner: TextOwner
      readonly name: string
      readonly known: readonly string[]
    }
  | { readonly code: "reference-without-value"; readonly owner: TextOwner; readonly name: string }
