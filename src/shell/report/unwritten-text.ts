import type { JsonObject } from "../../core/data/json.ts"

/** Which file could not be made, and why, from the detail of a record. */
export const unwrittenText = (detail: JsonObject | null): string => {
  const [file = "", errno = ""] = [detail?.["file"], detail?.["errno"]].map((value) =>
    typeof value === "string" ? value : "",
  )
  return `cannot write ${file}: ${errno}`
}
