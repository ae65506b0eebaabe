import { expect, test } from 'vitest'
import { buildChecker } from '../checks/build-checker.ts'
import { openSites } from '../sites/open-sites.ts'
import { buildWorkspace } from './build-workspace.ts'

const refuse = (name: string) => async () => {
  throw Object.assign(new Error('No.'), { name })
}
const open = (name: string) => {
  const workspace = buildWorkspace({ 'mkdocs.yml': 'site_name: A\n', 'docs/a.md': '# A\n' })
  return { ...workspace, read: refuse(name), readBase: refuse(name) }
}

test('files that a workspace refuses to read are skipped', async () => {
  const { sites } = await openSites(open('WorkspaceError'))
  expect(sites.map(({ framework }) => framework.name)).toEqual(['plain'])
  const results = await buildChecker().checkDocs({ workspace: open('WorkspaceError'), scope: 'all' })
  expect(results.find(({ name }) => name === 'unread')?.findings).toMatchObject([{ file: 'docs/a.md' }])
})

test('other errors end the operation', async () => {
  await expect(openSites(open('Error'))).rejects.toThrow('No.')
  await expect(buildChecker().checkDocs({ workspace: open('Error'), scope: 'all' })).rejects.toThrow('No.')
})
