import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { buildPageReader } from '@corrigenda/site/thread'
import { expect, it } from 'vitest'
import { buildPathPolicy } from '../policy/path-policy.ts'
import { bytesOf } from '../test-support/build-tool-harness.ts'
import { verifyFinished } from './verify-finished.ts'

const config = "export default { vite: { plugins: [] }, themeConfig: { sidebar: [{ text: 'A', link: '/a' }] } }\n"
const path = '.vitepress/config.ts'
const files = {
  [path]: config,
  'a.md': '# A\n',
  'docs.json': '{"navigation":{"pages":["p"]},"redirects":[{"source":"/x","destination":"/p"}]}',
  'p.mdx': 'x\n',
}

async function verify(edits: Record<string, string>) {
  const workspace = buildMemoryWorkspace(files)
  for (const [name, text] of Object.entries(edits)) await workspace.write(name, bytesOf(text))
  const policy = buildPathPolicy({ navigationFiles: new Set([path]) })
  return await verifyFinished({ workspace, policy, pages: buildPageReader() }, { title: 'T', body: '' })
}

it('a change of navigation literals can be published', async () => {
  expect(await verify({ [path]: config.replace("'/a'", "'/b'"), 'a.md': '# B\n' })).toBeNull()
})

it('a change of code in the configuration is a policy violation', async () => {
  expect(await verify({ [path]: config.replace('plugins: []', 'plugins: [run()]') })).toEqual({
    code: 'policy_violation',
    message: expect.stringMatching(
      /Only the navigation, the redirects, and the addresses and paths of pages in "\.vitepress\/config\.ts" can be changed/,
    ),
  })
})

it('a damaged list of redirects fails the checks', async () => {
  const twice = files['docs.json'].replace('}]', '},{"source":"/x","destination":"/p"}]')
  expect(await verify({ 'docs.json': twice })).toEqual({
    code: 'checks_failed',
    message: expect.stringMatching(/Several redirects have the same source/),
  })
})
