/** A reference to a stored picture, as image blocks carry it. */
export type ImageRef = {
  readonly attachmentId: string
  readonly mediaType: string
  readonly bytes: number
  readonly width: number
  readonly height: number
  readonly name?: string
}

/** A content block that needs no wrapper of its own in any format. */
export type Block =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  | { readonly type: "image"; readonly attachment: ImageRef }
  | {
      readonly type: "tool-call"
      readonly id: string
      readonly name: string
      readonly arguments: string
    }
  | { readonly type: "tool-addition" | "tool-removal"; readonly toolName: string }

export type ToolCallBlock = Extract<Block, { type: "tool-call" }>

export const textBlock = (text: string): Block => ({ type: "text", text })

export const reasoningBlock = (text: string): Block => ({ type: "reasoning", text })

/** How many image blocks a message holds. */
export const countImages = (content: readonly Block[]): number => {
  let count = 0
  for (const block of content) if (block.type === "image") count++
  return count
}
