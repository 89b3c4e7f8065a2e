import { describe, expect, it } from "vitest"
import type { SystemNode } from "#core/prompt/system-prompt"
import {
  effectivePrompt,
  reconcileSystemPrompt,
  soleText,
  systemNodesOf,
  systemPromptMessage,
} from "#core/prompt/system-prompt"
import { payloadIn } from "#core/request/request-log"
import { Agent, capable, plain, told } from "../request/agent.ts"

// system messages stand at seqs 0, 2, 3, as in the note on prompts in history
const seqs = [0, 2, 3]
const surface = (...texts: readonly (string | null)[]): readonly SystemNode[] =>
  texts.map((text, i) => ({ seq: seqs[i] ?? 10 + i, text }))

const continuing = { isInHistory: true, startsSeries: false }
const starting = { isInHistory: true, startsSeries: true }
const incapable = { isInHistory: false, startsSeries: false }
const incapableStarting = { isInHistory: false, startsSeries: true }
const any = [continuing, starting, incapable, incapableStarting]

/** Commits in short: `+ B` appended, `2: ""` in the place of 2. */
const commits = (
  nodes: readonly SystemNode[],
  rendered: string,
  route: Parameters<typeof reconcileSystemPrompt>[2],
): readonly string[] =>
  reconcileSystemPrompt(nodes, rendered, route).map(({ text, replaces }) =>
    replaces === null ? `+ ${text}` : `${replaces}: ${text}`,
  )

describe("the system prompt on the surface", () => {
  it("PM25: a message is one text, or empty, or equal to none", () => {
    expect(soleText({ content: [] })).toBe("")
    expect(soleText({ content: [{ type: "text", text: "" }] })).toBe("")
    expect(soleText({ content: [{ type: "text", text: "a" }] })).toBe("a")
    const text = { type: "text", text: "a" }
    expect(soleText({ content: [text, text] })).toBeNull()
    expect(soleText({ content: [{ type: "image", attachment: {} }] })).toBeNull()
    expect(systemPromptMessage("i", "a")).toEqual({
      id: "i",
      role: "system",
      source: { kind: "system-prompt" },
      content: [{ type: "text", text: "a" }],
    })
    expect(systemPromptMessage("i", "")["content"]).toEqual([])
  })

  it("PM25: nodes stand in the order of the surface, not of their seqs", () => {
    const agent = new Agent()
    agent.run(capable, { prompt: "A" })
    agent.run(capable, { prompt: "B" })
    agent.run(plain, { prompt: "C" })
    const nodes = systemNodesOf(agent.log.surface, payloadIn(agent.log))
    expect(nodes.map(({ text }) => text)).toEqual(["C", ""])
    expect(nodes[0]?.seq).toBeGreaterThan(nodes[1]?.seq ?? Infinity)
    expect(effectivePrompt(nodes)).toBe("C")
    expect(effectivePrompt(surface("A", "B", ""))).toBe("B")
    expect(effectivePrompt(surface("A", null))).toBeNull()
    expect(effectivePrompt([])).toBe("")
  })

  it.each(any)("PM26: B.a B.b: the first one is appended, also an empty one: %j", (route) => {
    expect(commits([], "A", route)).toEqual(["+ A"])
    expect(commits([], "", route)).toEqual(["+ "])
  })

  it("PM27: B.c B.d B.l: a capable route that goes on appends what changed", () => {
    expect(commits(surface("A"), "B", continuing)).toEqual(["+ B"])
    expect(commits(surface("A", "B"), "B", continuing)).toEqual([])
    expect(commits(surface("A", "B"), "A", continuing)).toEqual(["+ A"])
    expect(commits(surface("A", ""), "A", continuing)).toEqual([])
    expect(commits(surface("A", "B", ""), "B", continuing)).toEqual([])
  })

  it("PM28: B.e B.f B.k: any other keeps one text, that of the head", () => {
    expect(commits(surface("A", "B"), "B", starting)).toEqual(["2: ", "0: B"])
    expect(commits(surface("A", "B"), "A", incapable)).toEqual(["2: "])
    expect(commits(surface("A"), "B", starting)).toEqual(["0: B"])
    expect(commits(surface("A"), "B", incapable)).toEqual(["0: B"])
    expect(commits(surface("A"), "A", incapable)).toEqual([])
    expect(commits(surface("A", "", "C"), "D", incapableStarting)).toEqual(["3: ", "0: D"])
  })

  it.each(any)("PM29: B.g B.h: an empty prompt leaves no text: %j", (route) => {
    expect(commits(surface("A", "B", "C"), "", route)).toEqual(["2: ", "3: ", "0: "])
    expect(commits(surface("", "B"), "", route)).toEqual(["2: "])
    expect(commits(surface("", ""), "", route)).toEqual([])
    expect(commits(surface(""), "", route)).toEqual([])
  })

  it("PM29: B.i B.j: after that a text comes back alone", () => {
    expect(commits(surface(""), "D", continuing)).toEqual(["+ D"])
    expect(commits(surface("", ""), "D", continuing)).toEqual(["+ D"])
    for (const route of [starting, incapable, incapableStarting])
      expect(commits(surface("", ""), "D", route)).toEqual(["0: D"])
  })

  it("PM28: what is not one text is active, and like no other", () => {
    expect(commits(surface(null), "A", incapable)).toEqual(["0: A"])
    expect(commits(surface("A", null), "A", incapable)).toEqual(["2: "])
    expect(commits(surface("A", null), "", continuing)).toEqual(["2: ", "0: "])
    expect(commits(surface("A", null), "A", continuing)).toEqual(["+ A"])
    expect(commits(surface(null), "", continuing)).toEqual(["0: "])
  })

  it("PM26: a head behind a user message is no less a head, and appended again once it is gone", () => {
    const agent = new Agent()
    agent.append({
      type: "user/message",
      data: { id: "u", role: "user", source: { kind: "user" }, content: [] },
      surfaceOp: "append",
    })
    agent.run(plain, { prompt: "A" })
    agent.run(plain, { prompt: "B" })
    expect(told(agent.run(plain, { prompt: "B" }).request)).toEqual([
      ...["user: ", "system: B", "assistant: yes", "assistant: yes"],
    ])
    // nothing protects it there
    agent.compact(0, 1)
    expect(told(agent.run(plain, { prompt: "B" }).request)).toEqual([
      ...["user: summary", "assistant: yes", "assistant: yes", "assistant: yes", "system: B"],
    ])
  })

  it("PM27: three versions stand one after another, each compared with the latest", () => {
    const agent = new Agent()
    agent.run(capable, { prompt: "A" })
    agent.run(capable, { prompt: "B" })
    const { request } = agent.run(capable, { prompt: "A" })
    expect(told(request)).toEqual([
      ...["system: A", "assistant: yes", "system: B", "assistant: yes", "system: A"],
    ])
    expect(agent.run(capable, { prompt: "A" }).events).toEqual([])
    // a new series keeps the current one, and then goes on
    const again = agent.run(capable, { prompt: "D", declaresSeries: true })
    expect(told(again.request)[0]).toBe("system: D")
    expect(told(again.request).filter((text) => text.startsWith("system"))).toHaveLength(1)
    expect(agent.run(capable, { prompt: "D" }).events).toEqual([])
  })
})
