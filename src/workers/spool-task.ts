import { fstatSync } from "node:fs"
import { Collections, plainSource } from "./plain-source.ts"
import type { SpoolReply, SpoolRequest } from "./task-protocol.ts"

/** Decodes a log into the room that was lent, for who reads its lines more than once. */
export default async ({ source, scratch }: SpoolRequest): Promise<SpoolReply> => {
  const collections = new Collections(scratch.folder)
  try {
    const plain = await plainSource(source, collections, scratch.descriptor)
    if ("code" in plain) return { is: "fault", fault: plain }
    const { container, end } = plain
    if (end === null) return { is: "plain" }
    return { is: "spooled", byteCount: fstatSync(scratch.descriptor).size, container, end }
  } finally {
    collections.close()
  }
}
