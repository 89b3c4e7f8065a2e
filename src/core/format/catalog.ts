import type { Format, FormatVersion } from "./format.ts"
import { formatOf } from "./format.ts"
import { rulesV0 } from "./v0.ts"
import { rulesV1 } from "./v1.ts"
import { rulesV2 } from "./v2.ts"
import { rulesV3 } from "./v3.ts"
import { rulesV4 } from "./v4.ts"

/** Every format that can be read, by version. */
export const formats: readonly Format[] = [rulesV0, rulesV1, rulesV2, rulesV3, rulesV4].map(
  formatOf,
)

/** The newest version that is read; a higher one belongs to a later release of the agent. */
export const newestVersion: number = formats.length - 1

/** The format of a version that is known to be one of ours. */
export const formatAt = (version: FormatVersion): Format => formats[version] as Format

/** The format of a version number, or null where it is not one of ours. */
export const formatOfVersion = (version: number): Format | null => formats[version] ?? null
