import type { Evidence } from '@corrigenda/contracts'
import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { buildChecker } from '@corrigenda/site/checks'
import { buildPageReader } from '@corrigenda/site/thread'
import { expect, it } from 'vitest'
import { buildPathPolicy } from '../policy/path-policy.ts'
import { buildSource } from '../test-support/build-source.ts'
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

const API = buildSource({ files: { 'src/a.ts': 'a\nb\n' } })
const READS = { api: { ranges: { 'src/a.ts': [[1, 1] as const] }, rows: [], diffs: [] } }
const EVIDENCE = { page: 'a.md', source: 'api', path: 'src/a.ts', fromLine: 1, toLine: 1, note: 'a' }

async function verify(edits: Record<string, string>, evidence: readonly Evidence[] = []) {
  const workspace = buildMemoryWorkspace(files)
  for (const [name, text] of Object.entries(edits)) await workspace.write(name, bytesOf(text))
  const policy = buildPathPolicy({ navigationFiles: new Set([path]) })
  const deps = { workspace, policy, pages: buildPageReader(), checkDocs: buildChecker().checkDocs, sources: [API] }
  return await verifyFinished(deps, { title: 'T', body: '', evidence, reads: READS })
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

it('evidence that the run has not read fails the checks', async () => {
  expect(await verify({ 'a.md': '# B\n' }, [EVIDENCE])).toBeNull()
  expect(await verify({ 'a.md': '# B\n' }, [{ ...EVIDENCE, toLine: 2 }])).toEqual({
    code: 'checks_failed',
    message: expect.stringMatching(/The evidence is not valid\. .*line 2 of src\/a\.ts was not read/),
  })
  expect(await verify({ 'a.md': '# B\n' }, [{ ...EVIDENCE, page: 'p.mdx' }])).not.toBeNull()
})

it('a credential in the note of an entry is a policy violation', async () => {
  const note = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'
  expect(await verify({ 'a.md': '# B\n' }, [{ ...EVIDENCE, note }])).toMatchObject({ code: 'policy_violation' })
})
