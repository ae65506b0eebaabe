import { describe, expect, it } from 'vitest'
import { listCodeOwners } from './find-code-owners.ts'

/**
 * Patterns with matching and non-matching paths, based on the examples and rules in GitHub's
 * documentation.
 */
const ROWS: [pattern: string, matches: string[], others: string[]][] = [
  ['*', ['a.md', 'docs/deep/a.md', '.github/x.md'], []],
  ['*.md', ['a.md', 'docs/deep/a.md'], ['a.mdx', 'md']],
  ['/build/logs/', ['build/logs/a.md', 'build/logs/deep/a.md'], ['x/build/logs/a.md', 'build/logs']],
  ['docs/*', ['docs/a.md'], ['docs/build-app/a.md', 'x/docs/a.md', 'docs']],
  ['apps/', ['apps/a.md', 'x/apps/deep/a.md'], ['apps', 'my-apps/a.md']],
  ['/docs/', ['docs/a.md', 'docs/deep/a.md'], ['x/docs/a.md']],
  ['/scripts', ['scripts', 'scripts/a.md'], ['scripts2/a.md', 'x/scripts']],
  ['docs', ['docs', 'docs/a.md', 'x/docs/y/a.md'], ['docs2/a.md']],
  ['docs/guides', ['docs/guides', 'docs/guides/a/b.md'], ['x/docs/guides/a.md']],
  ['**/logs', ['logs', 'build/logs', 'deep/er/logs/a.md'], ['mylogs', 'logs.md']],
  ['docs/**', ['docs/a.md', 'docs/b/c.md'], ['docs', 'x/docs/a.md']],
  ['docs/**/api.md', ['docs/api.md', 'docs/a/b/api.md'], ['docs/my-api.md']],
  ['/docs/**/*.mdx', ['docs/a.mdx', 'docs/a/b.mdx'], ['a.mdx']],
  ['docs/p?ge.md', ['docs/page.md'], ['docs/pge.md', 'docs/p/ge.md']],
  ['my\\ docs/', ['my docs/a.md'], ['docs/a.md']],
  ['a\\*b.md', ['a*b.md'], ['axb.md']],
  ['Docs/', ['Docs/a.md'], ['docs/a.md']],
  ['a.b(c)+.md', ['a.b(c)+.md'], ['axb(c)+.md', 'a.bc.md']],
  ['/', [], ['a.md']],
  ['!docs/', [], ['docs/a.md', '!docs/a.md']],
  ['docs/[ab].md', [], ['docs/a.md', 'docs/[ab].md']],
  ['\\#a.md', [], ['#a.md', 'a.md']],
]

describe.each(ROWS)('%s', (pattern, matches, others) => {
  const owns = (path: string) => listCodeOwners(`${pattern} @ada`, [path]).length > 0
  it('matches the same paths as GitHub', () => {
    expect(matches.filter((path) => !owns(path))).toEqual([])
    expect(others.filter(owns)).toEqual([])
  })
})

it('uses the last match, even if it lists no owners', () => {
  const text =
    '\uFEFF# owners\n* @global # everything\r\ndocs/ @acme/writers @ada\n/docs/api/ @grace\n\n/docs/generated/\n'
  expect(listCodeOwners(text, ['a.ts'])).toEqual(['global'])
  expect(listCodeOwners(text, ['docs/a.md'])).toEqual(['acme/writers', 'ada'])
  expect(listCodeOwners(text, ['docs/api/a.md'])).toEqual(['grace'])
  expect(listCodeOwners(text, ['docs/generated/a.md'])).toEqual([])
  expect(listCodeOwners(text, ['docs/api/a.md', 'docs/a.md', 'docs/b.md'])).toEqual(['acme/writers', 'ada', 'grace'])
})

it('omits owners that cannot be requested and lines without owners', () => {
  const text = ['* docs@example.com @ada not-an-owner @b@d @-x', '[Section]', '^[Optional][2] @team', '[Docs] @x'].join(
    '\n',
  )
  expect(listCodeOwners(text, ['a.md'])).toEqual(['ada'])
  expect(listCodeOwners('', ['a.md'])).toEqual([])
  expect(listCodeOwners('* @ada', [])).toEqual([])
})

it('parses hostile files in linear time', () => {
  const stars = `${'*a'.repeat(200)}b @x\n`.repeat(3000)
  expect(listCodeOwners(stars, [`${'a'.repeat(400)}c.md`])).toEqual([])
  expect(listCodeOwners(`${'**/'.repeat(150)}x @x\n`.repeat(200), [`${'a/'.repeat(400)}y`])).toEqual([])
  expect(listCodeOwners(`${'\\'.repeat(100_000)} @x`, ['a.md'])).toEqual([])
})
