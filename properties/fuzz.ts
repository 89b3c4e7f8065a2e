// npm run fuzz [-- LOGS [SEED]]: many damaged logs, read and checked. The seed is printed; a run with
// the same one tries the same logs. The first log that breaks a law is written out in base64.
import fc from "fast-check"
import { layerOf } from "#core/fold/code-layer"
import type { Damaged } from "./arbitraries/damage.ts"
import { accidents, damage } from "./arbitraries/damage.ts"
import { versions } from "./arbitraries/dialect.ts"
import type { Body } from "./arbitraries/lines.ts"
import { bodies } from "./arbitraries/lines.ts"
import { soundLines, soundLog } from "./arbitraries/sound-logs.ts"
import { isSameSkimmed, readingFault, watchedCheck } from "./check-laws.ts"
import { drawFrom } from "./scale.ts"

const [count = "100000", given = String(Math.floor(Math.random() * 2 ** 31))] =
  process.argv.slice(2)
const seed = Number(given)
const draw = drawFrom(seed)

// a base is made once and damaged often
const damagedOfBase = 100
const basesAtOnce = 20

interface Base {
  readonly lines: readonly Buffer[]
  /** Events of each row of a log without any fault, or null. */
  readonly counts: readonly number[] | null
}

const linesOf = ({ header, lines }: Body): readonly Buffer[] => [
  Buffer.from(JSON.stringify(header)),
  ...lines,
]

const makeBases = (): readonly Base[] => {
  const odd = fc.sample(bodies(16), { numRuns: basesAtOnce, seed: draw(2 ** 31) })
  const right = Array.from({ length: basesAtOnce }, (): Base => {
    const log = soundLog(versions[draw(versions.length)] ?? 4, draw)
    return { lines: soundLines(log), counts: log.counts }
  })
  return [...right, ...odd.map((body): Base => ({ lines: linesOf(body), counts: null }))].filter(
    ({ lines }) => lines.length > 2,
  )
}

const tally = {
  logs: 0,
  bytes: 0,
  found: 0,
  withoutFinding: 0,
  onlyAcceptance: 0,
  torn: 0,
  mostFindingsOfALog: 0,
}
const codes = new Map<string, number>()
const byAccident = new Map<string, number>()

/** Lines of damaged bytes, to be damaged once more. */
const cutLines = (bytes: Buffer): readonly Buffer[] => {
  const lines: Buffer[] = []
  let at = 0
  for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, at)) {
    lines.push(bytes.subarray(at, end))
    at = end + 1
  }
  return lines
}

const damagedText = (lines: readonly Buffer[]): Damaged | null => {
  const how = accidents[draw(accidents.length)] ?? "flipped"
  try {
    return damage(lines, how, draw)
  } catch {
    // a key can be left out of JSON alone, and an earlier accident may have broken it
    return null
  }
}

const faultOf = (base: Base, damaged: Damaged, isFirst: boolean): string | null => {
  const { bytes, intact } = damaged
  const { outcome, readAgain, lookups } = watchedCheck(bytes)
  const lines = base.lines.length + 4
  tally.logs++
  tally.bytes += bytes.length
  tally.found += outcome.found.length
  tally.mostFindingsOfALog = Math.max(tally.mostFindingsOfALog, outcome.found.length)
  if (outcome.tail !== null) tally.torn++
  if (outcome.found.length === 0) tally.withoutFinding++
  else if (outcome.refusal === null) tally.onlyAcceptance++
  for (const [code, times] of outcome.counts) codes.set(code, (codes.get(code) ?? 0) + times)
  if (lookups > 1) return `looked for ${lookups} seqs`
  if (readAgain > 4 * lines * lines) return `read ${readAgain} lines again, of ${lines}`
  if (outcome.found.length > 40 * lines) return `${outcome.found.length} findings`
  const rows = outcome.found.map(({ row }) => row)
  if (rows.some((row, i) => i > 0 && row < (rows[i - 1] ?? 0))) return "findings out of order"
  if (base.counts !== null && isFirst) {
    const events = base.counts.slice(0, Math.max(0, intact - 1)).reduce((a, b) => a + b, 0)
    if (outcome.acceptedEvents < events) return `${outcome.acceptedEvents} kept of ${events}`
  }
  if (tally.logs % 4 === 0 && !isSameSkimmed(bytes, outcome)) return "another outcome when skimmed"
  return readingFault(bytes, outcome)
}

const tryOne = (base: Base): string | null => {
  let lines = base.lines
  const times = 1 + (draw(3) === 0 ? 1 + draw(3) : 0)
  for (let i = 0; i < times && lines.length > 2; i++) {
    const damaged = damagedText(lines)
    if (damaged === null) continue
    byAccident.set(damaged.how, (byAccident.get(damaged.how) ?? 0) + 1)
    let fault: string | null
    try {
      fault = faultOf(base, damaged, i === 0)
    } catch (error) {
      fault = String(error)
    }
    if (fault !== null) return `${fault}\n${damaged.bytes.toString("base64")}`
    lines = cutLines(damaged.bytes)
  }
  return null
}

const sorted = (counts: ReadonlyMap<string, number>): object =>
  Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))

console.log(`fuzz: ${count} logs, seed ${seed}`)
let fault: string | null = null
while (fault === null && tally.logs < Number(count))
  for (const base of makeBases())
    for (let i = 0; i < damagedOfBase && fault === null && tally.logs < Number(count); i++)
      fault = tryOne(base)

const acceptance = [...codes].filter(([code]) => layerOf(code as never) === "acceptance")
console.log(JSON.stringify(sorted(byAccident)))
console.log(JSON.stringify(sorted(codes)))
console.log(JSON.stringify({ ...tally, acceptanceCodes: acceptance.length, codes: codes.size }))
if (fault !== null) {
  console.error(`fuzz: ${fault}`)
  process.exitCode = 1
}
