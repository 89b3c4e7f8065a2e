import type { ToolSchema } from "./tool-schema.ts"

/** A section with its text, before interpolation. */
export interface AssembledSection {
  name: string
  text: string
  interpolate?: boolean
}

/** A runtime context with its text, before interpolation. */
export interface AssembledContext {
  name: string
  text: string
}

/**
 * What one step is to tell its model. Listeners may write to it, and plugins may add fields; none
 * of its objects belongs to a contribution or to another assembly.
 */
export interface PromptAssembly {
  sections: AssembledSection[]
  contexts: AssembledContext[]
  tools: ToolSchema[]
  /** An own key with the value undefined is a variable that has no value now. */
  variables: Record<string, string | undefined>
}
