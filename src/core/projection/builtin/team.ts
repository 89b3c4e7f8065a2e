import type { JsonArray, JsonObject } from "../../data/json.ts"
import { isJsonObject, jsonEqual, ownValue } from "../../data/json.ts"
import { objectField, textField } from "../../format/lifecycle/fields.ts"
import { arrayOf, exactly, record, string } from "../../log/shape.ts"
import { shapeCodec } from "../codec.ts"
import type { ValueCodec } from "../codec.ts"
import type { ProjectionDefinition } from "../definition.ts"
import { totalApply } from "./total-apply.ts"

/** One team: what is there, in the order in which it came up, as it was logged last. */
export interface Team {
  readonly teamId: string
  readonly members: JsonArray
  /** Tasks that were not deleted. */
  readonly tasks: JsonArray
  /** Messages that were queued and not delivered yet. */
  readonly queued: JsonArray
}

export interface Teams {
  readonly teams: readonly Team[]
}

const codec: ValueCodec<Teams> = shapeCodec(
  exactly({
    teams: arrayOf(
      exactly({
        teamId: string,
        members: arrayOf(record),
        tasks: arrayOf(record),
        queued: arrayOf(record),
      }),
    ),
  }),
)

const hasId =
  (id: string) =>
  (item: unknown): boolean =>
    isJsonObject(item) && ownValue(item, "id") === id

// in its place, or at the end where it is new
const withItem = (items: JsonArray, item: JsonObject, id: string): JsonArray => {
  const at = items.findIndex(hasId(id))
  if (at < 0) return [...items, item]
  return jsonEqual(items[at], item) ? items : items.with(at, item)
}

const withoutItem = (items: JsonArray, id: string): JsonArray =>
  items.some(hasId(id)) ? items.filter((item) => !hasId(id)(item)) : items

const keptUnder = (items: JsonArray, data: JsonObject, key: string): JsonArray => {
  const item = objectField(data, key)
  const id = item === null ? null : textField(item, "id")
  if (item === null || id === null) return items
  return textField(item, "status") === "deleted"
    ? withoutItem(items, id)
    : withItem(items, item, id)
}

const stepTeam = (team: Team, type: string, data: JsonObject): Team => {
  switch (type) {
    case "team/member": {
      const members = keptUnder(team.members, data, "member")
      return members === team.members ? team : { ...team, members }
    }
    case "team/task": {
      const tasks = keptUnder(team.tasks, data, "task")
      return tasks === team.tasks ? team : { ...team, tasks }
    }
    case "team/message/queued": {
      const queued = keptUnder(team.queued, data, "message")
      return queued === team.queued ? team : { ...team, queued }
    }
    default: {
      const messageId = textField(data, "messageId")
      const queued = messageId === null ? team.queued : withoutItem(team.queued, messageId)
      return queued === team.queued ? team : { ...team, queued }
    }
  }
}

/** Members, tasks and waiting messages of each team: each event carries one of them whole. */
export const team: ProjectionDefinition<Teams, Teams> = {
  key: "team",
  stateVersion: 1,
  codec,
  reads: new Set(["team/member", "team/task", "team/message/queued", "team/message/delivered"]),
  init: () => ({ teams: [] }),
  apply: totalApply((state, { type }, data) => {
    const teamId = textField(data, "teamId")
    if (teamId === null || ownValue(data, "version") !== 1) return state
    const at = state.teams.findIndex((each) => each.teamId === teamId)
    const before = state.teams[at] ?? { teamId, members: [], tasks: [], queued: [] }
    const after = stepTeam(before, type, data)
    if (after === before) return state
    return { teams: at < 0 ? [...state.teams, after] : state.teams.with(at, after) }
  }),
  wire: { codec, view: (state) => state },
}
