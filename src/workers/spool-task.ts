import { fstatSync } from "node:fs"
import { plainSource, Collections } from "./plain-source.ts"
import type { SpoolReply, SpoolRequest } from "./task-protocol.ts"

/**
 * Decodes a log into a file without a name, for who reads its lines more than once.
 *
 * shape   the descriptor is one of the process and stays open: who asked closes it
 */
export default async ({ source }: SpoolRequest): Promise<SpoolReply> => {
  const collections = new Collections()
  try {
    const plain = await plainSource(source, collections)
    if ("code" in plain) return { is: "fault", fault: plain }
    const { descriptor } = plain.source
    if (plain.end === null || descriptor === null) return { is: "plain" }
    const { container, end } = plain
    return { is: "spooled", descriptor, byteCount: fstatSync(descriptor).size, container, end }
  } finally {
    collections.close()
  }
}
