import { readFileSync, readdirSync } from "node:fs"
import type { Folder } from "../shell/folder.ts"

/** Makes folders for output, each a new one. */
export const outPlaces = (folder: Folder): (() => string) => {
  let places = 0
  return () => folder.folder(`out-${places++}`)
}

/** All files below a folder. */
export const filesIn = (place: string): readonly string[] =>
  readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(place.length + 1))
    .toSorted()

/** The files of a folder, by name. */
export const contentOf = (place: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(place).map((name) => [name, readFileSync(`${place}/${name}`, "utf8")]),
  )
