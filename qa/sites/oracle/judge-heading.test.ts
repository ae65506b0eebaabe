import { expect, it } from 'vitest'
import { buildSite } from '../model/build-site.ts'
import { buildTree } from '../test-support/build-tree.ts'
import { judgeHeading } from './judge-heading.ts'

const LAYOUT = { framework: 'mkdocs', content: ['docs'] }
const BEFORE = {
  'docs/a.md': '# A\n\nSee [setup](b.md#first-steps) and [b](b.md).\n',
  'docs/b.md': '# B\n\n## First steps\n\nWords about First steps.\n',
}
const AFTER = {
  'docs/a.md': '# A\n\nSee [setup](b.md#quick-start) and [b](b.md).\n',
  'docs/b.md': '# B\n\n## Quick start\n\nWords about First steps.\n',
}

function judge(after: Readonly<Record<string, string>>) {
  const before = buildSite(buildTree(BEFORE), LAYOUT)
  const heading = before.pages.get('docs/b.md')?.headings[1]
  if (heading === undefined) throw new Error('no heading')
  return judgeHeading({
    before,
    after: buildSite(buildTree({ ...AFTER, ...after }), LAYOUT, before),
    page: 'docs/b.md',
    heading,
    newHeading: 'Quick start',
  }).map(({ kind, file, line }) => `${kind} ${file}:${line}`)
}

it('accepts a renamed heading with its anchors, and an explicit id that keeps them', () => {
  expect(judge({})).toEqual([])
  const kept = {
    'docs/a.md': BEFORE['docs/a.md'],
    'docs/b.md': AFTER['docs/b.md'].replace('start', 'start {#first-steps}'),
  }
  expect(judge(kept)).toEqual([])
})

it.each([
  ['a stale anchor', { 'docs/a.md': BEFORE['docs/a.md'] }, 'stale docs/a.md:3'],
  [
    'another anchor that changed',
    { 'docs/a.md': AFTER['docs/a.md'].replace('(b.md)', '(b.md#b)') },
    'damage docs/a.md:3',
  ],
  ['a changed byte', { 'docs/b.md': AFTER['docs/b.md'].replace('Words', 'Word') }, 'damage docs/b.md:5'],
  ['a heading that did not change', { 'docs/b.md': BEFORE['docs/b.md'] }, 'damage docs/b.md:null'],
])('reports %s', (_, files, expected) => {
  expect(judge(files)).toContain(expected)
})
