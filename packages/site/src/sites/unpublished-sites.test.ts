import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { expect, it } from 'vitest'
import { judgeRepository } from '../test-support/judge-repository.ts'

async function listConfigs(files: Readonly<Record<string, string>>): Promise<(string | null)[]> {
  const { repository } = await judgeRepository(buildMemoryWorkspace(files))
  return repository.sites.map(({ config }) => config)
}

it.each(['template', 'tests/data', 'packages/x/__tests__', 'lib/templates/basic'])(
  'a configuration in %s is not a site',
  async (folder) => {
    const files = {
      [`${folder}/.vitepress/config.js`]: 'export default {<% if (x) { %>',
      [`${folder}/index.md`]: 'x\n',
    }
    expect(await listConfigs(files)).toEqual([null])
  },
)

it('one of several configurations of MkDocs is a site only if its folder exists', async () => {
  const files = { 'mkdocs.yml': 'site_name: x\n', 'src/mkdocs.yml': 'nav:\n  - a.md\n', 'docs/a.md': 'x\n' }
  expect(await listConfigs(files)).toEqual(['mkdocs.yml', null])
  expect(await listConfigs({ ...files, 'src/docs/a.md': 'x\n' })).toEqual(['mkdocs.yml', 'src/mkdocs.yml', null])
  expect(await listConfigs({ 'src/mkdocs.yml': 'nav:\n  - a.md\n' })).toEqual(['src/mkdocs.yml', null])
})
