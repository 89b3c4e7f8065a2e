import type { SourceFault } from "./source-fault.ts"

/** What is wrong with a container where its fault says. */
export type ContainerDamage =
  /** neither a frame, a member nor an archive begins here */
  | "magic"
  /** text begins where a frame should: something appended to a compressed log as to a plain one */
  | "plain-text"
  | "reserved-bits"
  | "dictionary"
  | "block-type"
  | "block-size"
  /** more content is declared than the blocks can hold */
  | "declared-size"
  /** does not decode, or not to what its checksum or its size says */
  | "content"
  /** the first frame is not exactly one line */
  | "header-frame"
  /** a frame ends inside a record */
  | "record-boundary"
  /** the file ends inside the first frame */
  | "no-whole-frame"
  | "member-header"
  | "central-directory"
  | "database"

/** What of a database is not as the store makes it. */
export type SchemaDifference = "application-id" | "user-version" | "objects" | "columns"

/**
 * Why a container could not be decoded to its end.
 *
 * units   byte offsets in the container's file, of the frame, member or entry that is at fault, or of
 *         the very byte where only its structure was read; 0 in a database
 */
export type ContainerFault =
  | {
      readonly code: "container-corrupt"
      readonly what: ContainerDamage
      readonly byteOffset: number
    }
  | {
      readonly code: "container-window"
      readonly byteOffset: number
      readonly windowBytes: number
      readonly limitBytes: number
    }
  | {
      readonly code: "container-schema"
      readonly what: SchemaDifference
      readonly name: string
      readonly found: number | null
    }
  | { readonly code: "container-support-missing"; readonly packageName: string }
  | {
      readonly code: "entry-not-found"
      /** Null where none was named and the container holds another number of logs than one. */
      readonly entry: string | null
      readonly entryCount: number
    }
  | SourceFault
