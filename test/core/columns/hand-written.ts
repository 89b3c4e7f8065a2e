import type { FormatVersion } from "#core/format/format"
import type { Found } from "./scanning.ts"
import { bytesOf, scanned } from "./scanning.ts"

export const scan = (version: FormatVersion, ...lines: readonly (Buffer | string)[]): Found =>
  scanned(version, bytesOf(lines), { isFast: true })

/** Whether the parser had to read a line, and what came of it. */
export const verdictOn = (version: FormatVersion, line: Buffer | string): string => {
  const { fallbackCount, stop } = scan(version, line)
  const code = stop?.refusal?.code
  return fallbackCount === 0 ? "plain" : (code ?? "parsed")
}

export const row = (type: string, data: string, rest = ""): string =>
  `{"type":"${type}","seq":7,"time":5,"data":${data}${rest}}`

export const append = ',"surfaceOp":"append"'
export const text = '{"type":"text","text":"hello"}'

export const user = (content: string, rest = append): string =>
  row("user/message", `{"id":"u","role":"user","content":[${content}],"source":${kind}}`, rest)

export const kind = '{"kind":"user"}'

export const answer = (rest: string): string =>
  row(
    "assistant/message",
    `{"turn":1,"step":2,"message":{"id":"a","role":"assistant","content":[${text}],` +
      `"source":{"kind":"model","provider":"p","model":"m"}}${rest}}`,
    append,
  )

export const result = (toolCallId: string, rest = ""): string =>
  row(
    "tool/result",
    `{"message":{"id":"r","role":"tool","source":{"kind":"tool","callId":"c"},` +
      `"toolCallId":${toolCallId},"content":[${text}]}${rest}}`,
    append,
  )

export const chunk = (inner: string): string =>
  row("assistant/chunk", `{"turn":1,"step":2,"chunk":${inner}}`)

export const usage = '{"type":"usage","usage":{"inputTokens":3}'
export const todo = (value: string): string => row("todo/write", `{"some":${value}}`)

export const run = (data: string): string =>
  `{"type":"text-chunks","seq0":7,"time0":5,"data":${data}}`
export const callRun = (data: string): string =>
  `{"type":"tool-call-chunks","seq0":7,"time0":5,"data":{"turn":1,"step":1,"index":0,${data}}}`

export type Case = readonly [what: string, version: FormatVersion, line: Buffer | string]

export const nestedResult = (levels: number): string =>
  '{"type":"tool-result","toolCallId":"c","content":['.repeat(levels) + "]}".repeat(levels)
