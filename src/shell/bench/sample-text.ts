/** Numbers below a bound, from a seed: the same on every machine. */
export type Random = (below: number) => number

export const randomOf = (seed: number): Random => {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

// quotes, line ends, tabs and backslashes as programs have them, and letters of two and three bytes
const phrases: readonly string[] = [
  "the cache is keyed by path and size, so a renamed file is read again.\n",
  'const name = `${prefix}-${index.toString(36)}`\n\tif (name === "") return null\n',
  "Error: connect ECONNREFUSED 127.0.0.1:5432\n    at TCPConnectWrap (node:net:1595:16)\n",
  "drwxr-xr-x  4 dev dev  4096 Feb 11 09:04 services\n-rw-r--r--  1 dev dev   812 README.md\n",
  "C:\\work\\ledger\\build.cfg is written by the installer.\r\n",
  "Die Prüfung läuft täglich um drei Uhr, die Größe ist in Bytes. ",
  "入力は一行ずつ読み、空行は拒否する。",
  '{"id":17,"state":"open","tags":["a","b"],"ratio":0.25}\n',
  "Let me look at the test first, and then at the function that it calls. ",
  "  96.4 %  src/parse.ts     | 12-14, 88\n 100.0 %  src/print.ts     |\n",
]

const textLength = 1 << 16

/** Text to cut pieces from; it holds no surrogates, so any piece of it is whole. */
export const textFrom = (random: Random): string => {
  const parts: string[] = []
  for (let length = 0; length < textLength;) {
    const phrase = phrases[random(phrases.length)] ?? ""
    parts.push(phrase)
    length += phrase.length
  }
  return parts.join("")
}

/**
 * A length around a median: half of all are shorter, few are many times as long.
 *
 * units   UTF-16 code units, at most `cap`
 */
export const lengthNear = (random: Random, median: number, cap: number): number => {
  // doubles and halves with equal chance, a few times
  let length = median
  for (let i = 0; i < 6; i++) length *= random(2) === 0 ? 1.6 : 1 / 1.6
  return Math.min(cap, Math.ceil(length))
}
