import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import { contentOf } from "#core/messages/event-message"
import type { SystemNode } from "#core/prompt/system-prompt"
import { effectivePrompt, reconcileSystemPrompt, soleText } from "#core/prompt/system-prompt"
import type { Admission } from "#core/request/admission"
import { requestFault } from "#core/request/request-fault"
import { toolHistoryOf } from "#core/request/tool-history"
import { projectToolUpdates } from "#core/request/tool-update"
import { nodesOf } from "#core/surface/state"
import { Agent, restored } from "../test/core/request/agent.ts"
import { commands, routes, runAll } from "./arbitraries/agents.ts"

const systemTexts = ({ request }: Admission): readonly (string | null)[] =>
  request.messages.filter(({ role }) => role === "system").map(soleText)

describe("admitting", () => {
  it("PM70: the model obeys the prompt that was rendered last, on every route", () => {
    fc.assert(
      fc.property(commands, (list) => {
        runAll(list, ({ admission, route, prompt }) => {
          const texts = systemTexts(admission)
          expect(texts.at(-1) ?? "").toBe(prompt)
          // a route without the capability gets no second one
          if (route.systemPromptUpdate === null) expect(texts.length).toBeLessThanOrEqual(1)
        })
      }),
    )
  })

  it("PM76: what was reconciled needs nothing more, and each rewrite is of one prompt", () => {
    const texts = fc.constantFrom("", "A", "B", null)
    const surfaces = fc.array(texts, { maxLength: 5 })
    const rendered = fc.constantFrom("", "A", "B")
    fc.assert(
      fc.property(
        surfaces,
        rendered,
        fc.boolean(),
        fc.boolean(),
        (nodes, prompt, isInHistory, startsSeries) => {
          const route = { isInHistory, startsSeries }
          // places are not in the order of seqs
          const before = nodes.map((text, i): SystemNode => ({ seq: (i * 7) % 5, text }))
          const after = [...before]
          for (const { text, replaces } of reconcileSystemPrompt(before, prompt, route)) {
            const place = after.findIndex(({ seq }) => seq === replaces)
            const node = { seq: 100 + after.length, text }
            if (replaces === null) after.push(node)
            else after[place] = { ...node, seq: replaces }
          }
          expect(reconcileSystemPrompt(after, prompt, route)).toEqual([])
          expect(effectivePrompt(after)).toBe(prompt)
          expect(after.length).toBeLessThanOrEqual(before.length + 1)
          if (!isInHistory || startsSeries || prompt === "")
            expect(after.slice(1).every(({ text }) => text === "")).toBe(true)
          // what stood there and was not emptied stands there still
          else expect(after.slice(0, before.length)).toEqual(before)
        },
      ),
    )
  })

  it("PM71: an empty prompt leaves no earlier instruction, also after the log is read again", () => {
    fc.assert(
      fc.property(commands, fc.constantFrom(...routes), (list, route) => {
        const agent = runAll(list, () => {})
        expect(systemTexts(agent.run(route, { prompt: "" }))).toEqual([])
        expect(systemTexts(agent.run(route, { prompt: "" }))).toEqual([])
        for (const each of routes) {
          const resumed = new Agent(restored(agent.log))
          expect(resumed.messages().some(({ role }) => role === "system")).toBe(false)
          expect(systemTexts(resumed.run(each, { prompt: "" }))).toEqual([])
          expect(systemTexts(resumed.run(each, { prompt: "new" }))).toEqual(["new"])
        }
      }),
    )
  })

  it("PM72: a series that goes on keeps all earlier messages, and needs no header", () => {
    let count = 0
    fc.assert(
      fc.property(commands, (list) => {
        runAll(list, ({ admission, continues }) => {
          if (continues === null) return
          const before = continues.request.messages
          const after = admission.request.messages.slice(0, before.length)
          expect(JSON.stringify(after)).toBe(JSON.stringify(before))
          expect(admission.events.some(({ type }) => type === "request/header")).toBe(false)
          count++
        })
      }),
    )
    expect(count).toBeGreaterThan(0)
  })

  it("PM73: every request is what its log leads to, also when that is read again", () => {
    fc.assert(
      fc.property(commands, (list) => {
        runAll(list, ({ agent, admission: { request, log } }) => {
          expect(requestFault(request, log)).toBeNull()
          const read = restored(agent.log)
          expect(requestFault(request, read)).toBeNull()
          expect(toolHistoryOf(read.toolHistory)).toEqual(request.toolHistory)
          expect(nodesOf(read.surface)).toEqual(nodesOf(log.surface))
        })
      }),
    )
  })

  it("PM74: what a provider is told of tools leads to those that are active", () => {
    fc.assert(
      fc.property(commands, (list) => {
        runAll(list, ({ admission: { request }, route, tools: active }) => {
          const { messages, tools: declared } = projectToolUpdates(
            request.messages,
            request.tools ?? [],
            route.toolUpdate,
            request.toolHistory,
          )
          const offered = new Set<JsonValue | undefined>(
            declared.filter((each) => each["deferLoading"] !== true).map(({ name }) => name),
          )
          for (const message of messages)
            if (message["role"] === "developer")
              for (const block of contentOf(message) as readonly JsonObject[]) {
                const name = block["toolName"] ?? null
                if (block["type"] === "tool-addition") offered.add(name)
                else offered.delete(name)
              }
          expect(offered).toEqual(new Set<JsonValue | undefined>(active))
        })
      }),
    )
  })
})
