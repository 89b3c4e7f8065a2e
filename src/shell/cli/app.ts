import type { Application } from "@stricli/core"
import { buildApplication, buildCommand, buildRouteMap } from "@stricli/core"
import type { CheckFlags } from "./check.ts"
import type { BenchFlags } from "./bench.ts"
import type { Cli } from "./context.ts"
import {
  byteCount,
  colorFlag,
  jsonFlag,
  ndjsonFlag,
  positive,
  recoverableFlag,
  text,
} from "./flags.ts"
import type { FoldFlags } from "./fold.ts"
import type { MessagesFlags } from "./messages.ts"
import type { MigrateFlags } from "./migrate.ts"
import {
  asFlag,
  atFlag,
  guarded,
  logArgument,
  pathArguments,
  versionParameter,
} from "./parameters.ts"
import type { RecoverFlags } from "./recover.ts"
import type { ReplayFlags } from "./replay.ts"
import { blame, diff, request, requests } from "./request-commands.ts"
import { usageText } from "./usage-text.ts"

const workersFlag = {
  kind: "parsed",
  parse: positive,
  brief: "Worker threads; all cores unless given",
  placeholder: "n",
  optional: true,
} as const

const given = (placeholder: string, brief: string) =>
  ({ kind: "parsed", parse: text, brief, placeholder, optional: true }) as const

const glob = (brief: string) => given("glob", brief)

const date = (brief: string) => given("date", brief)

const replay = buildCommand<ReplayFlags, string[], Cli>({
  loader: async () => guarded((await import("./replay.ts")).runReplay),
  parameters: {
    positional: pathArguments,
    flags: {
      json: jsonFlag,
      ndjson: ndjsonFlag,
      color: colorFlag,
      recoverable: recoverableFlag,
      steps: {
        kind: "boolean",
        brief: "Add a record for each request",
        default: false,
        withNegated: false,
      },
      digest: {
        kind: "boolean",
        brief: "Add the SHA-256 of each session's messages",
        default: false,
        withNegated: false,
      },
      workers: workersFlag,
      cache: {
        kind: "parsed",
        parse: text,
        brief: "Folder that keeps what was replayed: unchanged logs are not read again",
        placeholder: "dir",
        optional: true,
      },
      verify: {
        kind: "boolean",
        brief: "Read all logs again, whatever the cache knows",
        default: false,
        withNegated: false,
      },
      tokenizer: given(
        "name",
        "Count the texts of each surface as well: heuristic, o200k or deepseek-v3",
      ),
      prices: given("file", "File of prices (refold.prices/1): say what the reported usage cost"),
      project: glob("Only projects whose directory matches"),
      session: glob("Only sessions whose id matches"),
      since: date("Only sessions created on or after this day or instant"),
      until: date("Only sessions created on or before this day or instant"),
      tz: given("zone", "Time zone of days; UTC unless given"),
      out: {
        kind: "parsed",
        parse: text,
        brief: "Write the records to a file as well (.ndjson)",
        placeholder: "file",
        optional: true,
      },
    },
  },
  docs: {
    brief: "Fold every session of an archive into what the model saw",
    fullDescription:
      "Prints a line a session, with a refused or torn log named where it stands, and the totals. One bad file never stops the others.",
  },
})

const check = buildCommand<CheckFlags, string[], Cli>({
  loader: async () => guarded((await import("./check.ts")).runCheck),
  parameters: {
    positional: pathArguments,
    flags: {
      json: jsonFlag,
      ndjson: ndjsonFlag,
      color: colorFlag,
      recoverable: recoverableFlag,
      workers: workersFlag,
      as: versionParameter("Try the upgrade to this format as well"),
    },
  },
  docs: {
    brief: "Find everything that is wrong with logs, and say what it is",
    fullDescription:
      "Reads on behind whatever is wrong and prints every finding with its place and its code, a verdict for each log, and the causes over all of them. docs/CODES.md explains the codes.",
  },
})

const migrate = buildCommand<MigrateFlags, string[], Cli>({
  loader: async () => guarded((await import("./migrate.ts")).runMigrate),
  parameters: {
    positional: pathArguments,
    flags: {
      json: jsonFlag,
      ndjson: ndjsonFlag,
      color: colorFlag,
      out: {
        kind: "parsed",
        parse: text,
        brief: "The folder that new logs go to",
        placeholder: "dir",
        optional: true,
      },
      to: versionParameter("The format to write; the newest unless given"),
      dryRun: {
        kind: "boolean",
        brief: "Only try, and write nothing",
        default: false,
        withNegated: false,
      },
      workers: workersFlag,
    },
  },
  docs: {
    brief: "Write logs as ones of a later format, elsewhere",
    fullDescription:
      "Carries old logs to a later format and proves that they come to the same messages. Sources are never changed, and no file is written over. A log that cannot keep its meaning is refused, with every cause.",
  },
})

const recover = buildCommand<RecoverFlags, [string], Cli>({
  loader: async () => guarded((await import("./recover.ts")).runRecover),
  parameters: {
    positional: logArgument,
    flags: {
      json: jsonFlag,
      ndjson: ndjsonFlag,
      color: colorFlag,
      out: {
        kind: "parsed",
        parse: text,
        brief: "The folder that files go to",
        placeholder: "dir",
      },
      openTurn: {
        kind: "enum",
        values: ["keep", "cut", "close"],
        brief: "A turn that the log ends in: kept, cut back to its last complete step, or closed",
        default: "keep",
      },
      notStartedText: {
        kind: "parsed",
        parse: text,
        brief: "File with the text that readers know of calls that were never started",
        placeholder: "file",
        optional: true,
      },
    },
  },
  docs: {
    brief: "Save what can be saved of a damaged log, in files of its own",
    fullDescription:
      "Cuts off a torn tail and leaves out lines that are none, writes both branches of a log that two writers went on with, and rows behind missing events apart. The log is never changed.",
  },
})

const fold = buildCommand<FoldFlags, [string], Cli>({
  loader: async () => guarded((await import("./fold.ts")).runFold),
  parameters: {
    positional: logArgument,
    flags: {
      json: jsonFlag,
      ndjson: ndjsonFlag,
      color: colorFlag,
      recoverable: recoverableFlag,
      digest: {
        kind: "boolean",
        brief: "The SHA-256 of the messages, which reads the live lines again",
        default: true,
      },
      at: atFlag,
      as: asFlag,
    },
  },
  docs: { brief: "Fold one log, or a prefix of it: nodes, replacements, digest and tokens" },
})

const messageFlags = {
  json: jsonFlag,
  ndjson: ndjsonFlag,
  color: colorFlag,
  recoverable: recoverableFlag,
} as const

const messages = buildCommand<MessagesFlags, [string], Cli>({
  loader: async () => guarded((await import("./messages.ts")).runMessages),
  parameters: { positional: logArgument, flags: { ...messageFlags, at: atFlag, as: asFlag } },
  docs: { brief: "Print the messages that the model saw" },
})

const transcript = buildCommand<Omit<MessagesFlags, "at">, [string], Cli>({
  loader: async () => guarded((await import("./messages.ts")).runTranscript),
  parameters: { positional: logArgument, flags: { ...messageFlags, as: asFlag } },
  docs: { brief: "Print what a person saw: messages as they were first appended" },
})

const prompts = buildCommand<MessagesFlags, [string], Cli>({
  loader: async () => guarded((await import("./prompts.ts")).runPrompts),
  parameters: { positional: logArgument, flags: { ...messageFlags, at: atFlag, as: asFlag } },
  docs: {
    brief: "Print the system prompts that a session had: how each came, and when it was shadowed",
  },
})

const bench = buildCommand<BenchFlags, [], Cli>({
  loader: async () => guarded((await import("./bench.ts")).runBench),
  parameters: {
    flags: {
      json: jsonFlag,
      ndjson: ndjsonFlag,
      color: colorFlag,
      size: {
        kind: "parsed",
        parse: byteCount,
        brief: "Bytes of the log that is made up for it",
        placeholder: "bytes",
        default: "100e6",
      },
    },
  },
  docs: {
    brief: "Measure this machine: reading, JSON.parse and refold over one log, in turns",
    fullDescription:
      "Makes up a log without a name on disk and goes over it in every way: read, newline scan, JSON.parse of each line, the public packages of the agent where they are installed, and refold, on one thread and on all. Figures are ratios of one run. Nothing is reported where other processes use the machine: exit status 2.",
  },
})

/** The command line of refold. */
export const appOf = (version: string): Application<Cli> =>
  buildApplication(
    buildRouteMap({
      routes: {
        replay,
        check,
        migrate,
        recover,
        fold,
        messages,
        transcript,
        request,
        requests,
        diff,
        blame,
        prompts,
        bench,
      },
      docs: {
        brief: "Replays session logs of coding agents into exactly what the model saw",
        fullDescription:
          "Replays append-only session logs of coding agents into exactly what the model saw, offline.\n\nExit status: 0 all well · 1 a log was refused, something found in it, or a difference · 2 some input was unreadable · 3 wrong usage.",
      },
    }),
    {
      name: "refold",
      versionInfo: { currentVersion: version },
      scanner: { caseStyle: "allow-kebab-for-camel", allowArgumentEscapeSequence: true },
      localization: { loadText: () => usageText },
      documentation: { caseStyle: "convert-camel-to-kebab", disableAnsiColor: true },
    },
  )
