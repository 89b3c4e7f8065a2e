import { isLeft, left, right } from "fp-ts/lib/Either.js"
import type { Either } from "fp-ts/lib/Either.js"
import type { JsonArray, JsonObject, JsonValue } from "../data/json.ts"
import { isJsonArray, isJsonObject } from "../data/json.ts"
import type { ProjectionRefusal } from "../data/refusal.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import { checkOf } from "../log/shape-check.ts"
import { arrayOf, count, exactly } from "../log/shape.ts"
import type { Message } from "../messages/event-message.ts"
import { contentOf } from "../messages/event-message.ts"
import type { MessageProjection, MessageUpdate, ProjectedNode } from "./message-projection.ts"
import { registerProjection, noProjections } from "./message-projection.ts"
import type { MessageProjections } from "./message-projection.ts"

interface Target {
  readonly seq: number
  readonly imageIndexes: readonly number[]
}

const decision = checkOf(
  exactly({ targets: arrayOf(exactly({ seq: count, imageIndexes: arrayOf(count, 1) }), 1) }),
)

interface Marked {
  readonly blocks: JsonArray
  /** Image blocks met so far, depth first, nested and offloaded ones included. */
  readonly images: number
}

const isImage = (block: JsonObject): boolean => block["type"] === "image"

// block lists nest no deeper than a parsed line may
const markImages = (blocks: JsonArray, chosen: ReadonlySet<number>, first: number): Marked => {
  let images = first
  const marked = blocks.map((block): JsonValue => {
    if (!isJsonObject(block)) return block
    if (isImage(block)) return chosen.has(images++) ? { ...block, offloaded: true } : block
    const nested = block["content"]
    if (!isJsonArray(nested)) return block
    const inner = markImages(nested, chosen, images)
    const isTouched = inner.blocks.some((each, i) => each !== nested[i])
    images = inner.images
    return isTouched ? { ...block, content: inner.blocks } : block
  })
  return { blocks: marked, images }
}

const offload = (
  seq: number,
  target: Target,
  message: Message,
): Either<ProjectionRefusal, MessageUpdate> => {
  const chosen = new Set(target.imageIndexes)
  const { blocks, images } = markImages(contentOf(message), chosen, 0)
  const beyond = target.imageIndexes.find((index) => index >= images)
  return beyond === undefined
    ? right({ seq: target.seq, message: { ...message, content: blocks } })
    : left({
        code: "projection-image",
        seq,
        target: target.seq,
        imageIndex: beyond,
        imageCount: images,
      })
}

const growsStrictly = (numbers: readonly number[]): boolean =>
  numbers.every((value, i) => i === 0 || value > (numbers[i - 1] as number))

/**
 * Marks images of earlier messages as offloaded, so that a placeholder can stand for them.
 *
 * errors  projection-shape; projection-target for a seq that is repeated, not on the surface, or
 *         no user message or tool result; projection-image for an index that no image has
 * source  log format, `image/offload` (late version 3 and version 4)
 */
export const imageOffload: MessageProjection = {
  type: "image/offload",
  project: (seq, data, nodeAt) => {
    const fault = decision.fault(data)
    if (fault !== null) return left({ code: "projection-shape", seq, fault })
    const { targets } = data as unknown as { readonly targets: readonly Target[] }
    const seen = new Set<number>()
    const updates: MessageUpdate[] = []
    for (const [i, target] of targets.entries()) {
      if (!growsStrictly(target.imageIndexes))
        return left({
          code: "projection-shape",
          seq,
          fault: {
            path: ["targets", i, "imageIndexes"],
            expected: "strictly growing counts",
          },
        })
      const node: ProjectedNode | null = seen.has(target.seq) ? null : nodeAt(target.seq)
      const isAllowed =
        node !== null && (node.kind === surfaceKind.user || node.kind === surfaceKind.toolResult)
      if (!isAllowed) return left({ code: "projection-target", seq, target: target.seq })
      seen.add(target.seq)
      const update = offload(seq, target, node.message)
      if (isLeft(update)) return update
      updates.push(update.right)
    }
    return right(updates)
  },
}

const builtIn = registerProjection(noProjections, imageOffload)

/** The interpreters that every reader of ours has. */
export const builtInProjections: MessageProjections = isLeft(builtIn)
  ? noProjections
  : builtIn.right
