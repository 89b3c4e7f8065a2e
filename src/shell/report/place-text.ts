import type { RefusalFields } from "./session-record.ts"

type Place = Pick<RefusalFields, "refusalDetail"> & Partial<Pick<RefusalFields, "refusalSeq">>

/** Where in a log it was refused, as words behind a code; empty for what has no place inside. */
export const placeText = ({ refusalSeq = null, refusalDetail }: Place): string => {
  if (refusalSeq !== null) return ` at seq ${refusalSeq}`
  const row = refusalDetail?.["row"]
  const byteOffset = refusalDetail?.["byteOffset"]
  return typeof row === "number" && typeof byteOffset === "number"
    ? ` at row ${row} (byte ${byteOffset})`
    : ""
}
