// The graph as it resolves, so an alias, a re-export or a renamed package cannot hide an edge.
const library = "^node_modules/(fp-ts/lib/|io-ts/)"

export default {
  forbidden: [
    {
      name: "core-allow-list",
      comment: "Core imports itself, fp-ts and io-ts: a clock or a file would make it impure.",
      severity: "error",
      from: { path: "^src/core/" },
      to: { pathNot: ["^src/core/", library] },
    },
    {
      name: "workers-allow-list",
      comment: "A worker turns bytes into plain data: it reads, inflates and hashes, nothing else.",
      severity: "error",
      from: { path: "^src/workers/" },
      to: {
        pathNot: [
          "^src/(core|workers)/",
          library,
          "^(node:)?(buffer|crypto|fs|zlib)$",
          "^node_modules/piscina/",
          // the type of what zlib makes; oxlint sees to it that it is no more
          "^(node:)?stream$",
          // decoders, loaded when a container asks for them
          "^node_modules/(@bokuweb/zstd-wasm|libsql|yauzl|@types/yauzl)/",
          // tokenisers, loaded when somebody counts by them
          "^node_modules/(@huggingface/tokenizers|gpt-tokenizer)/",
        ],
      },
    },
    {
      name: "shell-knows-worker-types-only",
      comment: "A value import would load a task into the main thread.",
      severity: "error",
      from: { path: "^src/shell/" },
      to: { path: "^src/workers/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "source-stands-alone",
      comment: "What is shipped does not lean on what is not.",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^(bench|properties|test|dist|\\.ci)/" },
    },
    {
      name: "no-development-packages",
      comment: "They are absent where the package is installed.",
      severity: "error",
      from: { path: "^src/" },
      to: {
        dependencyTypes: ["npm-dev", "npm-no-pkg", "unknown"],
        // an optional peer is installed here for the tests, and its absence is a fault with a name
        dependencyTypesNot: ["type-only", "npm-peer"],
      },
    },
    {
      name: "no-circular",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "no-orphans",
      comment: "A file nobody imports is dead, entry points excepted.",
      severity: "error",
      from: {
        orphan: true,
        pathNot: [
          "^src/(core|shell)/index\\.ts$",
          "^src/shell/main\\.ts$",
          "^src/workers/[^/]+-task\\.ts$",
          "^bench/",
          "\\.(spec|prop|test-d)\\.ts$",
          "^properties/setup\\.ts$",
        ],
      },
      to: {},
    },
    {
      name: "not-to-unresolvable",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    // An example reaches the package as its users do: by its name, built.
    doNotFollow: { path: ["node_modules", "^dist/"] },
    tsConfig: { fileName: "tsconfig.json" },
    // Type imports count: they are edges of the design even where they vanish from the output.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ["source", "import", "types", "node", "default"],
      exportsFields: ["exports"],
    },
  },
}
