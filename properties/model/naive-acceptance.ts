/** A message as the naive model sees it. */
export interface NaiveMessage {
  readonly seq: number
  readonly role: "user" | "assistant" | "tool"
  readonly calls: readonly string[]
  readonly answers: string
  readonly isEmpty: boolean
}

/** One fault as text: code, seq of the message and call id. */
export type Fault = readonly [code: string, seq: number, callId: string | null]

const lastAsker = (messages: readonly NaiveMessage[], before: number): number => {
  for (let i = before - 1; i >= 0; i--) if (messages[i]?.role === "assistant") return i
  return -1
}

const resultFault = (messages: readonly NaiveMessage[], at: number): Fault[] => {
  const { seq, answers } = messages[at] as NaiveMessage
  const asker = lastAsker(messages, at)
  const between = messages.slice(asker + 1, at)
  const isCalled = asker >= 0 && (messages[asker] as NaiveMessage).calls.includes(answers)
  const isAnswered = between.some((each) => each.role === "tool" && each.answers === answers)
  if (!isCalled || isAnswered) return [["result-without-call", seq, answers]]
  return between.some(({ role }) => role !== "tool") ? [["result-not-adjacent", seq, answers]] : []
}

const callFaults = (messages: readonly NaiveMessage[], at: number): Fault[] => {
  const { seq, calls } = messages[at] as NaiveMessage
  const rest = messages.slice(at + 1)
  const next = rest.findIndex(({ role }) => role === "assistant")
  const group = next < 0 ? rest : rest.slice(0, next)
  // the last calls may still be answered, unless something came in between
  if (next < 0 && group.every(({ role }) => role === "tool")) return []
  return [...new Set(calls)]
    .filter((id) => !group.some((each) => each.role === "tool" && each.answers === id))
    .map((id): Fault => ["call-without-result", seq, id])
}

/** Everything that is wrong with messages, each of them looked at by itself. */
export const faultsOf = (messages: readonly NaiveMessage[]): readonly Fault[] =>
  messages.flatMap(({ seq, role, isEmpty }, at) => [
    ...(isEmpty ? [["message-empty", seq, null] as const] : []),
    ...(role === "tool" ? resultFault(messages, at) : []),
    ...(role === "assistant" ? callFaults(messages, at) : []),
  ])

/** Faults of the messages from the calls before a replacement to the next ones. */
export const faultsAround = (messages: readonly NaiveMessage[], seq: number): readonly Fault[] => {
  const at = messages.findIndex((each) => each.seq === seq)
  const from = lastAsker(messages, at)
  const behind = messages.findIndex(({ role }, i) => i > at && role === "assistant")
  const near = new Set(
    messages.slice(Math.max(0, from), behind < 0 ? undefined : behind).map((each) => each.seq),
  )
  return faultsOf(messages).filter(([, each]) => near.has(each))
}
