import type { Shape } from "./shape.ts"
import {
  arrayOf,
  exactly,
  lazy,
  leaf,
  never,
  nonempty,
  object,
  oneOf,
  positive,
  count,
  string,
  tagged,
} from "./shape.ts"

/** A string whose length is part of a message's price. */
export const pricedText: Shape = leaf("string", (value) => typeof value === "string")

/** The call that a tool result answers, which is named twice: here, and in its source. */
export const calledId: Shape = leaf("string", (value) => typeof value === "string")
export const answeredId: Shape = leaf(
  "nonempty string",
  (value) => typeof value === "string" && value !== "",
)

const text: Shape = object({ type: string, text: pricedText })
const toolCall: Shape = object({
  type: string,
  id: string,
  name: pricedText,
  arguments: pricedText,
})

/**
 * Content blocks of formats 0 to 3. A tool result is a block here, and holds blocks itself; other
 * tags are opaque.
 */
export const nestedBlocks: Shape = arrayOf(
  tagged("type", {
    text,
    reasoning: text,
    "tool-call": toolCall,
    "tool-result": lazy(() => toolResultBlock),
  }),
)

/** The one block of a tool result's message in formats 0 to 3. */
const toolResultBlock: Shape = object(
  { type: oneOf("tool-result"), toolCallId: calledId, content: nestedBlocks },
  { isError: oneOf(true, false) },
)

/** The content of a tool result's message in formats 0 to 3: that one block. */
export const oneToolResult: Shape = arrayOf(
  lazy(() => toolResultBlock),
  1,
  1,
)

const flat: Readonly<Record<string, Shape>> = {
  text,
  reasoning: text,
  "tool-call": toolCall,
  // retired: since format 4 a tool result is a message
  "tool-result": never,
}

/** Content blocks of format 4, but for those of developer messages. */
export const flatBlocks: Shape = arrayOf(
  tagged("type", { ...flat, "tool-addition": never, "tool-removal": never }),
)

/** Content blocks of a developer message: tool changes besides the others. */
export const developerBlocks: Shape = arrayOf(
  tagged("type", {
    ...flat,
    "tool-addition": object({ type: string, toolName: nonempty }, { tool: never }),
    "tool-removal": object({ type: string, toolName: nonempty }),
  }),
)

const imageReference: Shape = object(
  {
    attachmentId: nonempty,
    mediaType: oneOf("image/png", "image/jpeg", "image/webp", "image/gif"),
    bytes: count,
    width: positive,
    height: positive,
  },
  { name: string, originalDimensions: exactly({ width: positive, height: positive }) },
)

// the fields of a system message are checked to the last one
const checked: Readonly<Record<string, Shape>> = {
  text,
  reasoning: text,
  "tool-call": object({ type: string, id: nonempty, name: nonempty, arguments: string }),
  "tool-result": never,
  image: object({ type: string, attachment: imageReference }),
}

/** Content blocks of a system message of format 3. */
export const systemBlocks: Shape = arrayOf(tagged("type", checked))

/** Content blocks of a system message of format 4: tool changes belong to developer messages. */
export const flatSystemBlocks: Shape = arrayOf(
  tagged("type", { ...checked, "tool-addition": never, "tool-removal": never }),
)
