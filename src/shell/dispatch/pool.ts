import { closeSync, ftruncateSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { fileURLToPath } from "node:url"
import { Piscina } from "piscina"
import type {
  BlameReply,
  BlameRequest,
  CheckReply,
  CheckRequest,
  ComposeReply,
  ComposeRequest,
  DecodeReply,
  DecodeRequest,
  DigestReply,
  DigestRequest,
  EntriesReply,
  EntriesRequest,
  EvidenceReply,
  EvidenceRequest,
  FloorRequest,
  FoldReply,
  FoldRequest,
  MigrateReply,
  MigrateRequest,
  RequestsReply,
  RequestsRequest,
  PassFigures,
  PublicRequest,
  RangeReply,
  RangeRequest,
  ReplayReply,
  ReplayRequest,
  Scratch,
  SpoolReply,
  SpoolRequest,
  SurveyReply,
  SurveyRequest,
  TokensReply,
  TokensRequest,
  UpgradeReply,
  UpgradeRequest,
} from "../../workers/task-protocol.ts"
import { errnoOf } from "../../core/fold/source-fault.ts"
import { UsageError } from "../border.ts"
import { openSpool } from "../archive/spool.ts"
import { unlessAborted } from "./unless-aborted.ts"

/** The tasks that workers know, by the name of their file. */
interface Tasks {
  readonly "replay-task": { readonly request: ReplayRequest; readonly reply: ReplayReply }
  readonly "fold-task": { readonly request: FoldRequest; readonly reply: FoldReply }
  readonly "requests-task": { readonly request: RequestsRequest; readonly reply: RequestsReply }
  readonly "blame-task": { readonly request: BlameRequest; readonly reply: BlameReply }
  readonly "range-task": { readonly request: RangeRequest; readonly reply: RangeReply }
  readonly "check-task": { readonly request: CheckRequest; readonly reply: CheckReply }
  readonly "entries-task": { readonly request: EntriesRequest; readonly reply: EntriesReply }
  readonly "migrate-task": { readonly request: MigrateRequest; readonly reply: MigrateReply }
  readonly "evidence-task": { readonly request: EvidenceRequest; readonly reply: EvidenceReply }
  readonly "upgrade-task": { readonly request: UpgradeRequest; readonly reply: UpgradeReply }
  readonly "survey-task": { readonly request: SurveyRequest; readonly reply: SurveyReply }
  readonly "compose-task": { readonly request: ComposeRequest; readonly reply: ComposeReply }
  readonly "spool-task": { readonly request: SpoolRequest; readonly reply: SpoolReply }
  readonly "digest-task": { readonly request: DigestRequest; readonly reply: DigestReply }
  readonly "tokens-task": { readonly request: TokensRequest; readonly reply: TokensReply }
  readonly "decode-task": { readonly request: DecodeRequest; readonly reply: DecodeReply }
  readonly "floor-task": { readonly request: FloorRequest; readonly reply: PassFigures }
  readonly "public-task": { readonly request: PublicRequest; readonly reply: PassFigures }
}

// the same code runs from sources (tests, tsx) and from the built package
const isSource: boolean = import.meta.url.endsWith(".ts")

const taskFile = (name: string): string =>
  fileURLToPath(new URL(`../../workers/${name}${isSource ? ".ts" : ".js"}`, import.meta.url))

const stripsTypes: boolean =
  "typescript" in process.features && Boolean(process.features["typescript"])

// A worker that is ended while `require` loads a module takes the process with it (seen in Node
// 20.20 and 24.22): tasks are imported. Without the flag there is nothing to turn off.
const importsOnly: readonly string[] = process.allowedNodeEnvironmentFlags.has(
  "--experimental-require-module",
)
  ? ["--no-experimental-require-module"]
  : []

/** How many workers a number of tasks can keep busy: all cores unless fewer or more are asked for. */
export const workersFor = (tasks: number, wanted: number = availableParallelism()): number =>
  Math.max(1, Math.min(tasks, wanted))

/** A file without a name; a UsageError where the system has no place for one. */
const newScratch = (): number => {
  try {
    return openSpool()
  } catch (cause) {
    const errno = errnoOf(cause)
    if (errno === null) throw cause
    throw new UsageError(
      `no temporary file can be made in ${tmpdir()} (${errno}); TMPDIR names another folder`,
    )
  }
}

/** Worker threads, made once and closed by their owner. */
export class Pool {
  private readonly piscina: Piscina
  readonly workers: number
  // files that tasks may write to, and those of them that none does now
  private readonly owned: Set<number> = new Set()
  private readonly spare: number[] = []
  /** Whether its workers were stopped: what failed since did so for that. */
  isClosed = false

  constructor(workers: number) {
    this.workers = workers
    this.piscina = new Piscina({
      minThreads: workers,
      maxThreads: workers,
      // tasks wait here, not in the workers: the sender keeps few of them under way
      maxQueue: Infinity,
      // a worker that waits for memory to change may never hear that it should end (Node 24.22)
      atomics: "disabled",
      execArgv: [...importsOnly, ...(isSource && !stripsTypes ? ["--import", "tsx"] : [])],
    })
    // what fails a task rejects its promise; what fails a worker without one concerns nobody
    this.piscina.on("error", () => {})
  }

  /**
   * Gives a task to the next worker that is free.
   *
   * errors  the reason of the signal after an abort; the task itself goes on until the pool is
   *         closed, since a pool that loses a worker starts another
   */
  async run<Name extends keyof Tasks>(
    name: Name,
    request: Tasks[Name]["request"],
    signal: AbortSignal,
  ): Promise<Tasks[Name]["reply"]> {
    signal.throwIfAborted()
    const work: Promise<unknown> = this.piscina.run(request, { filename: taskFile(name) })
    const reply = await unlessAborted(work, signal)
    // only the task of this name answers here
    return reply as Tasks[Name]["reply"]
  }

  /**
   * Lends a file without a name for as long as `use` takes.
   *
   * shape   where `use` fails a task may be under way still, and keeps it until the pool is closed
   */
  async withScratch<A>(use: (scratch: Scratch) => Promise<A>): Promise<A> {
    const descriptor = this.spare.pop() ?? newScratch()
    this.owned.add(descriptor)
    const result = await use({ descriptor, folder: tmpdir() })
    // the next one must not find it full
    ftruncateSync(descriptor, 0)
    this.spare.push(descriptor)
    return result
  }

  /** As `withScratch`, with null where the system has no such file: not every task comes to need it. */
  async withAnyScratch<A>(use: (scratch: Scratch | null) => Promise<A>): Promise<A> {
    if (!this.hasSpare()) return await use(null)
    return await this.withScratch(use)
  }

  private hasSpare(): boolean {
    if (this.spare.length > 0) return true
    try {
      const descriptor = openSpool()
      this.owned.add(descriptor)
      this.spare.push(descriptor)
      return true
    } catch (cause) {
      if (errnoOf(cause) === null) throw cause
      return false
    }
  }

  /** Takes over a descriptor that tasks write to; it is closed by the answer, or with the pool. */
  own(descriptor: number): () => void {
    this.owned.add(descriptor)
    return () => {
      if (this.owned.delete(descriptor)) closeSync(descriptor)
    }
  }

  /** Stops the workers, whatever they are doing. */
  async close(): Promise<void> {
    this.isClosed = true
    await this.piscina.destroy()
    // only now nobody writes to them: a number that is closed may soon be another file
    for (const descriptor of this.owned) closeSync(descriptor)
    this.owned.clear()
  }
}
