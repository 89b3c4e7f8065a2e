// The public declarations as text under docs/api, so that a change of the API shows in its diff.
// Without --write: fails where the text differs from what the build declares.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, relative, sep } from "node:path"
import { fileURLToPath } from "node:url"
import ts from "typescript"

const root = fileURLToPath(new URL("..", import.meta.url))

const reports = [
  { title: "refold/core", entry: "dist/core/index.d.ts", report: "docs/api/core.txt" },
  { title: "refold", entry: "dist/shell/index.d.ts", report: "docs/api/refold.txt" },
]

const byCodeUnits = (a, b) => (a < b ? -1 : a > b ? 1 : 0)

const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed })

/** The statement of a declaration: a variable's declarator alone would lose its `const`. */
const statementOf = (declaration) =>
  ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration

const textOf = (declaration) =>
  printer
    .printNode(ts.EmitHint.Unspecified, statementOf(declaration), declaration.getSourceFile())
    .replace(/^export (declare )?/, "")
    .replace(/^declare /, "")

const resolved = (checker, symbol) =>
  symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol

const isModule = (symbol) => symbol.declarations?.some(ts.isSourceFile) ?? false

/** Names and symbols of a module; `export * as room` comes out as `room.name`. */
const exportsOf = (checker, module, prefix = "") =>
  checker.getExportsOfModule(module).flatMap((exported) => {
    const symbol = resolved(checker, exported)
    const name = `${prefix}${exported.name}`
    return isModule(symbol) ? exportsOf(checker, symbol, `${name}.`) : [{ name, symbol }]
  })

const ownDeclarations = (program, symbol) =>
  (symbol.declarations ?? []).filter(
    (declaration) =>
      !program.isSourceFileFromExternalLibrary(declaration.getSourceFile()) &&
      !program.isSourceFileDefaultLibrary(declaration.getSourceFile()),
  )

/** What an exported declaration names without exporting it is part of the promise too. */
const namedBy = (program, checker, declaration) => {
  const found = []
  const visit = (node) => {
    if (ts.isIdentifier(node)) {
      const local = checker.getSymbolAtLocation(node)
      const symbol = local && resolved(checker, local)
      const declarations = symbol ? ownDeclarations(program, symbol) : []
      if (declarations.some((one) => ts.isSourceFile(statementOf(one).parent))) found.push(symbol)
    }
    ts.forEachChild(node, visit)
  }
  visit(statementOf(declaration))
  return found
}

const reportOf = (title, entry) => {
  const program = ts.createProgram([`${root}${entry}`], {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    types: [],
    skipLibCheck: true,
  })
  const checker = program.getTypeChecker()
  const file = program.getSourceFile(`${root}${entry}`)
  const module = checker.getSymbolAtLocation(file)
  const exported = module ? exportsOf(checker, module) : []

  const seen = new Set(exported.map(({ symbol }) => symbol))
  const internal = []
  const queue = [...seen]
  for (let symbol = queue.pop(); symbol !== undefined; symbol = queue.pop()) {
    for (const declaration of ownDeclarations(program, symbol)) {
      for (const named of namedBy(program, checker, declaration)) {
        if (seen.has(named)) continue
        seen.add(named)
        queue.push(named)
        const from = relative(root, named.declarations[0].getSourceFile().fileName)
        internal.push({ name: `${named.name} (${from.split(sep).join("/")})`, symbol: named })
      }
    }
  }

  const block = ({ name, symbol }) => {
    const texts = ownDeclarations(program, symbol).map(textOf)
    return `${name}\n${(texts.length > 0 ? texts.join("\n") : "(declared elsewhere)").replace(/^/gm, "    ")}\n`
  }
  const blocks = (list) => list.sort((a, b) => byCodeUnits(a.name, b.name)).map(block)
  return [
    `Public declarations of ${title}. Written by: npm run api:write\n`,
    ...blocks(exported),
    ...(internal.length > 0 ? ["== named by these, not exported ==\n", ...blocks(internal)] : []),
  ].join("\n")
}

const write = process.argv.includes("--write")

for (const { title, entry, report } of reports) {
  if (!existsSync(`${root}${entry}`)) {
    console.error(`api: ${entry} is missing; build first`)
    process.exitCode = 1
    continue
  }
  const text = reportOf(title, entry)
  const path = `${root}${report}`
  const committed = existsSync(path) ? readFileSync(path, "utf8") : ""
  if (text === committed) continue
  if (write) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    continue
  }
  process.exitCode = 1
  const old = new Set(committed.split("\n"))
  const now = new Set(text.split("\n"))
  console.error(`api: ${report} differs from the build (npm run api:write accepts it)`)
  for (const line of old) if (!now.has(line)) console.error(`  - ${line}`)
  for (const line of now) if (!old.has(line)) console.error(`  + ${line}`)
}
