import { Prng } from "./prng.ts"
import { fill, sentenceOf, textOf, type TextKind } from "./text-source.ts"

/** One call a model makes: the raw text of its arguments, and what its output looks like. */
export type PlannedCall = {
  readonly name: string
  readonly arguments: string
  readonly output: TextKind
}

type Tool = {
  readonly name: string
  readonly description: string
  readonly parameters: Readonly<Record<string, "string" | "number" | "array">>
  readonly output: TextKind
  readonly weight: number
  readonly call: (prng: Prng) => object
}

const tools: readonly Tool[] = [
  {
    name: "read",
    description:
      "Reads a text file and gives its lines with numbers. Use `offset` and `limit` to page through long files; prefer this to printing files in a shell.",
    parameters: { file_path: "string", offset: "number", limit: "number" },
    output: "code",
    weight: 5,
    call: (prng) =>
      prng.chance(0.5)
        ? { file_path: fill(prng, "{file}") }
        : { file_path: fill(prng, "{deepPath}"), offset: prng.integer(1, 400), limit: 200 },
  },
  {
    name: "bash",
    description:
      "Runs one command in a fresh shell and gives what it printed. A non-zero exit is reported as `[exit N]`, not as a failure of the tool.",
    parameters: { command: "string", description: "string", timeout_ms: "number" },
    output: "shell",
    weight: 5,
    call: (prng) => ({
      command: fill(
        prng,
        prng.pick([
          "npm test -- {file}",
          "git log --oneline -{number} -- '{file}'",
          'grep -rn "{ident}" src | head -{number}',
          "printf '%s\\n' \"$PATH\" | tr ':' '\\n'",
        ]),
      ),
      description: fill(prng, "{verb} the {thing}"),
    }),
  },
  {
    name: "grep",
    description: "Searches file contents with a regular expression and gives file, line and text.",
    parameters: { pattern: "string", path: "string" },
    output: "shell",
    weight: 3,
    call: (prng) => ({ pattern: fill(prng, "\\b{verb}(\\w+)\\("), path: "src" }),
  },
  {
    name: "edit",
    description: "Replaces one exact piece of a file by another. Fails unless it occurs once.",
    parameters: { file_path: "string", old_string: "string", new_string: "string" },
    output: "code",
    weight: 2,
    call: (prng) => ({
      file_path: fill(prng, "{file}"),
      old_string: textOf(prng, "code", 15),
      new_string: textOf(prng, "code", 30),
    }),
  },
  {
    name: "web_fetch",
    description: "Fetches one page and gives its text. Pages in any language, never their scripts.",
    parameters: { url: "string" },
    output: "unicode",
    weight: 1,
    call: (prng) => ({ url: fill(prng, "https://docs.example/{ident}/{number}?lang=ja#{hash}") }),
  },
  {
    name: "todo_write",
    description: "Replaces the list of things to do that the person sees.",
    parameters: { todos: "array" },
    output: "prose",
    weight: 1,
    call: (prng) => ({
      todos: [
        { content: sentenceOf(prng), status: "completed" },
        { content: sentenceOf(prng), status: "in_progress" },
      ],
    }),
  },
]

const lots = tools.flatMap((tool) => Array<Tool>(tool.weight).fill(tool))

// As with texts, calls come from a stock made once: making one costs more than writing it.
const stockSize = 1_000
let stock: readonly PlannedCall[] | undefined

const makeStock = (): readonly PlannedCall[] => {
  const prng = new Prng("tool calls")
  return Array.from({ length: stockSize }, () => {
    const tool = prng.pick(lots)
    return { name: tool.name, arguments: JSON.stringify(tool.call(prng)), output: tool.output }
  })
}

/** A call of one of the standard tools. */
export const planCall = (prng: Prng): PlannedCall => {
  stock ??= makeStock()
  return prng.pick(stock)
}

export const standardTools: readonly string[] = tools.map((tool) => tool.name)

const schemaOf = (tool: Tool): object => ({
  name: tool.name,
  description: tool.description,
  parameters: {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(tool.parameters).map(([name, type]) => [name, { type }]),
    ),
    required: Object.keys(tool.parameters).slice(0, 1),
    additionalProperties: false,
  },
})

const standardSchemas = new Map(tools.map((tool) => [tool.name, schemaOf(tool)]))

/** The schema of a tool as a request header lists it; other names get a plain one. */
export const toolSchema = (name: string): object =>
  standardSchemas.get(name) ?? {
    name,
    description: `Calls the ${name} service of this workspace.`,
    parameters: { type: "object", properties: { query: { type: "string" } } },
  }
