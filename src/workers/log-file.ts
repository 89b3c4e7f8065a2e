import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs"
import type { FileIdentity } from "../core/log/file-identity.ts"
import { isSameFile } from "../core/log/file-identity.ts"
import type { ContainerFault } from "../core/fold/container-fault.ts"
import type { SourceFault } from "../core/fold/source-fault.ts"
import { errnoOf, faultOfErrno } from "../core/fold/source-fault.ts"
import type { Container } from "./container/container.ts"
import { containerOf } from "./container/container.ts"
import type { LogSource } from "./task-protocol.ts"

/** A log that is open for reading, and what it was when it was opened. */
export interface OpenLog {
  readonly source: LogSource
  readonly descriptor: number
  readonly byteCount: number
  readonly identity: FileIdentity
}

/** The fault behind an exception of the file system; anything else is thrown on. */
export const faultOf = (cause: unknown): SourceFault => {
  const errno = errnoOf(cause)
  if (errno === null) throw cause
  return faultOfErrno(errno)
}

/** A log that could not be opened, or not be trusted. */
export interface OpenFault {
  readonly is: "fault"
  readonly fault: ContainerFault
}

/** Whether something is a fault, and not what was asked for. */
export const isFault = <A>(read: A | OpenFault): read is OpenFault =>
  typeof read === "object" &&
  read !== null &&
  "fault" in read &&
  "is" in read &&
  read.is === "fault"

const changed: SourceFault = { code: "changed-while-reading", errno: null }
const notAFile: SourceFault = { code: "not-a-file", errno: null }
const unsupported: SourceFault = { code: "container-unsupported", errno: null }

const headBytes = 16

/** What container the bytes of a file are in. */
export const containerIn = ({ descriptor, source }: OpenLog): Container => {
  const head = Buffer.alloc(headBytes)
  const read = readSync(descriptor, head, 0, headBytes, 0)
  return containerOf(head.subarray(0, read), source.path)
}

/** Opens a file, whatever is in it. Its size and identity are fixed here, for `changeFault`. */
export const openFile = (source: LogSource): OpenLog | SourceFault => {
  if (source.descriptor !== null) return identify(source, source.descriptor)
  let descriptor: number
  try {
    // without NONBLOCK, opening a FIFO would wait for somebody to write to it
    descriptor = openSync(source.path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (cause) {
    return faultOf(cause)
  }
  const log = identify(source, descriptor)
  if ("code" in log) closeSync(descriptor)
  return log
}

const identify = (source: LogSource, descriptor: number): OpenLog | SourceFault => {
  const identity = fstatSync(descriptor)
  return identity.isFile() ? { source, descriptor, byteCount: identity.size, identity } : notAFile
}

/** Opens a log that is plain text; one in a container is `container-unsupported` here. */
export const openLog = (source: LogSource): OpenLog | SourceFault => {
  const log = openFile(source)
  if ("code" in log) return log
  try {
    const isOne = source.entry === undefined || source.entry === null
    if (source.isDecoded === true || (isOne && containerIn(log) === "plain")) return log
    closeLog(log)
    return unsupported
  } catch (cause) {
    closeLog(log)
    return faultOf(cause)
  }
}

/** Closes what openLog opened; a descriptor that was handed in stays open. */
export const closeLog = (log: OpenLog): void => {
  if (log.source.descriptor === null) closeSync(log.descriptor)
}

/** The fault of a file that grew, shrank, was written to, renamed or replaced since, or null. */
export const changeFault = (log: OpenLog): SourceFault | null => {
  if (!isSameFile(log.identity, fstatSync(log.descriptor))) return changed
  if (log.source.descriptor !== null) return null
  try {
    return isSameFile(log.identity, statSync(log.source.path)) ? null : changed
  } catch {
    return changed
  }
}

/**
 * Opens a log and hands it to `use` while it is open.
 *
 * @param identity  what the file must be still, or null where it is opened for the first time
 * errors  a SourceFault instead, also when the file was changed before `use` was done
 */
export const withOpenLog = <A>(
  source: LogSource,
  identity: FileIdentity | null,
  use: (log: OpenLog) => A,
): A | OpenFault => {
  const log = openLog(source)
  if ("code" in log) return { is: "fault", fault: log }
  try {
    if (identity !== null && !isSameFile(identity, log.identity))
      return { is: "fault", fault: changed }
    const result = use(log)
    const fault = changeFault(log)
    return fault === null ? result : { is: "fault", fault }
  } catch (cause) {
    // what cannot be parsed a second time was changed in between
    return { is: "fault", fault: changeFault(log) ?? faultOf(cause) }
  } finally {
    closeLog(log)
  }
}
