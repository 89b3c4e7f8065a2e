import { readFileSync, readdirSync } from "node:fs"
import { Ajv2020 } from "ajv/dist/2020.js"
import { root } from "./run.ts"

const folder = `${root}docs/schema/`

// strict, but for rules of style that a conditional part of a schema cannot keep
const compiler = new Ajv2020({ allErrors: true, strictRequired: false, strictTypes: false })

interface Schema {
  readonly $id: string
  readonly title: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, object>>
}

export const schemas: readonly Schema[] = readdirSync(folder)
  .toSorted()
  .map((name) => JSON.parse(readFileSync(folder + name, "utf8")) as Schema)

for (const schema of schemas) compiler.addSchema(schema)

export type SchemaName =
  | "session"
  | "step"
  | "fold"
  | "replay"
  | "messages"
  | "prompt"
  | "prompts"
  | "bench"
  | "finding"
  | "verdict"
  | "check"
  | "migration"
  | "migrate"
  | "recovery"
  | "request"
  | "requests"
  | "diff"
  | "blame"
  | "blame-report"

/** What is wrong with a value, by the published schema of that name; empty where nothing is. */
export const faultsOf = (name: SchemaName, value: unknown): readonly string[] => {
  const validate = compiler.getSchema(`urn:refold:${name}:1`)
  if (validate === undefined) return [`there is no schema of ${name}`]
  void validate(value)
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath} ${message ?? ""}`,
  )
}

/** A record with each field left out, and with each of another type; what was done, and the record. */
export const mutants = (record: object): readonly (readonly [string, object])[] =>
  Object.keys(record).flatMap((key) => {
    const rest = Object.entries(record).filter(([name]) => name !== key)
    return [
      [`without ${key}`, Object.fromEntries(rest)],
      [`with another ${key}`, { ...record, [key]: [{}] }],
    ] as const
  })
