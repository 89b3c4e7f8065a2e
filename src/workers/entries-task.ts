import { containerIn, closeLog, openFile } from "./log-file.ts"
import { Collections } from "./plain-source.ts"
import type { EntriesReply, EntriesRequest } from "./task-protocol.ts"

/** The names of the logs in a file: of an archive or a store several, of any other file one. */
export default async ({ source, folder }: EntriesRequest): Promise<EntriesReply> => {
  const collections = new Collections(folder)
  const log = openFile(source)
  if ("code" in log) return { is: "fault", fault: log }
  try {
    const container = containerIn(log)
    if (container !== "zip" && container !== "sqlite") return { is: "one" }
    const entries = await collections.entries(log, container)
    return "code" in entries
      ? { is: "fault", fault: entries }
      : { is: "entries", names: entries.entries.map(({ name }) => name) }
  } finally {
    collections.close()
    closeLog(log)
  }
}
