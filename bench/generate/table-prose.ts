/** Sentences as an engineer or an assistant would write them; `{slot}` takes a word. */
export const sentences: readonly string[] = [
  "The {thing} is {quality} in {place}, which explains why only {person} could reproduce it.",
  "I traced the failure to `{file}`: the {thing} is read before the {thing} has been written.",
  "Before changing anything I want to see how {place} uses the {thing}.",
  "There are {number} callers, and all but one of them ignore the return value.",
  "The test passes alone and fails in the suite, so some state must survive between cases.",
  "If the {thing} were {quality}, the error {error} could not appear at this point.",
  "{person} asked for the smallest change that keeps the old behaviour for existing data.",
  "We could raise the limit from {number} to {number}, but that would only hide the cause.",
  "It is safer to {verb} the {thing} first and to {verb} it again after the lock is taken.",
  'Note that "{quality}" here means something else than in the documentation.',
  "The log shows {error} about {number} times an hour, always after {place} was restarted.",
  "That path is C:\\work\\{ident}\\{ident}.cfg on the build machine, hence the doubled backslashes.",
  "Nothing else in the repository depends on the {thing}, so it can be removed.",
  "I would rather keep the {thing} as it is and teach {place} to wait.",
  "After the change the whole suite takes {number} seconds, {number} fewer than before.",
  "One open question remains: who owns the {thing} when two workers {verb} at once?",
  "The fix is three lines; the test that shows it was needed is longer.",
  "Rounding happens twice, once in `{file}` and once in `{file}`, and the second time is wrong.",
  "The comment says the value is in milliseconds, the code treats it as seconds.",
  "Let me run the tests for {place} before I go on.",
  "All {number} tests pass now, including the new one for a {quality} {thing}.",
  "I left the public signature alone, so no caller has to change.",
]

/** What a person asks for; one line or a few. */
export const prompts: readonly string[] = [
  "The {thing} loses entries when {place} restarts. Find out why and fix it, with a test.",
  "Please explain how `{file}` decides that a {thing} is {quality}. Do not change anything yet.",
  "Rename `{ident}` to `{ident}Record` everywhere and keep the tests green.",
  "Add a limit of {number} to the {thing} in {place}. Make it configurable.",
  "CI fails with {error} since {hash}. Can you bisect it and tell me what broke?",
  "Write the migration that moves the {thing} out of {place}.\n\nConstraints:\n- no downtime\n- safe to run twice\n- at most {number} rows a batch",
  'Why does "{verb} {ident}" print nothing on Windows? Start with `{deepPath}`.',
  "Review my change in `{file}`; {person} thinks the {thing} is {quality}.",
  "Make {place} faster. It takes {number} ms and should take {number} ms.",
  "Go on with the next item.",
  "Thanks. Now do the same for the {thing}.",
  "Stop, that is the wrong {thing}: I meant the one in `{file}`.",
  "Document the {thing} in `{file}`, two paragraphs and an example are enough.",
]

/** What an assistant says when it closes a turn. */
export const closings: readonly string[] = [
  "Done. I changed `{file}` so that the {thing} is no longer {quality}, and added a test that fails without the change.",
  "The cause was {error} in {place}. The fix is in `{file}`; the full suite passes ({number} tests).",
  "Here is what I found:\n\n1. `{file}` reads the {thing} too early.\n2. Nothing checks whether it is {quality}.\n3. The {number} ms delay hides both.\n\nShall I fix the first two?",
  "The {thing} now waits for {place}. I did **not** touch `{file}`, because {person} is working on it.",
]

/** Lines in other scripts, with astral characters and combining marks. */
export const unicodeLines: readonly string[] = [
  "请先检查 `{file}`,队列在重启之后会丢失最后 {number} 条记录。",
  "修复完成:新增了一个测试,确认 {ident} 在超时后不会重复提交。",
  "「{ident}」の境界値が一つずれています。{number} 件目で再現しました。",
  "테스트 {number}개 통과, 1개 실패: {ident} 초기화 순서를 확인하세요.",
  "Деплой {hash} откатили: {error} на каждом {number}-м запросе.",
  "القيمة {number} أكبر من الحد المسموح به في {ident}",
  "✅ {number} passed  ❌ 1 failed  ⏱️ {number} ms  — {ident} 🚧 see 🧵 for details",
  "naïve façade, coöperate, Ångström, e\u0301 composed of two, 👩‍💻 of three, 𝒟 beyond the BMP",
  "prix : 1 234,56 € — « {ident} » n’est plus {quality}",
  "\u001b[32m✓\u001b[39m {ident} \u001b[2m({number} ms)\u001b[22m",
]
