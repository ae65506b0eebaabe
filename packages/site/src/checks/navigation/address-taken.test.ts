import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { expect, it } from 'vitest'
import { buildChecker } from '../build-checker.ts'

const { checkDocs } = buildChecker()
const STARLIGHT = {
  'astro.config.mjs':
    "import starlight from '@astrojs/starlight'\nexport default { integrations: [starlight({ title: 'A' })] }",
  'src/content/docs/a.md': '---\ntitle: A\n---\n',
}
const DOCUSAURUS = { 'docusaurus.config.js': "module.exports = { presets: [['classic', {}]] }", 'docs/a.md': '# A\n' }

async function find(files: Record<string, string>, page: string, text: string): Promise<string[]> {
  const workspace = buildMemoryWorkspace(files)
  await workspace.write(page, new TextEncoder().encode(text))
  const results = await checkDocs({ workspace, scope: 'changed' })
  return results.flatMap(({ findings }) =>
    findings.map(({ file, code, breaksBuild }) => `${file} ${code} ${breaksBuild}`),
  )
}

it('finds pages without the title that the framework requires', async () => {
  const page = 'src/content/docs/b.md'
  expect(await find(STARLIGHT, page, '---\ndescription: B\n---\n')).toEqual([`${page} title_missing true`])
  expect(await find(STARLIGHT, page, '# B\n')).toEqual([`${page} title_missing true`])
  expect(await find(STARLIGHT, page, '---\ntitle: B\n---\n')).toEqual([])
  expect(await find(STARLIGHT, 'src/content/docs/_part.md', 'B\n')).toEqual([])
  expect(await find(DOCUSAURUS, 'docs/b.md', '# B\n')).toEqual([])
})

it('finds pages with the address of another page', async () => {
  expect(await find(DOCUSAURUS, 'docs/b.md', '---\nslug: a\n---\n')).toEqual(['docs/b.md address_taken undefined'])
  expect(await find(STARLIGHT, 'src/content/docs/a/index.md', '---\ntitle: B\n---\n')).toEqual([
    'src/content/docs/a/index.md address_taken undefined',
  ])
  expect(await find(DOCUSAURUS, 'docs/b.md', '---\nslug: c\n---\n')).toEqual([])
})

it('keeps a page and the index page of a folder apart in VitePress', async () => {
  const files = { '.vitepress/config.js': 'export default {}', 'guide.md': '# A\n' }
  expect(await find(files, 'guide/index.md', '# B\n')).toEqual([])
})
