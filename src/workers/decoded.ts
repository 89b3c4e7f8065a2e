import type { AnyReport } from "../core/fold/container-report.ts"
import { reportOfContainer } from "../core/fold/container-report.ts"
import type { OpenFault } from "./log-file.ts"
import { isFault } from "./log-file.ts"
import { Collections, plainSource } from "./plain-source.ts"
import type { LogSource, Scratch } from "./task-protocol.ts"

/** The logs of one task, decoded where they are in a container. */
export class DecodedLogs {
  private readonly collections: Collections
  private readonly scratch: Scratch | null

  /** Without room for their text logs in containers are `container-unsupported`. */
  constructor(scratch: Scratch | null) {
    this.scratch = scratch
    this.collections = new Collections(scratch?.folder ?? "")
  }

  /**
   * Runs work on the plain text of a log.
   *
   * @param patch  puts what is said of the container into the result
   * errors  what the work answers for a fault of the file, for one of the container as well
   */
  async read<A>(
    source: LogSource,
    work: (source: LogSource) => A | OpenFault,
    patch: (read: A, fix: <R extends AnyReport>(report: R) => R) => A,
  ): Promise<A | OpenFault> {
    const read = work(source)
    const isPacked = isFault(read) && read.fault.code === "container-unsupported"
    if (!isPacked || source.isDecoded === true || this.scratch === null) return read
    const plain = await plainSource(source, this.collections, this.scratch.descriptor)
    if ("code" in plain) return { is: "fault", fault: plain }
    const decoded = work(plain.source)
    if (isFault(decoded)) return decoded
    return patch(decoded, (report) => reportOfContainer(report, plain.container, plain.end))
  }

  close(): void {
    this.collections.close()
  }
}
