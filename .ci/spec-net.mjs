// Every behaviour of docs/SPEC.md is quoted by a test, and every quoted behaviour exists.
// A test quotes by its title: it("S12: …") or it("S12 S13: …"). Skipped and planned tests quote nothing.
import { existsSync, readFileSync, readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import ts from "typescript"

const root = fileURLToPath(new URL("..", import.meta.url))
const specFile = `${root}docs/SPEC.md`

const defined = /^\s*(?:#+|[-*])\s+(?:\*\*)?([A-Z]{1,2}\d+)\b/
const quoting = /^([A-Z]{1,2}\d+(?:[ ,]+[A-Z]{1,2}\d+)*):/
const isTestFunction = (name) => /^(it|test|describe)(?![a-z])/.test(name)

/** `it`, `it.each(rows)`, `describeShared`: the first name, and the names after it. */
const namesOf = (callee) => {
  if (ts.isIdentifier(callee)) return [callee.text]
  if (ts.isPropertyAccessExpression(callee))
    return [...namesOf(callee.expression), callee.name.text]
  if (ts.isCallExpression(callee)) return namesOf(callee.expression)
  if (ts.isTaggedTemplateExpression(callee)) return namesOf(callee.tag)
  return [""]
}

const titleOf = (argument) => {
  if (argument === undefined) return ""
  if (ts.isStringLiteralLike(argument)) return argument.text
  return ts.isTemplateExpression(argument) ? argument.head.text : ""
}

const idsQuotedIn = (file) => {
  const ids = new Set()
  const visit = (node) => {
    if (ts.isCallExpression(node)) {
      const [first, ...rest] = namesOf(node.expression)
      const runs = !rest.includes("skip") && !rest.includes("todo")
      if (isTestFunction(first) && !runs) return
      const match = isTestFunction(first) && quoting.exec(titleOf(node.arguments[0]))
      for (const id of match ? match[1].split(/[ ,]+/) : []) ids.add(id)
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, readFileSync(`${root}${file}`, "utf8"), ts.ScriptTarget.Latest))
  return ids
}

const testFiles = ["test", "properties"]
  .flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true }).map((name) => `${folder}/${name}`),
  )
  .filter((name) => /\.(spec|prop)\.ts$/.test(name))

const problems = []

const specified = new Set()
const specText = existsSync(specFile) ? readFileSync(specFile, "utf8") : ""
if (specText === "") console.log("spec: docs/SPEC.md is missing or empty")
for (const line of specText.split("\n")) {
  const id = defined.exec(line)?.[1]
  if (id === undefined) continue
  if (specified.has(id)) problems.push(`${id} is defined twice in docs/SPEC.md`)
  specified.add(id)
}

const quotedIn = new Map()
for (const file of testFiles) {
  for (const id of idsQuotedIn(file)) quotedIn.set(id, quotedIn.get(id) ?? file)
}

for (const id of specified) {
  if (!quotedIn.has(id)) problems.push(`${id} is in docs/SPEC.md and no test quotes it`)
}
for (const [id, file] of quotedIn) {
  if (!specified.has(id)) problems.push(`${id} is quoted in ${file} and not in docs/SPEC.md`)
}

for (const problem of problems) console.error(`spec: ${problem}`)
console.log(`spec: ${specified.size} behaviours, ${testFiles.length} test files`)
if (problems.length > 0) process.exitCode = 1
