import { createHash } from "node:crypto"
import { readFileSync, readdirSync } from "node:fs"
import { expect, it } from "vitest"
import type { Message } from "#core/messages/event-message"
import { messagesDigest } from "#core/messages/digest"
import { readLog } from "../fixtures/log-in-memory.ts"
import { describeShared } from "../shared.ts"

/** What the public packages of the agent made of a log of format 0. */
interface Oracle {
  readonly error?: string
  readonly events: number
  readonly nodes: readonly number[]
  readonly replacements: readonly object[]
  readonly messages: number
  readonly messagesSha256: string
  readonly messageTokens: number
  readonly toolsTokens: number
  readonly systemTokens: number
}

/** Logs that the reference fails on, and the row of each that is at fault. */
const refused: Readonly<
  Record<string, { readonly code: string; readonly seq: number; readonly row: number }>
> = {
  // assistant messages from before there was a message inside them
  "code-mode-round-session-6df96492": { code: "payload-shape", seq: 205, row: 14 },
  "feedback-command-session-8e3547bf": { code: "payload-shape", seq: 31, row: 14 },
  "fresh-round-trip-session-1694d4a0": { code: "payload-shape", seq: 55, row: 14 },
  "lifecycle-chrome-session-a7555611": { code: "payload-shape", seq: 31, row: 14 },
  "live-interactions-session-6ee8f0a6": { code: "payload-shape", seq: 89, row: 14 },
  "question-composer-session-3d8d6605": { code: "payload-shape", seq: 131, row: 14 },
  "seeded-history-seed-d77c33b3": { code: "payload-shape", seq: 64, row: 17 },
  "steering-session-ef340e95": { code: "payload-shape", seq: 88, row: 14 },
  // event 11 cites 5 to 102
  "cordis-tool-round-session-3f98ff9b": { code: "source-not-earlier", seq: 11, row: 12 },
}

const sha256 = (messages: readonly Message[]): string => {
  const hash = createHash("sha256")
  return messagesDigest(messages, {
    update: (text) => {
      hash.update(text, "utf8")
    },
    digest: () => hash.digest("hex"),
  })
}

const sessionOf = (path: string): string => path.split("/").at(-2) ?? ""

describeShared("the real logs of format 0", (shared) => {
  const root = `${shared}/archives/dsh-v0`
  const oracles = JSON.parse(readFileSync(`${shared}/oracles/dsh-v0.json`, "utf8")) as Readonly<
    Record<string, Oracle>
  >
  const logs = Object.entries(oracles)
  const sound = logs.filter(([, oracle]) => oracle.error === undefined)
  const unsound = logs.filter(([, oracle]) => oracle.error !== undefined)

  it("F50: there is an oracle for each of the 98 logs", () => {
    const paths = readdirSync(root, { recursive: true })
      .map((path) => String(path).replaceAll("\\", "/"))
      .filter((path) => path.endsWith(".jsonl"))
    expect(paths.toSorted()).toStrictEqual(logs.map(([path]) => path).toSorted())
    expect(logs.length).toBe(98)
    expect(unsound.map(([path]) => sessionOf(path)).toSorted()).toStrictEqual(
      Object.keys(refused).toSorted(),
    )
  })

  it.each(sound)("F50: %s folds as the reference does", (path, oracle) => {
    const read = readLog(readFileSync(`${root}/${path}`), { namedVersion: 0 })
    expect(read).toMatchObject({ status: "ok", refusal: null, tail: null })
    const { tokens } = read
    expect({
      events: read.eventCount,
      nodes: read.nodes,
      replacements: read.replacements,
      messages: read.messages.length,
      messagesSha256: sha256(read.messages),
      messageTokens: tokens?.messages,
      toolsTokens: tokens?.tools,
      systemTokens: tokens?.system,
    }).toStrictEqual(oracle)
    expect(read.fold?.surface.messageCount).toBe(oracle.messages)
  })

  it.each(unsound)("F50: %s is refused where the reference fails", (path) => {
    const expected = refused[sessionOf(path)]
    const read = readLog(readFileSync(`${root}/${path}`), { namedVersion: 0 })
    expect(read).toMatchObject({
      status: "refused",
      refusal: { refusal: { code: expected?.code, seq: expected?.seq }, row: expected?.row },
    })
    // the accepted prefix ends just before it
    expect(read.eventCount).toBe(expected?.seq)
  })
})
