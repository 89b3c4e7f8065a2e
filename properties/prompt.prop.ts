import fc from "fast-check"
import { isLeft } from "fp-ts/lib/Either.js"
import { describe, expect, it } from "vitest"
import type { Contribution } from "#core/prompt/contribution"
import { interpolated, variableName } from "#core/prompt/interpolate"
import { joinContextSections } from "#core/prompt/render"
import {
  neverTold,
  restoreRuntimeContext,
  runtimeContextCandidate,
  runtimeContextMessage,
  stepRuntimeContext,
} from "#core/prompt/runtime-context"
import { eventIn } from "#core/request/request-log"
import { Agent, userMessage } from "../test/core/request/agent.ts"
import {
  assembled,
  context,
  layersOf,
  section,
  tool,
  tools,
  variable,
} from "../test/core/prompt/contributions.ts"
import { rightOf } from "../test/core/surface/events.ts"

// few names and orders, so that they meet
const names = fc.constantFrom("a", "b", "B", "ä", "zz", "_")
const orders = fc.constantFrom(-1, 0, 0.5, 1)

const shuffled = <A>(items: readonly A[]): fc.Arbitrary<A[]> =>
  fc.shuffledSubarray([...items], { minLength: items.length })

/** Contributions of which the rules say that the order of their registration does not matter. */
const crowds: fc.Arbitrary<{ readonly list: Contribution[]; readonly other: Contribution[] }> = fc
  .record({
    sections: fc.uniqueArray(fc.record({ name: names, order: orders }), {
      selector: ({ name }) => name,
    }),
    contexts: fc.uniqueArray(fc.record({ name: names, order: fc.integer() }), {
      selector: ({ order }) => order,
    }),
    tools: fc.uniqueArray(names),
    variables: fc.uniqueArray(fc.constantFrom("a", "b", "c")),
  })
  .map(({ sections, contexts, tools: toolList, variables }): Contribution[] => [
    ...sections.map(({ name, order }) => section(name, order, `${name} at ${order}`)),
    ...contexts.map(({ order }) => context(`c${order}`, order, `at ${order}`)),
    ...toolList.map((name) => tools({ schemas: [tool(name)] })),
    ...variables.map((name) => variable(name, name)),
  ])
  .chain((list) => shuffled(list).map((other) => ({ list, other })))

/** Writes to everything that a value leads to. */
const scramble = (value: unknown): void => {
  if (Array.isArray(value)) {
    for (const each of value) scramble(each)
    value.reverse()
    value.push("scrambled")
  } else if (typeof value === "object" && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      scramble(inner)
      if (typeof inner !== "object") (value as Record<string, unknown>)[key] = "scrambled"
    }
    ;(value as Record<string, unknown>)["more"] = "scrambled"
  }
}

describe("assembling", () => {
  it("PM66: is the same for any order of registration", () => {
    fc.assert(
      fc.property(crowds, ({ list, other }) => {
        const [one, two] = [assembled(layersOf(list)), assembled(layersOf(other))]
        expect(two).toEqual(one)
        const inOrder = (a: string, b: string): boolean => [a, b].sort()[0] === a
        for (const [i, { name, text }] of one.sections.entries()) {
          const next = one.sections[i + 1]
          if (next === undefined) continue
          const [a, b] = [text, next.text].map((each) => Number(each.split(" at ")[1]))
          expect((a ?? 0) < (b ?? 0) || (a === b && inOrder(name, next.name))).toBe(true)
        }
      }),
    )
  })

  it("PM67: is not changed by what is done to an earlier assembly", () => {
    fc.assert(
      fc.property(crowds, fc.json({ maxDepth: 3 }), ({ list }, json) => {
        const parameters: unknown = JSON.parse(json.replaceAll(/-0(?![.\d])/g, "0"))
        const layers = layersOf([...list, tools({ schemas: [tool("t", { parameters })] })])
        const first = assembled(layers)
        const before = JSON.stringify(first)
        scramble(first)
        expect(JSON.stringify(assembled(layers))).toBe(before)
      }),
    )
  })
})

/** The grammar of references as the rules say it, with one expression a rule. */
const naive = (text: string, variables: Readonly<Record<string, string>>): string | null => {
  let result = ""
  let rest = text
  for (;;) {
    const open = rest.indexOf("{{")
    if (open < 0) return result + rest
    result += rest.slice(0, open)
    rest = rest.slice(open)
    const group = /^\{\{([^{}]*)\}\}/.exec(rest)
    if (group !== null) {
      const name = group[1] ?? ""
      if (!/^[a-z][a-z0-9_]*$/.test(name) || !(name in variables)) return null
      result += variables[name] ?? ""
      rest = rest.slice(group[0].length)
    } else if (rest.slice(2).includes("}}")) return null
    else {
      result += "{{"
      rest = rest.slice(2)
    }
  }
}

const owner = { is: "section", name: "s" } as const

describe("references", () => {
  it("PM68: are read as the grammar says", () => {
    const pieces = fc.constantFrom("{{", "}}", "{", "}", "a", "{{a}}", " ", "b", "\n", "}}}")
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 10 }), (list) => {
        const text = list.join("")
        const variables = { a: "{{a}} }}" }
        const result = interpolated(text, variables, owner)
        expect(isLeft(result) ? null : result.right).toBe(naive(text, variables))
      }),
      { numRuns: 2000 },
    )
  })

  it("PM69: a value is never looked at again", () => {
    const values = fc
      .array(fc.constantFrom("{{", "}}", "{{x}}", "{{ bad }}", "y", "{", "}"))
      .map((list) => list.join(""))
    const parts = fc.array(
      fc.oneof(
        fc.constantFrom("x", "y").map((name) => ({ name, text: `{{${name}}}` })),
        fc.constantFrom("", "prose ", "} ", "{ ", "a").map((text) => ({ name: null, text })),
      ),
    )
    fc.assert(
      fc.property(parts, values, values, (list, x, y) => {
        const text = list.map((part) => part.text).join("")
        const expected = list
          .map(({ name, text: prose }) => (name === null ? prose : name === "x" ? x : y))
          .join("")
        // prose that touches a reference may open or close with it
        fc.pre(!/\{\{\{|\{ \{\{|\}\}\}/.test(text))
        expect(rightOf(interpolated(text, { x, y }, owner))).toBe(expected)
        expect(variableName.test("x")).toBe(true)
      }),
    )
  })
})

describe("the runtime context", () => {
  it("PM75: is told when it differs from what was told last, and never twice", () => {
    const turns = fc.array(
      fc.oneof(
        fc.constantFrom("", "a", "b").map((text) => ({ is: "told" as const, text })),
        fc.record({ is: fc.constant("compact" as const), from: fc.nat(9), length: fc.nat(3) }),
      ),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(turns, (list) => {
        const agent = new Agent()
        agent.append({ type: "user/message", data: userMessage("x"), surfaceOp: "append" })
        const eventOf = (seq: number) => eventIn(agent.log, seq)
        let live = neverTold
        let seen = 0
        for (const [i, each] of list.entries()) {
          const { size } = agent.log.surface
          if (each.is === "compact") {
            const from = each.from % size
            agent.compact(from, Math.min(size - 1, from + each.length), `s${i}`)
          } else {
            const sections = each.text === "" ? [] : [{ name: "n", text: each.text }]
            const current = joinContextSections(sections)
            const state = restoreRuntimeContext(agent.log.surface, eventOf)
            const candidate = runtimeContextCandidate(state, current, sections)
            if (candidate !== null)
              agent.append({
                type: "user/message",
                data: runtimeContextMessage(`c${i}`, candidate),
                surfaceOp: "append",
              })
            const told = restoreRuntimeContext(agent.log.surface, eventOf)
            // told once, it is not told again; and what the model has is what holds
            expect(runtimeContextCandidate(told, current, sections)).toBeNull()
            if (current !== "") expect(told).toMatchObject({ is: "retained", text: current })
          }
          while (seen < agent.log.surface.nextSeq) live = stepRuntimeContext(live, eventOf(seen++))
          const read = restoreRuntimeContext(agent.log.surface, eventOf)
          // live, an older one is not fallen back to
          if (live.is === "retained" || live.is === "never") expect(read).toEqual(live)
          else expect(read.is).not.toBe("never")
        }
      }),
    )
  })
})
