// npm run campaign [-- SESSIONS [SEED]]: many random logs of format 0, folded by the public package
// and by us. The seed is printed; a run with the same one tries the same logs.
import fc from "fast-check"
import type { Session } from "./arbitraries/sessions.ts"
import { brokenRowsOf, plainSessions } from "./arbitraries/sessions.ts"
import { compare, loadPeer } from "./peer.ts"

const [count = "100000", seed = String(Math.floor(Math.random() * 2 ** 31))] = process.argv.slice(2)
const peer = await loadPeer()

if (peer === null) {
  console.error("campaign: @deepseek-ai/dsh-session is not installed")
  process.exitCode = 3
} else {
  console.log(`campaign: ${count} sessions, seed ${seed}`)
  const tally = {
    sessions: 0,
    events: 0,
    acceptedByBoth: 0,
    refusedByBoth: 0,
    differences: 0,
    withNestedReplacement: 0,
    withStartAfterEnd: 0,
  }
  const codes = new Map<string, number>()
  const count1 = (session: Session, code: string | null): void => {
    const { replacements } = session
    const made = new Set(replacements.map(({ seq }) => seq))
    tally.sessions++
    tally.events += brokenRowsOf(session).length
    tally[code === null ? "acceptedByBoth" : "refusedByBoth"]++
    if (replacements.some(({ start, end }) => made.has(start) || made.has(end)))
      tally.withNestedReplacement++
    if (replacements.some(({ start, end }) => start > end)) tally.withStartAfterEnd++
    if (code !== null) codes.set(code, (codes.get(code) ?? 0) + 1)
  }
  const result = fc.check(
    fc.property(plainSessions(40), (session) => {
      const { code, isSame } = compare(peer, brokenRowsOf(session))
      if (isSame) count1(session, code)
      return isSame
    }),
    { numRuns: Number(count), seed: Number(seed) },
  )
  if (result.failed) {
    tally.differences++
    const [session] = result.counterexample ?? []
    const events = session === undefined ? [] : brokenRowsOf(session)
    console.log(JSON.stringify({ ...compare(peer, events), events }))
    process.exitCode = 1
  }
  console.log(JSON.stringify(tally, null, 2))
  console.log(JSON.stringify(Object.fromEntries([...codes].sort(([a], [b]) => (a < b ? -1 : 1)))))
}
