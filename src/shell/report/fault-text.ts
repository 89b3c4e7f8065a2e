import type { ContainerDamage, ContainerFault } from "../../core/fold/container-fault.ts"
import type { SchemaDifference } from "../../core/fold/container-fault.ts"
import { clipped } from "./clipped.ts"

const damages: Readonly<Record<ContainerDamage, string>> = {
  magic: "no frame or member begins here",
  "plain-text": "text that is not compressed follows here",
  "reserved-bits": "a frame uses reserved bits",
  dictionary: "a frame needs a dictionary",
  "block-type": "a block has no known type",
  "block-size": "a block is larger than a block may be",
  "declared-size": "a frame declares more than its blocks can hold",
  content: "the content does not decode, or not to what its checksum says",
  "header-frame": "the first frame is not exactly one line",
  "record-boundary": "a frame ends inside a row",
  "no-whole-frame": "the file ends inside its first frame",
  "member-header": "the header of a member is damaged",
  "central-directory": "the directory of the archive is damaged",
  database: "the database is damaged",
}

const differences: Readonly<Record<SchemaDifference, string>> = {
  "application-id": "the database belongs to another application",
  "user-version": "the store has another version than the one that is read",
  objects: "the store holds other tables and indexes",
  columns: "a table of the store has other columns",
}

/** Why a source could not be read, in a sentence. */
export const faultText = (fault: ContainerFault): string => {
  switch (fault.code) {
    case "not-found":
      return `no such file or directory${causeText(fault.errno)}`
    case "not-permitted":
      return `permission denied${causeText(fault.errno)}`
    case "not-a-file":
      return "not a regular file; a folder goes to replay, check or migrate, a stream in as -"
    case "no-logs":
      return "no session logs in this folder"
    case "container-unsupported":
      return "a compressed or packed log of a kind that is not read"
    case "changed-while-reading":
      return "the file was changed while it was read"
    case "read-failed":
      return `reading failed${causeText(fault.errno)}`
    case "internal-failure":
      return "refold failed on this log; please report it"
    case "container-corrupt":
      return `byte ${fault.byteOffset} of the file: ${damages[fault.what]}`
    case "container-window":
      return `byte ${fault.byteOffset} of the file: a frame needs a window of ${fault.windowBytes} bytes, more than ${fault.limitBytes}`
    case "container-schema":
      return `${differences[fault.what]} (${clipped(fault.name)})`
    case "container-support-missing":
      return `the package ${fault.packageName} is needed for this and is not installed: npm install ${fault.packageName}`
    case "entry-not-found":
      return fault.entry === null
        ? `the file holds ${fault.entryCount} logs; name one behind a slash`
        : `the file holds no log named ${clipped(fault.entry)}`
  }
}

const causeText = (errno: string | null): string => (errno === null ? "" : ` (${errno})`)
