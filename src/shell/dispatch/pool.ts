import { availableParallelism } from "node:os"
import { fileURLToPath } from "node:url"
import { Piscina } from "piscina"
import type {
  FoldReply,
  FoldRequest,
  ReplayReply,
  ReplayRequest,
} from "../../workers/task-protocol.ts"

/** The tasks that workers know, by the name of their file. */
interface Tasks {
  readonly "replay-task": { readonly request: ReplayRequest; readonly reply: ReplayReply }
  readonly "fold-task": { readonly request: FoldRequest; readonly reply: FoldReply }
}

// the same code runs from sources (tests, tsx) and from the built package
const isSource: boolean = import.meta.url.endsWith(".ts")

const taskFile = (name: string): string =>
  fileURLToPath(new URL(`../../workers/${name}${isSource ? ".ts" : ".js"}`, import.meta.url))

const stripsTypes: boolean =
  "typescript" in process.features && Boolean(process.features["typescript"])

/** How many workers a number of tasks can keep busy: all cores unless fewer or more are asked for. */
export const workersFor = (tasks: number, wanted: number = availableParallelism()): number =>
  Math.max(1, Math.min(tasks, wanted))

/** Worker threads, made once and closed by their owner. */
export class Pool {
  private readonly piscina: Piscina
  readonly workers: number

  constructor(workers: number) {
    this.workers = workers
    this.piscina = new Piscina({
      minThreads: workers,
      maxThreads: workers,
      // tasks wait here, not in the workers: the sender keeps few of them under way
      maxQueue: Infinity,
      execArgv: isSource && !stripsTypes ? ["--import", "tsx"] : [],
    })
    // an answer that comes in after its task was aborted; what fails a task rejects its promise
    this.piscina.on("error", () => {})
  }

  async run<Name extends keyof Tasks>(
    name: Name,
    request: Tasks[Name]["request"],
    signal: AbortSignal,
  ): Promise<Tasks[Name]["reply"]> {
    const reply: unknown = await this.piscina.run(request, { filename: taskFile(name), signal })
    // only the task of this name answers here
    return reply as Tasks[Name]["reply"]
  }

  /** Stops the workers, whatever they are doing. */
  async close(): Promise<void> {
    await this.piscina.destroy()
  }
}
