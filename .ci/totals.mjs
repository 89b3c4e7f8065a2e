// Adds up the JSON reports of vitest that exist among the arguments and prints one line.
// Fails where a test failed or none ran.
import { existsSync, readFileSync } from "node:fs"

let passed = 0
let failed = 0
let skipped = 0
for (const file of process.argv.slice(2)) {
  if (!existsSync(file)) continue
  const report = JSON.parse(readFileSync(file, "utf8"))
  passed += report.numPassedTests
  failed += report.numFailedTests
  skipped += report.numPendingTests + report.numTodoTests
  // A file that does not load has no tests to fail, and is a failure all the same.
  for (const { status, assertionResults } of report.testResults) {
    if (status === "failed" && !assertionResults.some((test) => test.status === "failed"))
      failed += 1
  }
}
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
if (failed > 0 || passed + failed === 0) process.exitCode = 1
