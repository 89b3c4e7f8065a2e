import { setImmediate } from "node:timers/promises"
import fc from "fast-check"
import { isRight } from "fp-ts/lib/Either.js"
import { describe, expect, it } from "vitest"
import { LogWriter } from "#shell/store/log-writer"
import { systemError, watchedFile, watchedLock } from "../test/shell/store/handles.ts"
import { expectAllSeen } from "./seen.ts"

const header = "h\n"

/** Lines of one append, and turns that others get before the next one. */
const appends = fc.array(
  fc.record({
    lines: fc.array(fc.string({ maxLength: 12, unit: fc.constantFrom("a", "é", "𝄞") }), {
      minLength: 1,
      maxLength: 3,
    }),
    turns: fc.nat(3),
  }),
  { minLength: 1, maxLength: 10 },
)

const faults = fc.option(
  fc.record({
    asked: fc.constantFrom("write", "sync", "stat"),
    count: fc.integer({ min: 1, max: 6 }),
    alsoTakingBack: fc.boolean(),
  }),
)

describe("the writer of a log", () => {
  it("LS63: has on the disk what it answered for, whatever fails whenever", async () => {
    const seen = { whole: 0, failed: 0, refused: 0, left: 0, batches: 0 }
    await fc.assert(
      fc.asyncProperty(
        appends,
        faults,
        fc.integer({ min: 1, max: 9 }),
        async (list, fault, most) => {
          let hasFailed = false
          const file = watchedFile(
            header,
            (asked, count) => {
              const isTakingBack = hasFailed && fault?.alsoTakingBack === true
              if (isTakingBack || (!hasFailed && asked === fault?.asked && count === fault.count)) {
                hasFailed = true
                throw systemError("EIO")
              }
            },
            most,
          )
          const writer = new LogWriter("log", file.handle, header.length, watchedLock())
          const texts = list.map(({ lines }) => lines.map((line) => `${line}\n`).join(""))
          const all = header + texts.join("")
          const answers = []
          for (const [i, text] of texts.entries()) {
            answers.push(
              writer.append(text).then((answer) => {
                // at the very time of the answer it is there, and so is all before it
                const through = header + texts.slice(0, i + 1).join("")
                if (isRight(answer))
                  expect(file.bytes().subarray(0, Buffer.byteLength(through))).toEqual(
                    Buffer.from(through),
                  )
                return isRight(answer)
              }),
            )
            for (let turn = 0; turn < (list[i]?.turns ?? 0); turn++) {
              await setImmediate()
              // a process that is killed now leaves a beginning of all that was appended
              expect(Buffer.from(all).subarray(0, file.bytes().length)).toEqual(file.bytes())
            }
          }
          const isAnswered = await Promise.all(answers)
          const count = isAnswered.lastIndexOf(true) + 1
          // what comes behind a hole is refused
          expect(isAnswered.slice(0, count)).not.toContain(false)
          const kept = Buffer.from(header + texts.slice(0, count).join(""))
          if (!hasFailed || fault?.alsoTakingBack !== true) expect(file.bytes()).toEqual(kept)
          else expect(file.bytes().subarray(0, kept.length)).toEqual(kept)
          expect(writer.failure !== null).toBe(count < texts.length)
          seen[hasFailed ? "failed" : "whole"]++
          if (count < texts.length) seen.refused++
          if (file.bytes().length > kept.length) seen.left++
          if (file.asked.filter((asked) => asked === "stat").length < texts.length) seen.batches++
        },
      ),
    )
    expectAllSeen(seen)
  })
})
