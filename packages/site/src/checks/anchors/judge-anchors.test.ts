import { buildMemoryWorkspace, type Files } from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import { buildChecker } from '../build-checker.ts'

const OPEN = '# B\n\n## Setup\n\n{{ macro }}\n'
const FOUND = '[x](b.md#setup)\n'
const MADE = '[x](b.md#made)\n'

/** Returns the number of links to missing anchors that a new page introduces. */
async function add(files: Files, text: string): Promise<number> {
  const workspace = buildMemoryWorkspace({ 'mkdocs.yml': 'site_name: A\n', 'docs/index.md': '# A\n', ...files })
  await workspace.write('docs/new.md', new TextEncoder().encode(`# New\n\n${text}`))
  const results = await buildChecker().checkDocs({ workspace, scope: 'changed' })
  return results.find(({ name }) => name === 'anchors')?.introduced ?? -1
}

describe('a link to an id that only a macro may define', () => {
  const site = (links: string): Files => ({ 'docs/b.md': OPEN, 'docs/c.md': OPEN, 'docs/a.md': `# A\n\n${links}` })

  it('is reported if 20 links lead to ids in the text of such pages', async () => {
    expect(await add(site(FOUND.repeat(20)), '[x](c.md#gone)\n')).toBe(1)
  })
  it.each<[string, string]>([
    ['19 links', FOUND.repeat(19)],
    ['two in 100 links to other ids', FOUND.repeat(98) + MADE.repeat(2)],
    ['links to pages without macros', '[x](a.md#a)\n'.repeat(20)],
  ])('is not judged with %s', async (_, links) => {
    expect(await add(site(links), '[x](c.md#gone)\n')).toBe(0)
  })
  it('is not judged if another link to this page leads to such an id', async () => {
    const links = FOUND.repeat(300) + MADE
    expect(await add(site(links), '[x](b.md#gone)\n')).toBe(0)
    expect(await add(site(links), '[x](c.md#gone)\n')).toBe(1)
  })
})
