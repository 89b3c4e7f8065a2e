/** Pieces of source text in several languages; `{slot}` takes a word. */
export const codePieces: readonly string[] = [
  `export async function {verb}{Type}(id: string, limit = {number}): Promise<{Type}[]> {
  const rows = await db.all("select * from {ident} where owner = ? limit ?", [id, limit])
  if (rows.length === 0) throw new Error(\`no {ident} for "\${id}"\`)
  return rows.map((row) => {Type}.parse(row))
}
`,
  `/** Keeps at most {number} {ident}s and drops the oldest. */
class {Type}Cache {
\t#items = new Map<string, {Type}>()

\tput(key: string, {ident}: {Type}) {
\t\tif (this.#items.size >= {number}) this.#items.delete(this.#items.keys().next().value!)
\t\tthis.#items.set(key, {ident})
\t}
}
`,
  `def {verb}_{ident}(path, *, encoding="utf-8"):
    """Reads a {ident} and gives its rows; skips lines that start with '#'."""
    with open(path, encoding=encoding) as handle:
        for number, line in enumerate(handle, start=1):
            if not line.strip() or line.startswith("#"):
                continue
            yield number, re.split(r"\\s*[,;\\t]\\s*", line.rstrip("\\n"))
`,
  `impl {Type} {
    pub fn {verb}(&mut self, bytes: &[u8]) -> Result<usize, FrameError> {
        let (head, rest) = bytes.split_at_checked({number}).ok_or(FrameError::Short)?;
        self.{ident} = u32::from_le_bytes(head[..4].try_into()?);
        Ok(rest.len()) // the caller keeps what is left
    }
}
`,
  `alter table {ident} add column lease_owner text;
update {ident} set lease_owner = 'none' where lease_owner is null and id % {number} = 0;
create unique index if not exists {ident}_by_owner on {ident} (lease_owner, id) where lease_owner <> 'none';
`,
  `  {ident}:
    image: "images.example/{ident}:{hash}"
    command: ["node", "--enable-source-maps", "dist/{ident}.js", "--limit={number}"]
    environment:
      LOG_FORMAT: '{"level":"%l","text":"%m"}'
      DATA_DIR: \${DATA_DIR:-/var/lib/{ident}}
`,
  `describe("{thing}", () => {
  it("stays {quality} after {number} retries", async () => {
    const {ident} = make{Type}({ retries: {number}, delay: 0 })
    await expect({ident}.{verb}()).rejects.toThrow(/{hash}/)
    expect({ident}.log).toEqual(["open", "{verb}", "close"])
  })
})
`,
  `func ({ident} *{Type}) {verb}(ctx context.Context, n int) error {
\tfor i := 0; i < n; i++ {
\t\tif err := {ident}.step(ctx, i); err != nil {
\t\t\treturn fmt.Errorf("{verb} %d of %d: %w", i, n, err)
\t\t}
\t}
\treturn nil
}
`,
  `# {thing}

The {thing} is **{quality}**; see [{ident}](../{ident}.md#L{number}).

\`\`\`sh
grep -rn "{ident}" src | awk -F: '{ print $1 "\\t" $2 }' | sort -u
\`\`\`
`,
  `{"name":"{ident}","limits":{"rows":{number},"bytes":{number}},"pattern":"^\\\\w+\\\\.{ident}$","note":"{quality} \\u0026 slow"}
`,
]

/** Lines that commands print. */
export const shellLines: readonly string[] = [
  "{file}:{number}:  const {ident} = await {verb}{Type}(id) // {quality}",
  '{file}:{number}:    throw new Error("{error}")',
  " ok {thing} > stays {quality} ({number} ms)",
  "not ok {number} - {verb} {ident}\n  ---\n  message: '{error}'\n  at: {file}:{number}:{number}\n  ...",
  "-rw-r--r-- 1 dev dev {number}{number} Feb 11 09:{number} {ident}.{hash}.log",
  "drwxr-xr-x 2 dev dev  4096 Feb 11 09:04 {ident}",
  "[2026-02-11T09:04:{number}.118Z] WARN  {ident}: {error} (attempt {number})",
  "[2026-02-11T09:04:{number}.207Z] INFO  {ident}: {verb} finished, {number} rows",
  "diff --git a/{file} b/{file}\n@@ -{number},7 +{number},9 @@ export class {Type} {\n-    return this.{ident}\n+    const {ident} = this.{ident} ?? {number}\n+    return {ident}",
  "{hash} {verb}: make the {thing} {quality}",
  "{number}\t{number}\t{deepPath}",
  "Tests  {number} failed | {number}{number} passed ({number})\r\nDuration  {number} ms",
  "warning: {deepPath} is {number} bytes, limit is {number}",
  "progress 25%\rprogress 50%\rprogress 100%\u0007",
  "\u001b[31merror\u001b[0m[{error}]: {verb} on a {quality} {ident}\n  --> {file}:{number}:{number}",
]
