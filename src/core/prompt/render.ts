import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, right } from "fp-ts/lib/Either.js"
import type { PromptAssembly } from "./assembly.ts"
import { interpolated } from "./interpolate.ts"
import type { RenderRefusal } from "./refusal.ts"

const separator = "\n\n"

// the wording is ours: what counts is that a later block replaces each earlier one
const contextLead =
  "This is the runtime context as it is now. It takes the place of every runtime context before it."

/**
 * The system prompt of an assembly: sections in order, empty ones left out, an empty line between
 * them.
 *
 * errors  the first reference of the first section that has no value
 */
export const renderPrompt = (
  assembly: Pick<PromptAssembly, "sections" | "variables">,
): Either<RenderRefusal, string> => {
  const texts: string[] = []
  for (const { name, text, interpolate } of assembly.sections) {
    const rendered =
      interpolate === false
        ? right(text)
        : interpolated(text, assembly.variables, { is: "section", name })
    if (isLeft(rendered)) return rendered
    if (rendered.right !== "") texts.push(rendered.right)
  }
  return right(texts.join(separator))
}

/** A rendered part of the runtime context. */
export interface ContextSection {
  readonly name: string
  readonly text: string
}

/** The parts of the runtime context, rendered once, empty ones left out. Errors as renderPrompt. */
export const renderContextSections = (
  assembly: Pick<PromptAssembly, "contexts" | "variables">,
): Either<RenderRefusal, readonly ContextSection[]> => {
  const sections: ContextSection[] = []
  for (const { name, text } of assembly.contexts) {
    const rendered = interpolated(text, assembly.variables, { is: "context", name })
    if (isLeft(rendered)) return rendered
    if (rendered.right !== "") sections.push({ name, text: rendered.right })
  }
  return right(sections)
}

/** The runtime context as one text that says that it replaces earlier ones; empty without parts. */
export const joinContextSections = (sections: readonly ContextSection[]): string => {
  const body = sections.map(({ text }) => text).join(separator)
  return body === "" ? "" : contextLead + separator + body
}
