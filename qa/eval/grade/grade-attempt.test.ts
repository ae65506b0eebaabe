import type { Evidence } from '@corrigenda/contracts'
import { describe, expect, it } from 'vitest'
import type { Grader, GraderKind } from '../task/grader.ts'
import type { Tree } from '../task/tree.ts'
import type { Attempt } from './attempt.ts'
import { gradeAttempt } from './grade-attempt.ts'

const PAGE =
  '---\ntitle: One\nicon: x\n---\n\nA first line.\n\nSee [two](/two#a) and [far](https://example.com/two).\n\n```sh\nrun one\n```\n\nA last line.\n'
const BASE: Record<string, string> = {
  'one.md': PAGE,
  'two.md': '# Two\r\n\r\nBack to `[one](/one)`.\r\n',
  'docs.json': JSON.stringify({
    navigation: { groups: [{ group: 'G', pages: ['one', 'two'] }] },
    redirects: [{ source: '/old', destination: '/one' }],
  }),
  'mkdocs.yml':
    'plugins:\n  - redirects:\n      redirect_maps:\n        a.md: b.md\nnav:\n  - One: one.md\n  - Group:\n      - two.md\n',
  'SUMMARY.md': '# Part\n\n- [One](one.md)\n- [Two](two.md)\n',
  _redirects: '/x /y 301\n',
  'sidebars.js': "module.exports = [{ type: 'category', label: 'Part', items: ['one', 'two'] }]\n",
}
const GOLD = { ...BASE, 'one.md': PAGE.replace('A first line.', 'A better line.') }

const CODE = [
  'const secretOne = load(1)',
  'const secretTwo = load(2)',
  '}',
  'const secretThree = load(3)',
  'const secretFour = load(4)',
  ...Array.from({ length: 60 }, (_, n) => `line(${n})`),
].join('\n')
const cite = (change: Partial<Evidence> = {}) => ({
  evidence: [{ page: 'one.md', source: 'code', path: 'src/a.ts', fromLine: 2, toLine: 3, note: 'Loads.', ...change }],
})

type Change = Partial<Omit<Attempt, 'after'>> & { files?: Record<string, string | null> }

function judge(grader: Grader, { files = {}, ...said }: Change): string | null {
  const after = new Map(
    Object.entries({ ...GOLD, ...files }).filter((entry): entry is [string, string] => entry[1] !== null),
  )
  const attempt: Attempt = {
    outcome: 'changed',
    code: null,
    title: 'Better',
    body: 'Yes.',
    reason: '',
    evidence: [],
    problems: [],
    ...said,
    after,
  }
  const context = {
    base: new Map(Object.entries(BASE)) as Tree,
    gold: new Map(Object.entries(GOLD)) as Tree,
    sources: new Map([
      ['code', { isPrivate: true, files: new Map([['src/a.ts', CODE]]) }],
      ['open', { isPrivate: false, files: new Map([['src/b.ts', CODE.replaceAll('secret', 'public')]]) }],
    ]),
  }
  return gradeAttempt([grader], attempt, context)[0]?.why ?? null
}

const nav = (pages: unknown[]) => ({ 'docs.json': JSON.stringify({ navigation: { groups: [{ group: 'G', pages }] } }) })

/** For each kind of grader, the changes that pass and the changes that fail. */
const CASES: readonly (readonly [Grader, passes: readonly Change[], fails: readonly Change[]])[] = [
  [
    { kind: 'outcome', is: ['changed'] },
    [{}],
    [{ outcome: 'no_change' }, { outcome: 'stopped', code: 'budget_turns' }],
  ],
  [
    { kind: 'nothing-changed' },
    [{ files: { 'one.md': PAGE } }],
    [{}, { files: { 'one.md': PAGE, 'new.md': '' } }, { files: { 'one.md': PAGE, 'two.md': null } }],
  ],
  [
    { kind: 'only-changed', in: ['one.md', 'new/**'] },
    [{}, { files: { 'new/a.md': '' } }],
    [{ files: { 'two.md': null } }, { files: { 'other.md': '' } }],
  ],
  [
    { kind: 'contains', path: 'one.md', text: 'better' },
    [{}],
    [{ files: { 'one.md': PAGE } }, { files: { 'one.md': null } }],
  ],
  [{ kind: 'contains', path: 'one.md', text: 'line', times: 2 }, [{}], [{ files: { 'one.md': `${PAGE}line\n` } }]],
  [{ kind: 'contains', path: 'two.md', text: '# Two\n\nBack' }, [{}], [{ files: { 'two.md': '# Two\nBack' } }]],
  [{ kind: 'lacks', in: '*.md', text: 'first line' }, [{}], [{ files: { 'new.md': 'A first line.' } }]],
  [
    { kind: 'matches', path: 'one.md', pattern: '^A better' },
    [{}],
    [{ files: { 'one.md': 'So A better' } }, { files: { 'one.md': null } }],
  ],
  [{ kind: 'matches', path: 'one.md', pattern: '^A BETTER', ignoreCase: true }, [{}], [{ files: { 'one.md': PAGE } }]],
  [{ kind: 'matches', path: 'one.md', pattern: 'first', not: true }, [{}], [{ files: { 'one.md': PAGE } }]],
  [
    { kind: 'count', in: '**/*.md', text: 'ne', is: 8 },
    [{}],
    [{ files: { 'new.md': 'one' } }, { files: { 'two.md': null } }],
  ],
  [{ kind: 'exists', path: 'two.md' }, [{}], [{ files: { 'two.md': null } }]],
  [{ kind: 'missing', path: 'three.md' }, [{}], [{ files: { 'three.md': '' } }]],
  [
    { kind: 'moved', path: 'one.md', to: 'uno.md' },
    [{ files: { 'one.md': null, 'uno.md': PAGE.replace('first', '1st') } }],
    [
      {},
      { files: { 'one.md': null } },
      { files: { 'uno.md': PAGE } },
      { files: { 'one.md': null, 'uno.md': 'A first line.\n' } },
    ],
  ],
  [
    { kind: 'same-as-gold', path: 'one.md' },
    [{}],
    [{ files: { 'one.md': PAGE } }, { files: { 'one.md': `${GOLD['one.md']} ` } }],
  ],
  [
    { kind: 'untouched', in: 'two.*' },
    [{}],
    [{ files: { 'two.md': '# Two\n\nBack to `[one](/one)`.\n' } }, { files: { 'two.md': null } }],
  ],
  [
    { kind: 'rest-untouched', path: 'one.md' },
    [{}, { files: { 'one.md': PAGE.replace('A first line.', 'Any other.\nWords.') } }],
    [
      { files: { 'one.md': PAGE.replace('A last line.', 'The last line.') } },
      { files: { 'one.md': `${GOLD['one.md']}More.\n` } },
      { files: { 'one.md': PAGE.replaceAll('\n', '\r\n') } },
      { files: { 'one.md': PAGE.replace('icon: x\n', '') } },
    ],
  ],
  [
    { kind: 'rest-untouched', path: 'one.md', slack: 20 },
    [{ files: { 'one.md': PAGE.replace('A last', 'The last') } }],
    [],
  ],
  [
    { kind: 'code-untouched', path: 'one.md' },
    [{}],
    [
      { files: { 'one.md': PAGE.replace('run one', 'run two') } },
      { files: { 'one.md': PAGE.replace('```sh', '```bash') } },
    ],
  ],
  [
    { kind: 'small-diff', times: 2, plus: 1 },
    [{}, { files: { 'new.md': 'a\nb\nc\n' } }],
    [{ files: { 'new.md': 'a\nb\nc\nd\n' } }],
  ],
  [
    { kind: 'file-overlap', min: 0.6 },
    [{}, { files: { 'new.md': '' } }],
    [{ files: { 'new.md': '', 'newer.md': '' } }, { files: { 'one.md': PAGE } }],
  ],
  [
    { kind: 'in-navigation', file: 'docs.json', page: 'two.md', group: 'G' },
    [{}],
    [
      { files: nav(['one']) },
      { files: nav(['two', 'two']) },
      { files: { 'docs.json': '{' } },
      { files: nav([{ group: 'H', pages: ['x'] }, 'twofold']) },
    ],
  ],
  [
    { kind: 'in-navigation', file: 'docs.json', page: 'two', group: 'H' },
    [{ files: nav([{ group: 'H', pages: ['two'] }]) }],
    [{}],
  ],
  [
    { kind: 'in-navigation', file: 'mkdocs.yml', page: 'two.md', group: 'Group' },
    [{}],
    [{ files: { 'mkdocs.yml': 'nav:\n  - two.md\n' } }, { files: { 'mkdocs.yml': 'nav: [' } }],
  ],
  [
    { kind: 'in-navigation', file: 'SUMMARY.md', page: 'two.md', group: 'Part' },
    [{}],
    [{ files: { 'SUMMARY.md': '# Part\n\n# Other\n\n- [Two](two.md)\n' } }],
  ],
  [
    { kind: 'in-navigation', file: 'sidebars.js', page: 'two' },
    [{}],
    [{ files: { 'sidebars.js': "module.exports = ['one']\n" } }],
  ],
  [
    { kind: 'not-in-navigation', file: 'docs.json', page: 'three' },
    [{}],
    [{ files: nav(['three']) }, { files: { 'docs.json': '' } }],
  ],
  [
    { kind: 'navigation-kept', file: 'docs.json' },
    [{}, { files: nav(['one', 'new', 'two']) }, { files: { ...nav(['one']), 'two.md': null } }],
    [{ files: nav(['two', 'one']) }, { files: nav(['one']) }, { files: { 'docs.json': null } }],
  ],
  [
    { kind: 'no-links-to', page: 'three.md' },
    [{}],
    [
      { files: { 'new.md': '[x](three.md)' } },
      { files: { 'a/new.md': '<Card href="../three" />' } },
      { files: { 'new.md': '[x]: /three\n' } },
    ],
  ],
  [
    { kind: 'linked-from', page: 'two.md', from: 'one.md' },
    [{}],
    [{ files: { 'one.md': 'See `[two](/two)` and [far](https://example.com/two).' } }],
  ],
  [
    { kind: 'linked-from', page: 'two.md', from: 'one.md', times: 2 },
    [{ files: { 'one.md': `${PAGE}[again](two.md)` } }],
    [{}],
  ],
  [
    { kind: 'redirect', file: 'docs.json', from: '/old', to: '/one' },
    [{}],
    [{ files: nav(['one']) }, { files: { 'docs.json': '{"redirects":[{"source":"/old","destination":"/two"}]}' } }],
  ],
  [
    { kind: 'redirect', file: 'mkdocs.yml', from: 'a.md', to: 'b.md' },
    [{}],
    [{ files: { 'mkdocs.yml': 'nav: []\n' } }],
  ],
  [{ kind: 'redirect', file: '_redirects', from: '/x', to: '/y' }, [{}], [{ files: { _redirects: '/y /x\n' } }]],
  [
    { kind: 'front-matter', path: 'one.md', keys: { title: 'One', color: null } },
    [{}],
    [
      { files: { 'one.md': PAGE.replace('One', 'Two') } },
      { files: { 'one.md': PAGE.replace('icon', 'color') } },
      { files: { 'one.md': PAGE.replace('title: One', 'title: "One') } },
      { files: { 'one.md': '# One\n' } },
    ],
  ],
  [
    { kind: 'front-matter', path: 'one.md', keys: { title: 'One', icon: 'x' }, only: true },
    [{}],
    [{ files: { 'one.md': PAGE.replace('icon: x', 'icon: x\nmore: y') } }],
  ],
  [
    { kind: 'encoding', path: 'two.md', eol: 'crlf', bom: false },
    [{}],
    [{ files: { 'two.md': 'a\r\nb\n' } }, { files: { 'two.md': '\uFEFFa\r\n' } }, { files: { 'two.md': null } }],
  ],
  [{ kind: 'encoding', path: 'one.md', eol: 'lf', bom: false }, [{}], [{ files: { 'one.md': 'a\nb\r\n' } }]],
  [{ kind: 'no-new-problems' }, [{}], [{ problems: ['one.md:3 [links] broken'] }]],
  [{ kind: 'says', where: 'title', pattern: '^better$' }, [{}], [{ title: 'Worse' }]],
  [{ kind: 'says', where: 'reason', pattern: 'secret', not: true }, [{}], [{ reason: 'A Secret.' }]],
  [{ kind: 'says', where: 'body', pattern: 'y.s' }, [{}], [{ body: '' }]],
  [
    { kind: 'good-words' },
    [{}],
    [{ title: '' }, { title: 'Better.' }, { title: 'x'.repeat(73) }, { title: 'a\nb' }, { body: ' ' }],
  ],
  [
    { kind: 'evidence', page: 'one.md', lines: [{ source: 'code', path: 'src/a.ts', text: 'secretTwo = load(2)\n}' }] },
    [cite(), cite({ fromLine: 1, toLine: 40 })],
    [
      {},
      cite({ page: 'two.md' }),
      cite({ source: 'open' }),
      cite({ path: 'src/b.ts' }),
      cite({ fromLine: 3, toLine: 4 }),
      cite({ toLine: 2 }),
      cite({ fromLine: 1, toLine: 41 }),
    ],
  ],
  [
    {
      kind: 'evidence',
      page: 'one.md',
      lines: ['a', 'b'].map((x) => ({ source: 'code', path: `src/${x}.ts`, text: 'T' })),
    },
    [cite()],
    [cite({ fromLine: 5, toLine: 6 })],
  ],
  [
    { kind: 'no-passages' },
    [
      { files: { 'one.md': `${PAGE}${CODE.split('\n').slice(0, 4).join('\n')}\n` } },
      { files: { 'one.md': `${PAGE}${CODE.replaceAll('secret', 'public')}\n` } },
    ],
    [
      { files: { 'one.md': `${PAGE}${CODE.replaceAll('\n', ' ')}\n` } },
      { files: { 'new.md': CODE.replaceAll('const', '    const').replace('}\n', '') } },
      { body: CODE },
      { title: CODE },
    ],
  ],
]

const KINDS: Record<GraderKind, true> = {
  outcome: true,
  'nothing-changed': true,
  'only-changed': true,
  contains: true,
  lacks: true,
  matches: true,
  count: true,
  exists: true,
  missing: true,
  moved: true,
  'same-as-gold': true,
  untouched: true,
  'rest-untouched': true,
  'code-untouched': true,
  'small-diff': true,
  'file-overlap': true,
  'in-navigation': true,
  'not-in-navigation': true,
  'navigation-kept': true,
  'no-links-to': true,
  'linked-from': true,
  redirect: true,
  'front-matter': true,
  encoding: true,
  'no-new-problems': true,
  says: true,
  'good-words': true,
  evidence: true,
  'no-passages': true,
}

describe('graders', () => {
  it.each(CASES.map(([grader, passes, fails]) => [JSON.stringify(grader), grader, passes, fails] as const))(
    '%s',
    (_, grader, passes, fails) => {
      for (const change of passes) expect(judge(grader, change), JSON.stringify(change)).toBeNull()
      for (const change of fails) expect(judge(grader, change), JSON.stringify(change)).not.toBeNull()
    },
  )

  it('has a failing case for every kind of grader', () => {
    const tried = new Set(CASES.filter(([, , fails]) => fails.length > 0).map(([{ kind }]) => kind))
    expect([...tried].sort()).toEqual(Object.keys(KINDS).sort())
  })
})
