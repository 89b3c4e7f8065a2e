import type { Command } from "@stricli/core"
import { buildCommand } from "@stricli/core"
import type { Cli } from "./context.ts"
import { colorFlag, jsonFlag, ndjsonFlag, recoverableFlag, text } from "./flags.ts"
import { asFlag, atFlag, guarded, logArgument } from "./parameters.ts"
import type { RequestFlags, RequestsFlags } from "./request.ts"

const commonFlags = {
  json: jsonFlag,
  ndjson: ndjsonFlag,
  color: colorFlag,
  recoverable: recoverableFlag,
  as: asFlag,
} as const

const toolUpdateFlag = (brief: string) =>
  ({
    kind: "enum",
    values: ["in-history", "addition-only", "none"],
    brief,
    optional: true,
  }) as const

const flags = {
  ...commonFlags,
  toolUpdate: toolUpdateFlag("Put messages and tools as a provider takes them that is told so"),
} as const

const address = (brief: string, placeholder: string) =>
  ({ brief, parse: text, placeholder }) as const

export const request: Command<Cli> = buildCommand<RequestFlags, [string], Cli>({
  loader: async () => guarded((await import("./request.ts")).runRequest),
  parameters: { positional: logArgument, flags: { ...flags, at: atFlag } },
  docs: {
    brief: "Print one request as the model saw it: header, tools, prompt and messages",
    fullDescription:
      "Puts a request together of the log alone: that of a step (2.1) or an attempt (2.1.3), what a request behind a seq (42) would hold, or the last one.",
  },
})

export const requests: Command<Cli> = buildCommand<RequestsFlags, [string], Cli>({
  loader: async () => guarded((await import("./request.ts")).runRequests),
  parameters: { positional: logArgument, flags },
  docs: {
    brief: "List every request of a log; with --ndjson each with all that the model saw",
  },
})

export const diff: Command<Cli> = buildCommand<RequestsFlags, [string, string, string], Cli>({
  loader: async () => guarded((await import("./diff.ts")).runDiff),
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [
        ...logArgument.parameters,
        address("One request, or a seq", "a"),
        address("The other one", "b"),
      ],
    },
    flags,
  },
  docs: {
    brief: "Show where two requests of a log part, and what changed; exit status 1 where they do",
  },
})

export const blame: Command<Cli> = buildCommand<RequestsFlags, [string], Cli>({
  loader: async () => guarded((await import("./blame.ts")).runBlame),
  parameters: {
    positional: logArgument,
    flags: {
      ...commonFlags,
      toolUpdate: toolUpdateFlag("How the provider is told of tools; as the log says unless given"),
    },
  },
  docs: {
    brief: "Say for each request how much of the one before it shares, and which event broke it",
    fullDescription:
      "Compares each request with the one before it, part by part: model, tools, prompt, messages. Tokens are estimated. Reported cache reads that miss what is shared by more than a quarter of the prompt (and 1024 tokens) are marked with !.",
  },
})
