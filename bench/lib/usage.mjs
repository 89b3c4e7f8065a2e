// Loaded before a program that is measured: tells on descriptor 3 what the program took.
import { readFileSync, writeSync } from "node:fs"

const descriptor = 3
const bytesPerKilobyte = 1024

const peakBytes = () => {
  try {
    // the system's own figure of a process starts with what its parent had
    const status = readFileSync("/proc/self/status", "utf8")
    return Number(/^VmHWM:\s+([0-9]+) kB$/m.exec(status)?.[1]) * bytesPerKilobyte
  } catch {
    return process.resourceUsage().maxRSS * bytesPerKilobyte
  }
}

process.on("exit", () => {
  const { user, system } = process.cpuUsage()
  const usage = { peakBytes: peakBytes(), processorMs: (user + system) / 1000 }
  writeSync(descriptor, JSON.stringify(usage))
})
