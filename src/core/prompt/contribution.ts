import type { ScopeKey } from "./scope.ts"

/**
 * What providers are asked with: the very object that was handed to the assembly. Other fields are
 * those of plugins.
 */
export interface AssembleContext {
  readonly scope?: ScopeKey
  readonly [field: string]: unknown
}

/** A text, or what makes it anew for every assembly. */
export type PromptText = string | ((context: AssembleContext) => string)

/** A part of the system prompt. */
export interface SectionDefinition {
  readonly name: string
  /** Any finite number; see `sectionOrders`. */
  readonly order: number
  readonly text: PromptText
  /** False for text whose braces are no references. */
  readonly interpolate?: boolean
  /** Whether it is to be the only section of the prompt. */
  readonly complete?: boolean
}

/** A part of the runtime context, which goes to the model as a message of the user's role. */
export interface ContextDefinition {
  readonly name: string
  /** Any finite number; see `contextOrders`. */
  readonly order: number
  readonly text: PromptText
}

/** The value of a variable; undefined where it has none now. */
export type VariableProvider = (context: AssembleContext) => string | undefined

/** A tool as its owner defines it; what is not named here never reaches a model. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  readonly parameters: unknown
  readonly deferLoading?: unknown
}

export interface OfferedTools {
  readonly schemas: readonly ToolDefinition[]
  /** Names that a tool order may use though they are hidden now; without it, those of the schemas. */
  readonly knownNames?: Iterable<string>
}

export type ToolsProvider = (context: AssembleContext) => OfferedTools

/** Anything that can be registered in a layer. */
export type Contribution =
  | { readonly is: "section"; readonly definition: SectionDefinition }
  | { readonly is: "context"; readonly definition: ContextDefinition }
  | { readonly is: "variable"; readonly name: string; readonly provider: VariableProvider }
  | { readonly is: "tools"; readonly provider: ToolsProvider }
  /** Leaves the runtime context empty; what enforces the policies in it goes on. */
  | { readonly is: "suppressor" }
