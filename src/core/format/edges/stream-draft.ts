import { isSafeInt } from "../../data/count.ts"
import type { JsonArray, JsonObject, JsonValue } from "../../data/json.ts"

type RunType = "text-chunks" | "reasoning-chunks" | "tool-call-chunks"

interface OpenRun {
  readonly type: RunType
  readonly time0: number
  readonly index: JsonValue
  readonly id: JsonValue | undefined
  readonly name: JsonValue | undefined
  readonly gaps: number[]
  readonly texts: JsonValue[]
  lastTimeMs: number
}

const runTypes: ReadonlyMap<JsonValue | undefined, RunType> = new Map([
  ["text-delta", "text-chunks"],
  ["reasoning-delta", "reasoning-chunks"],
  ["tool-call-delta", "tool-call-chunks"],
])

const deltaTypes: Readonly<Record<RunType, string>> = {
  "text-chunks": "text-delta",
  "reasoning-chunks": "reasoning-delta",
  "tool-call-chunks": "tool-call-delta",
}

const recordOf = ({ type, time0, index, id, name, gaps: dt, texts }: OpenRun): JsonObject =>
  type === "tool-call-chunks"
    ? {
        type,
        time0,
        index,
        dt,
        id: id ?? "",
        ...(name === undefined ? {} : { name }),
        args: texts,
      }
    : { type, time0, index, dt, texts }

/** The stream of one attempt as it grows: deltas of one block in a row become one record. */
export class StreamDraft {
  private readonly records: (JsonObject | OpenRun)[] = []

  /** One chunk. */
  add(chunk: JsonObject, timeMs: number): void {
    const type = runTypes.get(chunk["type"])
    const { id, name } = chunk
    // a call without an id or a name cannot be a record
    if (type === undefined || id === "" || name === "")
      this.records.push({ type: "chunk", time: timeMs, chunk })
    else {
      const text = chunk[type === "tool-call-chunks" ? "argumentsDelta" : "text"] ?? ""
      this.extend({ type, time0: timeMs, index: chunk["index"] ?? 0, id, name }, [], [text])
    }
  }

  /** A packed run, as a whole; singly only where its call has no name. */
  addRun(type: RunType, time0: number, data: JsonObject): void {
    const { index, id, name } = data
    const gaps = data["dt"] as readonly number[]
    const texts = data[type === "tool-call-chunks" ? "args" : "texts"] as JsonArray
    if (name !== "") return this.extend({ type, time0, index: index ?? 0, id, name }, gaps, texts)
    let time = time0
    for (const [k, argumentsDelta] of texts.entries()) {
      if (k > 0) time += gaps[k - 1] ?? 0
      this.add(
        { type: deltaTypes[type], index: index ?? 0, id: id ?? "", name, argumentsDelta },
        time,
      )
    }
  }

  seal(): JsonArray {
    return this.records.map((record) => ("gaps" in record ? recordOf(record as OpenRun) : record))
  }

  private extend(
    run: Pick<OpenRun, "type" | "time0" | "index" | "id" | "name">,
    gaps: readonly number[],
    texts: JsonArray,
  ): void {
    const last = this.records.at(-1)
    const open = last !== undefined && "gaps" in last ? (last as OpenRun) : null
    const gap = open === null ? 0 : run.time0 - open.lastTimeMs
    const goesOn =
      open !== null &&
      open.type === run.type &&
      open.index === run.index &&
      open.id === run.id &&
      open.name === run.name &&
      isSafeInt(gap)
    const into: OpenRun = goesOn ? open : { ...run, gaps: [], texts: [], lastTimeMs: run.time0 }
    if (goesOn) into.gaps.push(gap)
    else this.records.push(into)
    // one by one: a run may be longer than a call may have arguments
    for (const each of gaps) into.gaps.push(each)
    for (const each of texts) into.texts.push(each)
    into.lastTimeMs = gaps.reduce((time, each) => time + each, run.time0)
  }
}
