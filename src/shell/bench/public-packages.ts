import { readFileSync } from "node:fs"

/** The public packages of the agent, as far as they are installed beside this one. */
export interface PublicPackages {
  readonly surface: PublicModule
  /** Null where messages cannot be priced with them. */
  readonly price: PublicModule | null
}

interface PublicModule {
  readonly url: string
  readonly version: string
}

const moduleOf = async (name: string, file: string): Promise<PublicModule | null> => {
  try {
    // not installed as a rule, and what is no export is found beside what is one
    const manifest = import.meta.resolve(`${name}/package.json`)
    const { version } = JSON.parse(readFileSync(new URL(manifest), "utf8")) as { version: string }
    const { href: url } = new URL(file, manifest)
    await import(url)
    return { url, version }
  } catch {
    return null
  }
}

/** Looks for the packages that fold and price logs in the agent itself; null without the fold. */
export const publicPackages = async (): Promise<PublicPackages | null> => {
  const surface = await moduleOf("@deepseek-ai/dsh-session", "lib/types/surface.js")
  const price = await moduleOf("@deepseek-ai/dsh-token-meter", "lib/types/estimate.js")
  return surface === null ? null : { surface, price }
}
