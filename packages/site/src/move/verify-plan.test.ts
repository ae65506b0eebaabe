import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import type { IntendedChange } from './comparison.ts'
import { readRepository } from './read-repository.ts'
import { toEntryKey } from './rename-entries.ts'
import { toLinkKey } from './rewrite-links.ts'
import { verifyPlan } from './verify-plan.ts'

const summary = '# Summary\n\n- [One](one.md)\n- [Two](two.md)\n'
const files = {
  'book.toml': '[book]\n[output.html.redirect]\n"/gone.html" = "two.html"\n',
  'src/SUMMARY.md': summary,
  'src/one.md': '# One\n\n[two](two.md)\n',
  'src/two.md': '# Two\n\n[one](one.md#a) [web](https://example.com) [gone](gone.md)\n',
  'src/three.md': '# Three\n\n[first](first/index.md)\n',
}

/** Verifies a move of `src/one.md` to `src/first.md` with these new contents. */
async function verify(writes: Record<string, string>, change: Partial<IntendedChange> = {}) {
  const workspace = buildMemoryWorkspace(files)
  const repository = await readRepository(workspace)
  const entries = repository.sites[0]?.navigation.entries ?? []
  const [one] = entries
  if (one === undefined) throw new Error('expected an entry')
  return await verifyPlan(workspace, repository, {
    moves: new Map([['src/one.md', 'src/first.md']]),
    writes: new Map(Object.entries(writes).map(([path, text]) => [path, new TextEncoder().encode(text)])),
    entries: new Map([[toEntryKey(one), 'first.md']]),
    lostEntries: new Set(),
    lostLinks: new Set(),
    pages: [...repository.scans.keys()],
    redirects: [],
    ...change,
  })
}

const renamed = summary.replace('one.md', 'first.md')
const two = files['src/two.md'].replace('(one.md', '(first.md')
const plan = { 'src/SUMMARY.md': renamed, 'src/two.md': two }

describe('a plan', () => {
  it('is accepted if exactly the intended change is made', async () => {
    expect(await verify(plan)).toEqual([])
  })

  it.each<[name: string, writes: Record<string, string>, difference: RegExp]>([
    ['the new name is damaged', { 'src/SUMMARY.md': summary.replace('one.md', 'first.mdne.md') }, /"first.md" becomes/],
    ['an entry keeps its old name', { 'src/two.md': two }, /"first.md" becomes "one.md"/],
    ['another entry is renamed', { 'src/SUMMARY.md': renamed.replace('two.md', 'too.md') }, /"two.md" becomes/],
    ['another entry is removed', { 'src/SUMMARY.md': renamed.replace(/- \[Two.*\n/, '') }, /1 instead of 2 navigation/],
    ['an entry changes its group', { 'src/SUMMARY.md': renamed.replace('# Summary', '# Other') }, /another group/],
    ['a heading is lost', { 'src/SUMMARY.md': `${renamed}x\n`, 'src/two.md': two }, /SUMMARY.md: other text/],
    ['a link leads to a missing page', { ...plan, 'src/two.md': two.replace('first', 'frist') }, /frist\.md/],
    ['a link leads to a different page', { ...plan, 'src/two.md': two.replace('first', 'two') }, /lead to src\/two/],
    ['a link keeps its old name', { 'src/SUMMARY.md': renamed }, /two.md: the link one.md#a would lead to no page/],
    ['a link loses its anchor', { ...plan, 'src/two.md': two.replace('#a', '') }, /would become first.md/],
    ['an external link changes', { ...plan, 'src/two.md': two.replace('.com', '.org') }, /become https:..example.org/],
    ['an unresolved link changes', { ...plan, 'src/two.md': two.replace('(gone.md', '(first.md') }, /link gone.md/],
    ['a link is lost', { ...plan, 'src/two.md': '# Two\n' }, /0 instead of 3 links/],
    ['other text changes', { ...plan, 'src/two.md': two.replace('# Two', '# Too') }, /two.md: other text/],
    ['line endings change', { ...plan, 'src/two.md': two.replaceAll('\n', '\r\n') }, /line endings/],
    ['a redirect is lost', { ...plan, 'book.toml': '[book]\n' }, /redirect from \/gone.html to two.html is lost/],
    [
      'an unrelated redirect is added',
      { ...plan, 'book.toml': `${files['book.toml']}"/x.html" = "two.html"\n` },
      /unexpected redirect from \/x.html/,
    ],
    ['a file becomes invalid', { ...plan, 'book.toml': files['book.toml'].replace('[book]', '[book') }, /book.toml/],
  ])('is rejected if %s', async (_, writes, difference) => {
    expect(await verify(writes)).toEqual([expect.stringMatching(difference)])
  })

  it('is accepted with a link that keeps its old name only if the link is reported', async () => {
    const start = files['src/two.md'].indexOf('one.md')
    const lostLinks = new Set([toLinkKey('src/two.md', start)])
    expect(await verify({ 'src/SUMMARY.md': renamed }, { lostLinks })).toEqual([])
  })

  const url = { source: '/one', destination: '/first', page: 'src/first.md', file: 'book.toml' }
  const redirects = [{ ...url, names: { source: '/one.html', destination: 'first.html' } }]
  const add = (rows: string) => ({ ...plan, 'book.toml': `${files['book.toml']}${rows}` })
  it('is accepted if a redirect leads to the new URL', async () => {
    expect(await verify(add('"/one.html" = "first.html"\n'), { redirects })).toEqual([])
  })

  it.each<[name: string, rows: string, difference: RegExp]>([
    ['is missing', '', /redirect from \/one would not lead to src\/first.md/],
    ['leads to another page', '"/one.html" = "two.html"\n', /unexpected redirect/],
    ['is added twice', '"/one.html" = "first.html"\n"/one" = "first.html"\n', /two redirects have the same source/],
  ])('is rejected if the new redirect %s', async (_, rows, difference) => {
    expect(await verify(add(rows), { redirects })).toEqual([expect.stringMatching(difference)])
  })

  it('is rejected if a site is no longer found', async () => {
    const moves = new Map([['book.toml', 'book.txt']])
    expect(await verify({}, { moves, entries: new Map() })).toEqual(['the site of book.toml would no longer be found'])
  })
})
