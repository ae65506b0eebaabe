import { buildMemoryWorkspace, type Files } from '@corrigenda/git/internal/test-support/memory-workspace'
import { expect, it } from 'vitest'
import { buildChecker } from '../build-checker.ts'

const { checkDocs } = buildChecker()
const book: Files = { 'book.toml': '[book]\n', 'src/SUMMARY.md': '- [A](a.md)\n- [B](b/b.md)\n', 'src/b/b.md': '# B\n' }
const posts = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`src/blog/${n}.md`, 'x\n']))

async function findOrphans(files: Files, added: Files): Promise<string[]> {
  const workspace = buildMemoryWorkspace({ ...book, 'src/a.md': '# A\n', ...files })
  for (const [path, text] of Object.entries(added)) await workspace.write(path, new TextEncoder().encode(String(text)))
  const results = await checkDocs({ workspace, scope: 'changed' })
  return results.flatMap(({ introduced, findings }) =>
    findings.slice(0, introduced).flatMap(({ code, file }) => (code === 'navigation_orphan' ? [file] : [])),
  )
}

it.each<[what: string, files: Files, added: Files, orphans: string[]]>([
  ['a new page', {}, { 'src/c.md': 'x\n' }, ['src/c.md']],
  ['a page that a page includes', { 'src/a.md': '{{#include c.md}}\n' }, { 'src/c.md': 'x\n' }, []],
  ['a page that a changed page includes', {}, { 'src/a.md': '{{#include c.md}}\n', 'src/c.md': 'x\n' }, []],
  ['a page to which a page only links', { 'src/a.md': '[c](c.md)\n' }, { 'src/c.md': 'x\n' }, ['src/c.md']],
  ['a page next to a listed one', {}, { 'src/b/c.md': 'x\n' }, ['src/b/c.md']],
  ['a page in a folder without listed pages', posts(3), { 'src/blog/c.md': 'x\n' }, []],
  [
    'a page whose folder loses its entries',
    { ...posts(3), 'src/SUMMARY.md': '- [0](blog/0.md)\n' },
    { 'src/SUMMARY.md': '- [A](a.md)\n' },
    ['src/blog/0.md'],
  ],
  ['pages of a new folder', {}, posts(4), Object.keys(posts(4))],
  ['a page in a small folder', posts(2), { 'src/blog/c.md': 'x\n' }, ['src/blog/c.md']],
])('%s', async (_, files, added, orphans) => {
  expect(await findOrphans(files, added)).toEqual(orphans)
})
