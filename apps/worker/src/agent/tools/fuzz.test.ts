import { expect, it } from 'vitest'
import { buildPathPolicy } from '../../policy/path-policy.ts'
import { benchTools, bytesOf } from '../test-support/bench-tools.ts'
import { ALL_TOOLS } from './all-tools.ts'

/** A small seeded generator (mulberry32): the same calls every time. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

const SEGMENTS = [
  ...[
    'guides',
    'a.md',
    'b.mdx',
    'docs.json',
    '..',
    '.',
    '',
    '.git',
    '.GIT',
    'git~1',
    '.github',
    'AGENTS.md',
    'agents.MD',
    'CLAUDE.md',
  ],
  ...[
    'package.json',
    'x.sh',
    'ünï.md',
    'a\u0000.md',
    'a\\..\\b.md',
    '~',
    'C:',
    'con.md',
    '%2e%2e',
    '.​.',
    '\u202Ea.md',
    'x'.repeat(300),
  ],
  ...[
    '.vitepress',
    'node_modules',
    'link.md',
    'CODEOWNERS',
    ' .git',
    '.git ',
    'ＡGENTS.md',
    'pnpm-lock.yaml',
    'logo.png',
  ],
]
const TEXTS = [
  ...[
    'text',
    '',
    '\n',
    '\r\n',
    '# A\n\ntext\n',
    '$&',
    '<Note>',
    '{',
    '---\na: &a [*a]\n---\n',
    '\ud800',
    '\0',
    '🙂',
    ' ',
    '*',
    '**/*',
  ],
  ...[
    '(a+)+$',
    '[',
    '\\',
    '---\n',
    '{"navigation":{"pages":["none"]}}',
    'x'.repeat(5000),
    '../../etc/passwd',
    '{a,b}'.repeat(30),
    '!(x)',
  ],
]

it('5,000 random calls: nothing escapes, nothing crashes', async () => {
  const random = seeded(20261121)
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T
  const path = () =>
    `${random() < 0.1 ? '/' : ''}${Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(SEGMENTS)).join('/')}`
  const value = (key: string): unknown => {
    if (random() < 0.05) return pick([null, undefined, 1, -1, true, [], {}, 'text', Number.MAX_SAFE_INTEGER])
    if (key.endsWith('path')) return path()
    if (key === 'view_range') return [Math.floor(random() * 9) - 2, Math.floor(random() * 9) - 2]
    if (['insert_line', 'offset', 'depth', 'context', 'expected_replacements'].includes(key))
      return Math.floor(random() * 9) - 2
    if (key === 'mode') return pick(['literal', 'regex'])
    if (key === 'output') return pick(['lines', 'files', 'counts'])
    if (key === 'scope') return pick(['changed', 'all'])
    if (key === 'outcome') return pick(['changed', 'no_change', 'needs_input', 'impossible'])
    if (key === 'ignore_case') return random() < 0.5
    return pick(TEXTS)
  }
  const bench = benchTools({
    'a.md': '# A\n\ntext\n',
    'guides/b.mdx': '---\ntitle: B\n---\n\ntext\r\n',
    'docs.json': '{"navigation":{"pages":["a"]}}\n',
    'AGENTS.md': 'rules\n',
    'package.json': '{}\n',
    '.github/x.md': 'x\n',
    'logo.png': { bytes: Uint8Array.of(0x89, 0x50, 0, 1) },
    'link.md': { bytes: bytesOf('../../etc/passwd'), kind: 'symlink' },
  })
  const policy = buildPathPolicy()
  const pristine = bench.workspace.snapshot()
  const bad: string[] = []
  let worked = 0
  for (let round = 0; round < 5_000; round += 1) {
    const tool = pick(ALL_TOOLS)
    const keys = Object.keys(tool.schema.shape).filter(() => random() < 0.9)
    const input =
      random() < 0.02 ? pick([null, 1, 'x', [], [{}]]) : Object.fromEntries(keys.map((key) => [key, value(key)]))
    const { text, isError } = await bench.call(tool.name, input)
    if (!isError) worked += 1
    const leaks = /\n\s+at \S+ \(/.test(text) || text.includes(process.cwd())
    if (text.trim() === '' || !text.isWellFormed() || leaks) bad.push(`${tool.name} ${JSON.stringify(input)}: ${text}`)
    if (round % 100 === 99) {
      for (const change of await bench.workspace.changes()) {
        const why = policy.explain(change.path, change.kind === 'deleted' ? 'delete' : 'move')
        if (why !== null) bad.push(why)
      }
      if (round % 200 === 199) bench.workspace.restore(pristine)
    }
  }
  expect(bad).toEqual([])
  expect(bench.faults).toEqual([])
  expect(worked).toBeGreaterThan(500)
})
