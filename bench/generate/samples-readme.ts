import { sha256 } from "./line-sink.ts"
import type { Sample } from "./sample.ts"

const verdict = ({ summary }: Sample): string => {
  if (summary.refusalSeq !== null) return `refused at ${summary.refusalSeq}`
  return summary.torn ? "torn" : "ok"
}

const row = (sample: Sample): string => {
  const { path, bytes, summary, note } = sample
  const { formatVersion, eventCount, nodes, replacements } = summary
  const cells = [
    `\`${path}\``,
    formatVersion,
    bytes.length,
    eventCount,
    nodes.length,
    replacements.length,
    verdict(sample),
    note,
  ]
  return `| ${cells.join(" | ")} |`
}

/** The README of the samples: what each log holds, what is expected of it, and its digest. */
export const samplesReadme = (samples: readonly Sample[]): string => `# Sample archive

A small archive of made-up sessions. \`npm run generate -- --samples\` writes it again, byte for byte;
nothing in it was recorded. Events, nodes and replacements are those of the accepted part of a log,
as the naive model beside the writer counts them (\`bench/generate/samples-expected.json\`).

| path | format | bytes | events | nodes | replacements | verdict | what is in it |
| --- | ---: | ---: | ---: | ---: | ---: | --- | --- |
${samples.map(row).join("\n")}

Two logs end in a torn tail: bytes behind the last newline. Both are fine up to there, also the one
whose last line would parse.

One log is refused: the checkpoint at the seq above replaces a range of nodes, and its
\`sourceEventSeqs\` leave out the last node of that range. A replacement has to cite every node it
shadows; the log is good up to the event before.

Names follow the layout of the store: \`~0020\` stands for a space, \`~03B2\` for β, \`~002F\` for a
slash, and sessions without a directory are kept below \`_no-cwd\`.

## SHA-256

\`\`\`
${samples.map(({ path, bytes }) => `${sha256(bytes)}  ${path}`).join("\n")}
\`\`\`
`
