import { chmodSync, symlinkSync } from "node:fs"
import { relative } from "node:path"
import { describe, expect, it } from "vitest"
import type { Discovery } from "#shell/archive/discover"
import { discover, discoverFile } from "#shell/archive/discover"
import { logNameOf } from "#core/log/log-name"
import { temporaryFolder } from "./folder.ts"
import { sessionLog } from "./session-logs.ts"

const folder = temporaryFolder()
const text = sessionLog("s")

const pathsOf = ({ logs }: Discovery): readonly string[] => logs.map(({ path }) => path)

const faultsOf = ({ logs }: Discovery): readonly (readonly [string, string | null])[] =>
  logs.map(({ path, fault }) => [path, fault?.code ?? null])

const nothingSkipped = { otherFiles: 0, links: 0, superseded: 0 }

describe("names of logs", () => {
  it("A1: state the format version and the container", () => {
    expect(logNameOf("session.jsonl")).toStrictEqual({ version: 0, container: "jsonl" })
    expect(logNameOf("session.v4.jsonl")).toStrictEqual({ version: 4, container: "jsonl" })
    expect(logNameOf("session.v12.jsonl.zstd")).toStrictEqual({
      version: 12,
      container: "jsonl.zstd",
    })
    expect(logNameOf("session.jsonl.zstd")).toStrictEqual({ version: 0, container: "jsonl.zstd" })
  })

  it.each([
    "session.v0.jsonl",
    "session.v01.jsonl",
    "session.V1.jsonl",
    "Session.jsonl",
    "session.jsonl.tmp",
    "session.v1.jsonl.gz",
    "session.v1.jsonl\n",
    "a.session.jsonl",
    "session.v9999999999.jsonl",
    "session..jsonl",
  ])("A1: %j is none", (name) => {
    expect(logNameOf(name)).toBeNull()
  })
})

describe("what a path means", () => {
  folder.file("root/project/one/session.jsonl", text)
  folder.file("root/project/two/session.v4.jsonl", text)
  folder.file("root/other/three/session.jsonl", text)

  it("A2: a file is a log, whatever its name", () => {
    const named = folder.at("root/project/one/session.jsonl")
    const other = folder.file("any.txt", text)
    expect(discover([named])).toMatchObject({
      logs: [{ path: named, root: named, file: named, project: "project", name: { version: 0 } }],
      skipped: nothingSkipped,
    })
    expect(discover([other]).logs).toMatchObject([
      { path: other, project: null, name: null, container: "jsonl", fault: null },
    ])
    expect(discoverFile(other)).toStrictEqual(discover([other]).logs[0])
  })

  it.each([
    [
      "root",
      ["other/three/session.jsonl", "project/one/session.jsonl", "project/two/session.v4.jsonl"],
    ],
    ["root/project", ["one/session.jsonl", "two/session.v4.jsonl"]],
    ["root/project/one", ["session.jsonl"]],
  ])("A3: a folder is walked, whichever it is: %s", (name, paths) => {
    const root = folder.at(name)
    const found = discover([root])
    expect(pathsOf(found)).toStrictEqual(paths)
    expect(found.skipped).toStrictEqual(nothingSkipped)
    for (const log of found.logs) {
      expect(log.root).toBe(root)
      expect(log.file).toBe(`${root}/${log.path}`)
      expect(log.project).toBe(log.file.includes("/other/") ? "other" : "project")
      expect(log.byteCount).toBe(Buffer.byteLength(text))
    }
  })

  it("A3: the argument may be relative, and may end in a separator", () => {
    const root = relative(process.cwd(), folder.at("root/project"))
    expect(pathsOf(discover([`${root}/`]))).toStrictEqual([
      "one/session.jsonl",
      "two/session.v4.jsonl",
    ])
    // the project is a name also where the argument is the session directory
    expect(discover([`${root}/one/`]).logs[0]?.project).toBe("project")
  })

  it("A4: several arguments make one list, sorted by path in code units, then by argument", () => {
    const names = ["b", "B", "a", "é", "\u{1f600}", "\uff5e", "a-", "a/b"]
    for (const name of names) folder.file(`sorted/${name}/session.jsonl`, text)
    const sorted = folder.at("sorted")
    // a surrogate pair sorts before the last of the basic plane: UTF-16, not code points
    expect(pathsOf(discover([sorted]))).toStrictEqual(
      ["B", "a-", "a/b", "a", "b", "é", "\u{1f600}", "\uff5e"].map(
        (name) => `${name}/session.jsonl`,
      ),
    )
    const [one, other] = [folder.at("root/project"), folder.at("root")]
    const several = discover([other, one, sorted])
    expect(pathsOf(several)).toStrictEqual([...pathsOf(several)].toSorted())
    expect(several.logs).toHaveLength(5 + names.length)
  })

  it("A4: an argument that is given twice is read twice", () => {
    const one = folder.at("root/project/one")
    expect(pathsOf(discover([one, one]))).toStrictEqual(["session.jsonl", "session.jsonl"])
  })
})

describe("what a walk leaves out", () => {
  it("A5: older generations, which it counts", () => {
    for (const name of [
      "session.jsonl",
      "session.v2.jsonl",
      "session.v10.jsonl",
      "session.v9.jsonl",
    ])
      folder.file(`generations/a/${name}`, text)
    folder.file("generations/b/session.v3.jsonl", text)
    expect(discover([folder.at("generations")])).toMatchObject({
      logs: [{ path: "a/session.v10.jsonl" }, { path: "b/session.v3.jsonl" }],
      skipped: { superseded: 3 },
    })
  })

  it("A5: also where the newest cannot be read: there is no way back", () => {
    folder.file("no-way-back/a/session.jsonl", text)
    folder.folder("no-way-back/a/session.v1.jsonl")
    folder.file("no-way-back/b/session.v3.jsonl", text)
    folder.file("no-way-back/b/session.v4.jsonl.zstd", "x")
    const found = discover([folder.at("no-way-back")])
    expect(faultsOf(found)).toStrictEqual([
      ["a/session.v1.jsonl", "not-a-file"],
      ["b/session.v4.jsonl.zstd", null],
    ])
    expect(found.skipped.superseded).toBe(2)
  })

  it("A6: links inside a folder, which it counts", () => {
    folder.file("links/real/session.jsonl", text)
    symlinkSync(folder.at("links/real"), folder.at("links/directory"))
    symlinkSync(folder.at("links"), folder.at("links/real/loop"))
    symlinkSync(folder.at("links/real/session.jsonl"), folder.at("links/real/session.v1.jsonl"))
    symlinkSync("nowhere", folder.at("links/dangling"))
    expect(discover([folder.at("links")])).toMatchObject({
      logs: [{ path: "real/session.jsonl" }],
      skipped: { links: 4, superseded: 0, otherFiles: 0 },
    })
  })

  it("A6: an argument may be a link", () => {
    folder.file("linked/real/session.jsonl", text)
    symlinkSync(folder.at("linked/real"), folder.at("linked-directory"))
    symlinkSync(folder.at("linked/real/session.jsonl"), folder.at("linked-file"))
    expect(pathsOf(discover([folder.at("linked-directory")]))).toStrictEqual(["session.jsonl"])
    expect(faultsOf(discover([folder.at("linked-file")]))).toStrictEqual([
      [folder.at("linked-file"), null],
    ])
  })

  it("A7: files of other names, which it counts", () => {
    folder.file("others/a/session.jsonl", text)
    for (const name of ["a/session.lock", "a/session.v1.jsonl.0a1b2c.tmp", "notes.md", "x.jsonl"])
      folder.file(`others/${name}`, text)
    expect(discover([folder.at("others")])).toMatchObject({
      logs: [{ path: "a/session.jsonl" }],
      skipped: { otherFiles: 4 },
    })
  })
})

describe("what stands where a log should be", () => {
  it("A8: a directory or a FIFO that is named like one is no file, and is not entered", () => {
    folder.file("odd/a/session.jsonl/inner/session.jsonl", text)
    const fifo = folder.fifo("odd/b/session.v2.jsonl")
    folder.file("odd/c/session.jsonl", text)
    expect(faultsOf(discover([folder.at("odd")]))).toStrictEqual([
      ["a/session.jsonl", "not-a-file"],
      ["b/session.v2.jsonl", "not-a-file"],
      ["c/session.jsonl", null],
    ])
    expect(faultsOf(discover([fifo]))).toStrictEqual([[fifo, "not-a-file"]])
    // a folder is an archive, also where its name is that of a log
    expect(pathsOf(discover([folder.at("odd/a/session.jsonl")]))).toStrictEqual([
      "inner/session.jsonl",
    ])
    expect(discoverFile(folder.at("odd/a"))).toMatchObject({ fault: { code: "not-a-file" } })
  })

  it("A9: a missing path and a folder without logs are named as they were given", () => {
    const missing = folder.at("missing")
    const through = `${folder.file("file.txt", text)}/session.jsonl`
    const empty = folder.folder("empty")
    folder.file("none/a/notes.md", "")
    const none = folder.at("none")
    expect(faultsOf(discover([missing, through, empty, none]))).toStrictEqual(
      (
        [
          [missing, "not-found"],
          [through, "not-found"],
          [empty, "no-logs"],
          [none, "no-logs"],
        ] as const
      ).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    )
    expect(discover([missing]).logs).toMatchObject([
      { root: missing, project: null, fault: { errno: "ENOENT" } },
    ])
    expect(discover([none]).skipped.otherFiles).toBe(1)
  })

  it("A11: a compressed log is found by its name", () => {
    folder.file("packed/a/session.v4.jsonl.zstd", "x")
    expect(discover([folder.at("packed")]).logs).toMatchObject([
      {
        path: "a/session.v4.jsonl.zstd",
        container: "jsonl.zstd",
        name: { version: 4 },
        fault: null,
      },
    ])
  })
})

/** Runs without the rights of root, where the process has them; null where it cannot lay them down. */
const asNobody = <A>(run: () => A): A | null => {
  if (process.geteuid?.() !== 0) return run()
  try {
    process.seteuid?.(65_534)
  } catch {
    return null
  }
  try {
    return run()
  } finally {
    process.seteuid?.(0)
  }
}

const canBeNobody = asNobody(() => true) !== null
const note = canBeNobody ? "" : " (skipped: root here cannot lay down its rights)"

describe.skipIf(!canBeNobody)(`what may not be read${note}`, () => {
  it("A10: is named, and the rest is found", () => {
    folder.file("closed/a/session.jsonl", text)
    folder.file("closed/b/session.jsonl", text)
    chmodSync(folder.path, 0o755)
    chmodSync(folder.at("closed/a"), 0)
    const found = asNobody(() =>
      discover([folder.at("closed"), folder.at("closed/a/session.jsonl")]),
    )
    chmodSync(folder.at("closed/a"), 0o755)
    expect(found?.logs).toMatchObject([
      {
        path: folder.at("closed/a/session.jsonl"),
        fault: { code: "not-permitted", errno: "EACCES" },
      },
      { path: "a/", fault: { code: "not-permitted", errno: "EACCES" } },
      { path: "b/session.jsonl", fault: null },
    ])
  })
})
