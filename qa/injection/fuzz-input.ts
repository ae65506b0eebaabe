/** Builds a small seeded generator (mulberry32) of numbers in [0, 1). */
export function buildRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

const SEGMENTS =
  'guides|a.md|b.mdx|docs.json|mkdocs.yml|..|.|.git|.GIT|git~1|GIT~1|.git::$DATA|.github|workflows|AGENTS.md|agents.MD|CLAUDE.md|package.json|x.sh|run.md|ünï.md|u\u0308.md|a\u0000.md|a\\..\\b.md|~|C:|con.md|%2e%2e|.\u200B.|\u202Ea.md|.vitepress|node_modules|link.md|up|sub|lfs.md|CODEOWNERS| .git|.git |.git.|ＡGENTS.md|AGENTS.md.|．．|․․|pnpm-lock.yaml|logo.png|__proto__|constructor|*|[a]|{a,b}|\n|\u2028|a.md/b.md|🙂.md'
    .split('|')
    .concat('', 'x'.repeat(300), `${'d/'.repeat(400)}x.md`)
const TEXTS =
  'text|\n|\r\n|# A\n\ntext\n|$&|$1|<Note>|{|---\na: &a [*a]\n---\n|\ud800|\0|🙂| |*|**/*|(a+)+$|[|\\|---\n|{"navigation":{"pages":["none"]}}|../../etc/passwd|!(x)|\\Q|(?i)|[[:alpha:]]|\u2028|<a>{<a>{|/proc/self/environ|@(a|b)|+(a)|nav:\n  - {a: [}\n'
    .split('|')
    .concat(
      '',
      'x'.repeat(5000),
      '{a,b}'.repeat(30),
      '*a'.repeat(200),
      '(a{900})'.repeat(100),
      '['.repeat(9000),
      '> '.repeat(3000),
    )
const ODD: readonly unknown[] = [
  null,
  undefined,
  1,
  -1,
  1.5,
  Number.NaN,
  true,
  [],
  {},
  'text',
  Number.MAX_SAFE_INTEGER,
  [[]],
  { path: 'a.md' },
]
const CHOICES: Readonly<Record<string, readonly unknown[]>> = {
  mode: ['literal', 'regex'],
  output: ['lines', 'files', 'counts'],
  scope: ['changed', 'all'],
  outcome: ['changed', 'no_change', 'needs_input', 'impossible'],
  ignore_case: [true, false],
  source: ['code', 'code', 'open', 'docs', undefined, null, 'web', '__proto__', 'constructor', 'CODE', 'code/../docs'],
}
const NUMBERS = ['insert_line', 'offset', 'depth', 'context', 'expected_replacements']

/**
 * Builds tool input with hostile values for some or all of these properties. `paths` are existing
 * paths.
 */
export function buildFuzzInput(random: () => number, keys: readonly string[], paths: readonly string[]): unknown {
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  if (random() < 0.01) return pick(ODD)
  const number = () => (random() < 0.05 ? pick([1e9, -1e9, 2 ** 31, 2 ** 53]) : Math.floor(random() * 9) - 2)
  const toPath = () => {
    if (random() < 0.35) return pick(paths)
    const parts = Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(SEGMENTS))
    return `${random() < 0.1 ? pick(['/', './', '//', '\\', 'file:///']) : ''}${parts.join('/')}${random() < 0.05 ? '/' : ''}`
  }
  const toText = () => (random() < 0.2 ? `${pick(TEXTS)}${pick(TEXTS)}` : pick(TEXTS))
  const toValue = (key: string): unknown => {
    if (random() < 0.04) return pick(ODD)
    if (key.endsWith('path')) return toPath()
    if (key === 'evidence') return Array.from({ length: Math.floor(random() * 4) }, toEvidence)
    if (key === 'view_range') return [number(), number()]
    if (NUMBERS.includes(key)) return number()
    const choices = CHOICES[key]
    return choices === undefined ? toText() : pick(choices)
  }
  const toEvidence = () => ({
    page: toPath(),
    source: toValue('source'),
    path: toPath(),
    fromLine: number(),
    toLine: number(),
    note: toText(),
  })
  return Object.fromEntries(keys.filter(() => random() < 0.85).map((key) => [key, toValue(key)]))
}
