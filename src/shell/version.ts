import { readFileSync } from "node:fs"

/** The version of the package that this file is a part of. */
export const version = (): string => {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8")
  const manifest = JSON.parse(text) as { readonly version: string }
  return manifest.version
}
