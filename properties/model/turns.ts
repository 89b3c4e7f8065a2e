/** What a log of turns, steps and tool calls may hold, one word an event. */
export type Word = readonly [kind: string, turn: number, step: number, callId: string]

export const callIds: readonly string[] = ["c", "d"]

/** The naive model: every word that may come next, written down. */
export class Turns {
  private turn: number | null = null
  private step: number | null = null
  private turns = 0
  private steps = 0
  private readonly calls: Map<string, "advertised" | "started"> = new Map()

  allowed(): readonly Word[] {
    const { turn, step } = this
    if (turn === null) return [["turn/start", this.turns + 1, 0, ""]]
    if (step === null)
      return [
        ["turn/end", turn, 0, ""],
        ["step/start", turn, this.steps + 1, ""],
      ]
    const words: Word[] = this.calls.size === 0 ? [["step/end", turn, step, ""]] : []
    for (const id of callIds) {
      const state = this.calls.get(id)
      if (state === undefined) words.push(["assistant/message", turn, step, id])
      else words.push([state === "started" ? "tool/result" : "tool/call", turn, step, id])
    }
    return words
  }

  isAllowed(word: Word): boolean {
    return this.allowed().some((each) => each.join() === word.join())
  }

  take([kind, turn, step, callId]: Word): void {
    if (kind === "turn/start") [this.turn, this.turns, this.steps] = [turn, turn, 0]
    else if (kind === "turn/end") this.turn = null
    else if (kind === "step/start") [this.step, this.steps] = [step, step]
    else if (kind === "step/end") this.step = null
    else if (kind === "assistant/message") this.calls.set(callId, "advertised")
    else if (kind === "tool/call") this.calls.set(callId, "started")
    else this.calls.delete(callId)
  }
}
