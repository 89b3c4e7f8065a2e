// tsc writes plain files; a `bin` that is linked from a working tree must carry the execute bit itself.
import { chmodSync, existsSync } from "node:fs"

const bin = new URL("../dist/shell/main.js", import.meta.url)
if (existsSync(bin)) chmodSync(bin, 0o755)
