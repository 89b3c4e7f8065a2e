import type { DatabaseFault } from "../store/database.ts"

/** What is said of a cache that cannot be used as it is. */
export const cacheFaultText = (fault: DatabaseFault): string =>
  fault.code === "database-damaged"
    ? `the cache was damaged, and was set aside as ${fault.aside}`
    : `the cache cannot be used, and is left alone: ${fault.cause}`
