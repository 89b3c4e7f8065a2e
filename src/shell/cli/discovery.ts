import type { Discovery } from "../archive/discover.ts"
import { byPath, discover } from "../archive/discover.ts"
import { standardInput, withStandardInput } from "../archive/standard-input.ts"
import type { Cli } from "./context.ts"

/** Finds the logs of the arguments, standard input among them, and hands them to `use`. */
export const withDiscovery = async (
  cli: Cli,
  paths: readonly string[],
  use: (discovery: Discovery) => Promise<void>,
): Promise<void> => {
  const discovery = discover(paths.filter((path) => path !== standardInput))
  if (!paths.includes(standardInput)) return await use(discovery)
  await withStandardInput(cli.input, cli.signal, (log) =>
    use({ ...discovery, logs: [log, ...discovery.logs].toSorted(byPath) }),
  )
}
