import type { JsonArray } from "../../data/json.ts"
import { isJsonObject, jsonEqual } from "../../data/json.ts"
import { arrayField } from "../../format/lifecycle/fields.ts"
import { arrayOf, exactly, record } from "../../log/shape.ts"
import { shapeCodec } from "../codec.ts"
import type { ValueCodec } from "../codec.ts"
import type { ProjectionDefinition } from "../definition.ts"
import { totalApply } from "./total-apply.ts"

/** The list of things to do, as it was written last. */
export interface TodoList {
  readonly todos: JsonArray
}

const codec: ValueCodec<TodoList> = shapeCodec(exactly({ todos: arrayOf(record) }))

/** The latest list: each `todo/write` carries it whole. */
export const todo: ProjectionDefinition<TodoList, TodoList> = {
  key: "todo",
  stateVersion: 1,
  codec,
  reads: new Set(["todo/write"]),
  init: () => ({ todos: [] }),
  apply: totalApply((state, _facts, data) => {
    const todos = arrayField(data, "todos")?.filter(isJsonObject)
    return todos === undefined || jsonEqual(todos, state.todos) ? state : { todos }
  }),
  wire: { codec, view: (state) => state },
}
