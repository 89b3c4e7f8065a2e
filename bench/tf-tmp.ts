import { tokenFold } from "/tmp/w-tokens/bench/token-fold.ts"
await tokenFold({ check() {} } as never, Number(process.argv[2]), Number(process.argv[3]))
