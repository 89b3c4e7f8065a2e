import { isCount } from "../../data/count.ts"
import type { JsonObject, JsonValue } from "../../data/json.ts"
import { isJsonObject, ownValue } from "../../data/json.ts"
import { newestVersion } from "../catalog.ts"
import { endSeedType, isInheritedMarker } from "../../log/inherited-marker.ts"

/** What the log of a child session says of it, for the catalog of its parent. */
export interface ChildEvidence {
  readonly childId: string
  readonly childCreatedAt: number
  /** Descriptors of its own: those behind what it inherited. 0 where its log cannot be read. */
  readonly descriptorCount: number
  /** The payload of the only one, otherwise null. */
  readonly descriptor: JsonObject | null
  readonly sourcePath?: string
}

/**
 * Gathers the evidence of one child, header first, then its rows of any format, in order.
 *
 * shape   `seal` is null where the header is not that of a direct child of `parentId`, or of a later
 *         release, whose children are left out
 */
export class ChildEvidenceDraft {
  private readonly header: JsonObject
  private readonly parentId: string
  private readonly cut: number
  private count = 0
  private only: JsonObject | null = null

  constructor(parentId: string, header: JsonObject) {
    this.parentId = parentId
    this.header = header
    const seedLength = ownValue(header, "seedLength")
    this.cut = isCount(seedLength) ? seedLength : 0
  }

  step(row: JsonValue): void {
    if (!isJsonObject(row)) return
    const type = ownValue(row, "type")
    const seq = ownValue(row, "seq")
    const data = ownValue(row, "data")
    if (type === endSeedType && isInheritedMarker(data)) this.count = 0
    if (type !== "subagent/descriptor" || !isCount(seq) || seq < this.cut) return
    this.count++
    this.only = data !== undefined && isJsonObject(data) ? data : null
  }

  seal(): ChildEvidence | null {
    const { header } = this
    const id = ownValue(header, "id")
    const createdAt = ownValue(header, "createdAt")
    const version = ownValue(header, "version")
    const isChild =
      isCount(version) &&
      version <= newestVersion &&
      ownValue(header, "origin") === "subagent" &&
      ownValue(header, "parentSession") === this.parentId
    if (!isChild || typeof id !== "string" || !isCount(createdAt)) return null
    return {
      childId: id,
      childCreatedAt: createdAt,
      descriptorCount: this.count,
      descriptor: this.count === 1 ? this.only : null,
    }
  }
}
