import type { CommandRefusal } from "../../data/relation-refusal.ts"
import { AscendingSeqs } from "./ascending-seqs.ts"
import { countField, textField } from "./fields.ts"
import type { LifecycleRule, RuleEvent } from "./rule.ts"

interface CommandDraft {
  readonly ids: Set<string>
  /** Seqs of all command events. */
  readonly seqs: AscendingSeqs
}

const runFinding = (draft: CommandDraft, { facts, data }: RuleEvent): CommandRefusal | null => {
  const commandId = textField(data, "commandId")
  if (commandId === null) return null
  if (draft.ids.has(commandId)) return { code: "command-run-repeated", seq: facts.seq, commandId }
  draft.ids.add(commandId)
  return null
}

const doneFinding = (draft: CommandDraft, { facts, data }: RuleEvent): CommandRefusal | null => {
  const { seq } = facts
  const commandId = textField(data, "commandId")
  if (commandId === null || !draft.ids.has(commandId))
    return { code: "command-done-unknown", seq, commandId }
  if (!Object.hasOwn(data, "sourceEventSeq")) return null
  const source = countField(data, "sourceEventSeq")
  if (source === null || source >= seq) return { code: "command-source-later", seq, source }
  if (textField(data, "kind") !== "success") return { code: "command-source-kind", seq, source }
  return draft.seqs.has(source) ? { code: "command-source-command", seq, source } : null
}

/**
 * A command is run under an id of its own, and what is done was run before.
 *
 * cost    keeps the ids and seqs of all commands
 * source  rules R60 and R61 of the format
 */
export const commandRule: LifecycleRule<CommandDraft> = {
  since: 4,
  reads: new Set(["command/run", "command/done"]),
  begin: () => ({ ids: new Set(), seqs: new AscendingSeqs() }),
  step: (draft, event, _before, findings) => {
    const isRun = event.facts.type === "command/run"
    const finding = isRun ? runFinding(draft, event) : doneFinding(draft, event)
    draft.seqs.add(event.facts.seq)
    if (finding !== null) findings.report(finding)
  },
}
