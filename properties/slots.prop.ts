import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { SurfaceKind } from "#core/format/surface-kind"
import { surfaceKind } from "#core/format/surface-kind"
import { builtInProjections } from "#core/surface/image-offload"
import { SurfaceDraft } from "#core/surface/draft"
import type { NodeDetail } from "#core/surface/node"
import { SeqIndex } from "#core/surface/seq-index"
import { Slots } from "#core/surface/slots"
import { emptySurface } from "#core/surface/state"
import { formatOf } from "./carriers.ts"
import { drawFrom, fewRuns } from "./scale.ts"

const kinds: readonly SurfaceKind[] = [
  surfaceKind.system,
  surfaceKind.user,
  surfaceKind.assistant,
  surfaceKind.toolResult,
]

interface Live extends NodeDetail {
  readonly seq: number
  readonly kind: SurfaceKind
}

const bare: NodeDetail = {
  tokens: 0,
  derives: false,
  digest: 0,
  byteOffset: -1,
  byteLength: 0,
}

const detailFrom = (draw: (below: number) => number): NodeDetail =>
  draw(3) === 0
    ? bare
    : {
        tokens: draw(50),
        derives: draw(2) === 0,
        digest: draw(2 ** 50),
        byteOffset: draw(2 ** 40),
        byteLength: draw(99),
      }

const draftBase = { seed: fc.nat(), baseSeq: fc.nat({ max: 2 ** 45 }) }

/** The slots of live nodes, in order, as a walk meets them. */
const walk = (slots: Slots): number[] => {
  const met: number[] = []
  for (let slot = slots.next(0); slot < slots.end; slot = slots.next(slot + 1)) met.push(slot)
  return met
}

describe("slots", () => {
  it("PL10: the index of live seqs = a map, across pages that come and go", () => {
    fc.assert(
      fc.property(fc.record(draftBase), ({ seed, baseSeq }) => {
        const draw = drawFrom(seed)
        const index = new SeqIndex(baseSeq)
        const model = new Map<number, number>()
        let next = baseSeq
        for (let i = 0; i < 12_000; i++) {
          const live = [...model.keys()].slice(-1)
          const what = draw(10)
          if (what < 6) {
            // seqs of events off the surface are left out
            next += 1 + (draw(40) === 0 ? draw(9_000) : draw(3))
            const slot = draw(2 ** 30)
            index.add(next, slot)
            model.set(next, slot)
          } else if (what < 7 && live[0] !== undefined) {
            const slot = draw(2 ** 30)
            index.move(live[0], slot)
            model.set(live[0], slot)
          } else {
            const [oldest] = model.keys()
            const gone = draw(2) === 0 ? oldest : live[0]
            if (gone === undefined) continue
            index.remove(gone)
            model.delete(gone)
          }
        }
        for (const [seq, slot] of model) expect(index.find(seq)).toBe(slot)
        for (let i = 0; i < 2_000; i++) {
          const seq = baseSeq - 5 + draw(next - baseSeq + 10_000)
          expect(index.find(seq)).toBe(model.get(seq) ?? -1)
        }
      }),
      fewRuns(0.05),
    )
  })

  it("PL11: slots = an array that is spliced, before and after every re-pack", () => {
    let repacks = 0
    fc.assert(
      fc.property(fc.record({ ...draftBase, size: fc.nat({ max: 20_000 }) }), (start) => {
        const draw = drawFrom(start.seed)
        const slots = new Slots(start.baseSeq)
        const model: Live[] = []
        const gone: number[] = []
        let seq = start.baseSeq
        const append = (): void => {
          seq += 1 + draw(2)
          const node = { seq, kind: kinds[draw(4)] ?? surfaceKind.user, ...detailFrom(draw) }
          slots.append(node.seq, node.kind, node)
          model.push(node)
        }
        const replace = (from: number, to: number): void => {
          seq++
          const node = { seq, kind: kinds[draw(4)] ?? surfaceKind.user, ...detailFrom(draw) }
          const first = slots.find(model[from]?.seq ?? -1)
          const last = slots.find(model[to]?.seq ?? -1)
          slots.replace(first, last, node.seq, node.kind, node)
          for (const old of model.splice(from, to - from + 1, node)) gone.push(old.seq)
          if (!slots.isSparse) return
          slots.repack()
          repacks++
          expect(slots.end).toBe(model.length)
        }
        const check = (): void => {
          expect(slots.size).toBe(model.length)
          const met = walk(slots)
          expect(met.map((slot) => slots.nodeAt(slot))).toEqual(model)
          expect(met.map((slot) => slots.find(slots.seqAt(slot)))).toEqual(met)
          for (const [i, slot] of met.entries()) {
            const node = model[i]
            const seen = [slots.kindAt(slot), slots.tokensAt(slot), slots.derivesAt(slot)]
            expect(seen).toEqual([node?.kind, node?.tokens, node?.derives])
          }
          for (const old of gone.splice(0)) expect(slots.find(old)).toBe(-1)
        }
        // enough for a second page of slots now and then
        for (let i = 0; i < start.size; i++) append()
        for (let round = 0; round < 3; round++) {
          for (let i = 0; i < 1_500; i++) {
            if (draw(3) === 0 || model.length === 0) append()
            else {
              const from = draw(model.length)
              replace(from, Math.min(model.length - 1, from + draw(4)))
            }
          }
          check()
          const to = Math.floor(model.length * 0.7)
          if (to > 0) replace(0, to)
          check()
        }
      }),
      fewRuns(0.05),
    )
    expect(repacks).toBeGreaterThan(0)
  })

  it("PL9: the totals of a draft hold across re-packs too", () => {
    let repacks = 0
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const draw = drawFrom(seed)
        const draft = new SurfaceDraft(emptySurface(formatOf(4)), builtInProjections)
        const model: Live[] = []
        for (let seq = 0; seq < 6_000; seq++) {
          const kind = draw(40) === 0 ? surfaceKind.system : (kinds[1 + draw(3)] ?? 3)
          const isEmpty = draw(4) === 0
          const detail = isEmpty ? bare : { ...bare, tokens: 1 + draw(9), derives: true }
          const node = { seq, kind, ...detail }
          const nextSeq = seq + 1
          const from = draw(model.length + 1)
          const start = model[from]?.seq
          // append until there is something to re-pack
          if (seq < 2_000 || start === undefined) {
            draft.apply({ op: "append", nextSeq, seq, kind }, detail)
            model.push(node)
            continue
          }
          const to = Math.min(model.length - 1, from + draw(5))
          const end = model[to]?.seq ?? start
          const shadowedSeqs = model.splice(from, to - from + 1, node).map((each) => each.seq)
          const places = { from: draft.placeOf(start), to: draft.placeOf(end) }
          expect(draft.seqsBetween(places.from, places.to)).toEqual(shadowedSeqs)
          const plan = { op: "replace", nextSeq, seq, kind, start, end, ...places, shadowedSeqs }
          draft.apply({ ...plan, op: "replace" }, detail)
          // a node moves to an earlier place only when all are packed anew
          const last = model[model.length - 1]?.seq ?? -1
          if (draft.placeOf(last) === model.length - 1 && model.length < 1_000) repacks++
          if (seq % 250 > 0) continue
          const prompt = model.findLast((each) => each.kind === surfaceKind.system && each.derives)
          expect(draft.systemTokens).toBe(prompt?.tokens ?? 0)
          expect(draft.liveTokens).toBe(model.reduce((sum, each) => sum + each.tokens, 0))
          expect(draft.messageCount).toBe(model.filter((each) => each.derives).length)
          expect(draft.nodes()).toEqual(model)
        }
      }),
      fewRuns(0.05),
    )
    expect(repacks).toBeGreaterThan(0)
  })
})
