import { formatOfVersion, newestVersion } from "../../core/format/catalog.ts"
import type { FormatVersion } from "../../core/format/format.ts"
import { UsageError } from "../border.ts"

/** A format version that somebody asked for. */
export const versionFlag = (version: number | undefined): FormatVersion | undefined => {
  if (version === undefined) return undefined
  const format = formatOfVersion(version)
  if (format === null)
    throw new UsageError(`there is no format ${version}; the newest is ${newestVersion}`)
  return format.version
}
