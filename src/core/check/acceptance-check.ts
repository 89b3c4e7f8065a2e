import type { AcceptanceFinding } from "../data/check-finding.ts"
import type { Format } from "../format/format.ts"
import type { LogRow } from "../log/row.ts"
import type { JudgedNode } from "./acceptance.ts"
import { acceptanceFindings, messageCalls } from "./acceptance.ts"

/** Nodes on each side of a replacement that are looked at, to find the calls next to it. */
const widestLook = 1000

/** A live node between its neighbours. */
interface Link extends JudgedNode {
  before: Link | null
  behind: Link | null
  /** What was said of it already. */
  told: Set<string> | null
}

const isAsker = (link: Link): boolean => link.message !== null && link.message.callIds !== null

/**
 * What a provider would refuse, after each replacement and at the end of a log.
 *
 * shape   the same fault of the same message is told once, where it stands first. After a
 *         replacement the messages are judged from the calls before it to the next ones; where
 *         those are further away than `widestLook`, what hangs on them is judged at the end alone
 * cost    memory and the last look follow the live surface; a replacement costs the nodes between
 *         the calls around it
 * law     CK24 in properties/check.prop.ts: as a naive model that judges all messages each time
 */
export class AcceptanceCheck {
  private readonly format: Format
  private readonly links: Map<number, Link> = new Map()
  private first: Link | null = null
  private last: Link | null = null
  private isAfterLoss = false

  constructor(format: Format) {
    this.format = format
  }

  /** Goes past events that are not known. */
  lose(): void {
    this.isAfterLoss = true
  }

  /** Takes a node that was appended; that of a refused row is not judged. */
  append(row: LogRow, isRefused: boolean): void {
    this.put(this.linkOf(row, isRefused, this.isAfterLoss), this.last, null)
    this.isAfterLoss = false
  }

  /** Takes a node in the place of those that it shadows; what is wrong with the messages then. */
  replace(
    row: LogRow,
    shadowedSeqs: readonly number[],
    isRefused: boolean,
  ): readonly AcceptanceFinding[] {
    let before = this.last
    let behind: Link | null = null
    let isAfterLoss = false
    for (const [i, seq] of shadowedSeqs.entries()) {
      const shadowed = this.links.get(seq)
      if (shadowed === undefined) continue
      if (i === 0) before = shadowed.before
      isAfterLoss ||= shadowed.isAfterLoss
      behind = shadowed.behind
      this.links.delete(seq)
    }
    this.put(this.linkOf(row, isRefused, isAfterLoss), before, behind)
    return this.around(row.facts.seq)
  }

  /** What is wrong with the messages at the end of the log. */
  end(): readonly AcceptanceFinding[] {
    const isToEnd = !this.isAfterLoss
    return this.fresh(
      acceptanceFindings(this.from(this.first, null), {
        isFromStart: true,
        isToEnd,
        afterSeq: null,
      }),
    )
  }

  private linkOf({ facts, data }: LogRow, isRefused: boolean, isAfterLoss: boolean): Link {
    return {
      seq: facts.seq,
      message: isRefused ? null : messageCalls(this.format, facts.kind, data),
      isAfterLoss: isAfterLoss || isRefused,
      before: null,
      behind: null,
      told: null,
    }
  }

  private put(link: Link, before: Link | null, behind: Link | null): void {
    link.before = before
    link.behind = behind
    if (before === null) this.first = link
    else before.behind = link
    if (behind === null) this.last = link
    else behind.before = link
    this.links.set(link.seq, link)
  }

  // from the calls before a node to the calls behind it
  private around(seq: number): readonly AcceptanceFinding[] {
    const link = this.links.get(seq)
    if (link === undefined) return []
    let first = link
    for (let i = 0; i < widestLook && first.before !== null; i++) {
      first = first.before
      if (isAsker(first)) break
    }
    let last = link
    for (let i = 0; i < widestLook && last.behind !== null; i++) {
      last = last.behind
      if (isAsker(last)) break
    }
    return this.fresh(
      acceptanceFindings(this.from(first, last), {
        isFromStart: first.before === null,
        isToEnd: last.behind === null && !this.isAfterLoss,
        afterSeq: seq,
      }),
    )
  }

  private from(first: Link | null, last: Link | null): readonly Link[] {
    const links: Link[] = []
    for (let link = first; link !== null; link = link === last ? null : link.behind)
      links.push(link)
    return links
  }

  private fresh(found: readonly AcceptanceFinding[]): readonly AcceptanceFinding[] {
    return found.filter((finding) => {
      const link = this.links.get(finding.seq)
      if (link === undefined) return false
      const key = "callId" in finding ? `${finding.code} ${finding.callId}` : finding.code
      link.told ??= new Set()
      if (link.told.has(key)) return false
      link.told.add(key)
      return true
    })
  }
}
