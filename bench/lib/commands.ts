/** What a command of refold said of logs, as far as all its versions say it. */
export interface CommandFigures {
  readonly eventCount: number
  readonly nodeCount: number
  readonly messageTokens: number
}

/** A command that folds, and how its output is read. */
export interface FoldCommand {
  readonly name: string
  readonly args: readonly string[]
  readonly figuresOf: (stdout: string) => CommandFigures
}

interface Counts {
  readonly eventCount: number
  readonly tokens: { readonly messages: number }
}

const ofFold = (stdout: string): CommandFigures => {
  const fold = JSON.parse(stdout) as Counts & { readonly nodes: readonly number[] }
  return {
    eventCount: fold.eventCount,
    nodeCount: fold.nodes.length,
    messageTokens: fold.tokens.messages,
  }
}

const ofReplay = (stdout: string): CommandFigures => {
  const { sessions } = JSON.parse(stdout) as {
    readonly sessions: readonly (Counts & { readonly nodeCount: number })[]
  }
  let sum = { eventCount: 0, nodeCount: 0, messageTokens: 0 }
  for (const session of sessions)
    sum = {
      eventCount: sum.eventCount + session.eventCount,
      nodeCount: sum.nodeCount + session.nodeCount,
      messageTokens: sum.messageTokens + session.tokens.messages,
    }
  return sum
}

const replayOne = { args: ["replay", "--json", "--workers", "1"], figuresOf: ofReplay }
const replayAll = { args: ["replay", "--json"], figuresOf: ofReplay }

export const foldNoDigest: FoldCommand = {
  name: "fold --no-digest",
  args: ["fold", "--json", "--no-digest"],
  figuresOf: ofFold,
}

/** Commands that fold one log. */
export const logCommands: readonly FoldCommand[] = [
  foldNoDigest,
  { name: "fold", args: ["fold", "--json"], figuresOf: ofFold },
  { name: "replay --workers 1", ...replayOne },
]

/** Commands that fold an archive. */
export const archiveCommands: readonly FoldCommand[] = [
  { name: "replay --workers 1", ...replayOne },
  { name: "replay", ...replayAll },
]
