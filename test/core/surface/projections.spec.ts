import { left, right } from "fp-ts/lib/Either.js"
import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import { admitRow } from "#core/surface/admit"
import { SurfaceDraft } from "#core/surface/draft"
import { builtInProjections, imageOffload } from "#core/surface/image-offload"
import type { MessageProjection, MessageUpdate } from "#core/surface/message-projection"
import {
  noProjections,
  registerProjection,
  removeProjection,
} from "#core/surface/message-projection"
import { image, sessionHeader } from "../../../properties/arbitraries/dialect.ts"
import { FoldCarrier, Payloads, rightRow, stateText } from "../../../properties/carriers.ts"
import type { Draft } from "./events.ts"
import { assistant, leftOf, note, numbered, rightOf, user, userWith } from "./events.ts"
import { LiveLog } from "./live-log.ts"

const since = [3, 4] as const
const type = "image/offload"

const decision: Draft = { type, data: { targets: [{ seq: 0, imageIndexes: [0] }] } }
const withImage = userWith([image(0)])

/** A log whose surface an interpreter has worked on. */
const rewritten = (version: 3 | 4): LiveLog => {
  const log = new LiveLog(version)
  for (const event of [withImage, user(), decision]) expect(log.append(event)).toBeNull()
  expect(log.read()).toEqual([0, 1])
  return log
}

const removed = { code: "projection-removed", seq: null, type }

const answering = (project: MessageProjection["project"]): LiveLog => {
  const log = new LiveLog(4)
  log.projections = rightOf(registerProjection(noProjections, { type, project }))
  for (const event of [withImage, assistant(4)]) log.append(event)
  log.read()
  return log
}

const updating = (...updates: readonly MessageUpdate[]): LiveLog => answering(() => right(updates))

describe("interpreters of rewriting events", () => {
  it.each(since)(
    "S32: format %d: without one the event is refused, the log untouched",
    (version) => {
      const log = new LiveLog(version)
      log.projections = noProjections
      log.append(withImage)
      log.read()
      const before = stateText(log.live.state)
      expect(log.append(decision)).toEqual({ code: "projection-missing", seq: 1, type })
      expect(log.events).toHaveLength(1)
      expect(stateText(log.live.state)).toBe(before)
      expect(log.append(user())).toBeNull()
      expect(log.read()).toEqual([0, 1])
    },
  )

  it.each(since)("S32: format %d: the offline fold refuses it too, ignorable or not", (version) => {
    for (const event of [decision, { ...decision, ignorable: true }]) {
      const fold = new FoldCarrier(sessionHeader(version, null), { projections: noProjections })
      const [first, second] = numbered([withImage, event])
      expect(fold.offer(first ?? {})).toBeNull()
      expect(fold.offer(second ?? {})).toEqual({ code: "projection-missing", seq: 1, type })
    }
  })

  it("S33: a second interpreter of one type is refused, and the first one stays", () => {
    const other: MessageProjection = { type, project: () => right([]) }
    for (const again of [imageOffload, other])
      expect(leftOf(registerProjection(builtInProjections, again))).toEqual({
        code: "projection-registered",
        seq: null,
        type,
      })
    expect(builtInProjections.get(type)).toBe(imageOffload)
    expect(noProjections.size).toBe(0)
  })

  it("S34: a rewritten message keeps its node, its id and its role", () => {
    const message = withImage.data as JsonObject
    const changed: JsonObject = { ...message, content: [] }
    expect(updating({ seq: 0, message: changed }).append(decision)).toBeNull()
    for (const more of [{ id: "another" }, { role: "assistant" }])
      expect(updating({ seq: 0, message: { ...changed, ...more } }).append(decision)).toEqual({
        code: "projection-identity",
        seq: 2,
        target: 0,
      })
    const { id: _, ...nameless } = changed
    expect(updating({ seq: 0, message: nameless }).append(decision)).toMatchObject({
      code: "projection-identity",
    })
    const twice = { seq: 0, message: changed }
    for (const [target, ...updates] of [
      [2, { seq: 2, message: changed }],
      [9, { seq: 9, message: changed }],
      [0, twice, twice],
    ] as const)
      expect(updating(...updates).append(decision)).toEqual({
        code: "projection-target",
        seq: 2,
        target,
      })
  })

  it("S34: it may rewrite any live message, and sees earlier rewrites", () => {
    const seen: unknown[] = []
    const log = answering((_seq, _data, nodeAt) => {
      const node = nodeAt(1)
      seen.push(node?.message["content"], nodeAt(2), nodeAt(7))
      return node === null
        ? right([])
        : right([{ seq: 1, message: { ...node.message, content: [seen.length] } }])
    })
    expect(log.append(decision)).toBeNull()
    expect(log.append(decision)).toBeNull()
    expect(log.read()).toEqual([0, 1])
    expect(seen).toEqual([[{ type: "text", text: "yes" }], null, null, [3], null, null])
    expect(log.live.state.projected.get(1)).toMatchObject({ id: "a", content: [6] })
    expect([log.live.state.replaceGeneration, log.live.state.contentGeneration]).toEqual([0, 2])
  })

  it("S35: one that rejects changes nothing, and its refusal is shown", () => {
    const refusal = { code: "projection-target", seq: 2, target: 5 } as const
    const log = answering(() => left(refusal))
    const before = stateText(log.live.state)
    expect(log.append(decision)).toEqual(refusal)
    expect(log.events).toHaveLength(2)
    expect(stateText(log.live.state)).toBe(before)
    expect(log.append(user())).toBeNull()
    expect(log.read()).toEqual([0, 1, 2])
    expect(log.live.state.contentGeneration).toBe(0)
  })

  it.each(since)("S36: format %d: once used it may not go: reads and appends are refused", (v) => {
    const log = rewritten(v)
    const nodes = log.read()
    const { live } = log
    log.projections = removeProjection(builtInProjections, type)
    expect(log.read()).toEqual(removed)
    expect(log.append(user())).toEqual(removed)
    expect(log.append(note)).toEqual(removed)
    expect(log.events).toHaveLength(3)
    // what was handed out before stays as it was
    expect(nodes).toEqual([0, 1])
    expect(log.live).toBe(live)
    // and with the interpreter back all is well
    log.projections = builtInProjections
    expect(log.append(user())).toBeNull()
    expect(log.read()).toEqual([0, 1, 3])
  })

  it("S36: it is missed by a surface that is still to catch up, too", () => {
    const log = rewritten(4)
    log.events.push(log.next(user()))
    log.projections = noProjections
    expect(log.read()).toEqual(removed)
    const behind = new LiveLog(4)
    for (const event of [withImage, decision]) behind.events.push(behind.next(event))
    behind.projections = noProjections
    expect(behind.read()).toEqual({ code: "projection-missing", seq: 1, type })
  })

  it("S36: a fold that is resumed without it refuses the next row", () => {
    const sealed = rewritten(4).live.state
    const resumed = new SurfaceDraft(sealed, noProjections)
    const [row] = numbered([note], 3).map((each) => rightRow(4, each))
    if (row === undefined) throw new RangeError("no row")
    const rest = new Payloads(sealed.format).rest(row)
    expect(leftOf(admitRow(resumed, row, rest, -1, 0))).toEqual(removed)
  })

  it("S36: one whose rewritten messages were all replaced is still in use", () => {
    const log = rewritten(4)
    const over = { op: "replace", startSeq: 0, endSeq: 1 }
    expect(log.append({ ...user(), surfaceOp: over, sourceEventSeqs: [0, 1] })).toBeNull()
    expect(log.read()).toEqual([3])
    log.projections = noProjections
    expect(log.read()).toEqual(removed)
  })

  it("S37: another interpreter in its place is as good as none", () => {
    const other: MessageProjection = { type, project: imageOffload.project }
    const exchanged = rightOf(registerProjection(noProjections, other))
    const log = rewritten(4)
    log.projections = exchanged
    expect(log.read()).toEqual(removed)
    expect(log.append(user())).toEqual(removed)
    // before its first use it may be exchanged
    const fresh = new LiveLog(4)
    fresh.append(withImage)
    fresh.projections = exchanged
    expect(fresh.append(decision)).toBeNull()
    expect(fresh.read()).toEqual([0])
  })

  it("S45: a decision that is asked for and never appended pins no interpreter", () => {
    const log = new LiveLog(4)
    log.append(withImage)
    expect(log.validate(log.next(decision))).toBeNull()
    log.projections = noProjections
    expect(log.read()).toEqual([0])
    expect(log.append(user())).toBeNull()
    expect(log.read()).toEqual([0, 1])
    expect(log.live.state.usedProjections.size).toBe(0)
  })

  it("S36: one that goes between the asking and the reading is missed", () => {
    const log = new LiveLog(4)
    log.append(withImage)
    expect(log.append(decision)).toBeNull()
    log.projections = noProjections
    expect(log.read()).toEqual(removed)
  })
})
