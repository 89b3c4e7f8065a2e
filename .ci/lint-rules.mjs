// Rules of the house that oxlint does not bring.
import { dirname, relative, resolve, sep } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))

/** What an import names: a path from the root of the project, or the bare specifier. */
const targetOf = (specifier, importer) =>
  specifier.startsWith(".")
    ? relative(root, resolve(dirname(importer), specifier))
        .split(sep)
        .join("/")
    : specifier

/**
 * An allow-list of imports: `allow` and `typesOnly` are patterns over targets.
 * no-restricted-imports has only ban lists, and a ban list forgets what nobody thought of.
 */
const imports = {
  meta: { schema: [{ type: "object" }] },
  create: (context) => {
    const { allow, typesOnly = [] } = context.options[0]
    const matches = (patterns, target) =>
      patterns.some((pattern) => new RegExp(pattern).test(target))
    const judge = (node, isTypeOnly) => {
      if (node.source?.type !== "Literal" || typeof node.source.value !== "string") return
      const target = targetOf(node.source.value, context.filename)
      if (matches(allow, target) || (isTypeOnly && matches(typesOnly, target))) return
      const how = matches(typesOnly, target)
        ? "may be imported only as `import type`"
        : "may not be imported"
      context.report({ node, message: `On this floor ${target} ${how}.` })
    }
    return {
      ImportDeclaration: (node) => judge(node, node.importKind === "type"),
      ExportNamedDeclaration: (node) => judge(node, node.exportKind === "type"),
      ExportAllDeclaration: (node) => judge(node, node.exportKind === "type"),
      ImportExpression: (node) => judge(node, false),
    }
  },
}

/** Expected failures are values; only the defect helper may throw (see .oxlintrc.json). */
const noThrow = {
  create: (context) => ({
    ThrowStatement: (node) =>
      context.report({ node, message: "Return a Refusal, or call the defect helper." }),
  }),
}

/** `push(...xs)` puts every element on the stack: a long log overflows it. */
const noPushSpread = {
  create: (context) => ({
    CallExpression: (node) => {
      const { callee } = node
      const name = callee.type === "MemberExpression" && !callee.computed && callee.property.name
      if (name !== "push" && name !== "unshift") return
      if (!node.arguments.some((argument) => argument.type === "SpreadElement")) return
      context.report({
        node,
        message: `Loop instead of ${name}(...spread): it overflows the stack.`,
      })
    },
  }),
}

export default {
  meta: { name: "refold" },
  rules: { imports, "no-throw": noThrow, "no-push-spread": noPushSpread },
}
