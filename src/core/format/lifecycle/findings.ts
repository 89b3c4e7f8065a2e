import type { RelationRefusal } from "../../data/relation-refusal.ts"

/** Where a row stands in its log. Row 0 is the header; offsets are of decompressed bytes. */
export interface RowPlace {
  readonly row: number
  readonly byteOffset: number
}

/** A finding with its place. */
export interface LocatedRelation extends RowPlace {
  readonly refusal: RelationRefusal
}

/**
 * What one rule has to say. What only a later event decides is held: it counts unless it is
 * dropped before the log ends.
 */
export class Findings {
  private readonly out: LocatedRelation[]
  private place: RowPlace = { row: 0, byteOffset: 0 }
  private held: LocatedRelation[] = []

  constructor(out: LocatedRelation[]) {
    this.out = out
  }

  /** Sets the place of what is found from here on. */
  moveTo(place: RowPlace): void {
    this.place = place
  }

  report(refusal: RelationRefusal): void {
    this.out.push({ refusal, row: this.place.row, byteOffset: this.place.byteOffset })
  }

  hold(refusal: RelationRefusal): void {
    this.held.push({ refusal, row: this.place.row, byteOffset: this.place.byteOffset })
  }

  /** What is held was right after all. */
  drop(): void {
    if (this.held.length > 0) this.held = []
  }

  /** What is held was wrong indeed. */
  release(): void {
    for (const finding of this.held) this.out.push(finding)
    this.drop()
  }
}
