import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import { applyMove } from './apply-move.ts'
import { planDelete } from './plan-delete.ts'
import { planMove } from './plan-move.ts'

async function moveFiles(files: Record<string, string>, moves: Record<string, string>) {
  const workspace = buildMemoryWorkspace(files)
  const plan = await planMove(workspace, new Map(Object.entries(moves)), () => null)
  await applyMove(workspace, new Map(Object.entries(moves)), plan.writes)
  return { plan, text: (path: string) => workspace.text(path), left: plan.left.join('\n') }
}

const docusaurus = (name: string) => ({
  [`${name}/docusaurus.config.js`]: "export default { title: 'x', presets: [['classic', { docs: {} }]] }\n",
  [`${name}/docs/a.md`]: '# A\n',
  [`${name}/docs/other-${name}.md`]: '# O\n',
})

describe('a host redirect file that applies to two sites', () => {
  it('is not changed if the other site has a page with the old URL', async () => {
    const files = { ...docusaurus('one'), ...docusaurus('two'), _redirects: '/older  /docs/a  301\n' }
    const { text, left, plan } = await moveFiles(files, { 'one/docs/a.md': 'one/docs/new.md' })
    expect(text('_redirects')).toBe(files._redirects)
    expect(plan.navigation.redirects).toEqual([])
    expect(left).toContain(
      '_redirects: a redirect from /docs/a to /docs/new (the file also applies to two/docusaurus.config.js, where two/docs/a.md has one of these URLs)',
    )
  })

  it('receives a redirect between URLs that only one site has', async () => {
    const files = { ...docusaurus('one'), ...docusaurus('two'), _redirects: '/older  /docs/a  301\n' }
    const { text } = await moveFiles(files, { 'one/docs/other-one.md': 'one/docs/new.md' })
    expect(text('_redirects')).toBe(`${files._redirects}/docs/other-one  /docs/new  301\n`)
  })

  it('keeps and reports a redirect that hides the new URL', async () => {
    const files = { ...docusaurus('one'), _redirects: '/docs/new  /docs/other-one  301\n' }
    const { left, text } = await moveFiles(files, { 'one/docs/a.md': 'one/docs/new.md' })
    expect(text('_redirects')).toContain(files._redirects)
    expect(left).toContain('_redirects:1: the redirect from /docs/new hides the moved page')
  })
})

describe('redirects in a $ref file that two sites share', () => {
  const docs = '{"navigation":{"pages":["old","p"]},"redirects":{"$ref":"../redirects.json"}}\n'
  const files = {
    'a/docs.json': docs,
    'a/old.mdx': '# Old\n',
    'a/p.mdx': '# P\n',
    'b/docs.json': docs,
    'b/old.mdx': '# Old\n',
    'b/p.mdx': '# P\n',
    'redirects.json': '[{ "source": "/x", "destination": "/old" }]\n',
  }

  it('are not changed', async () => {
    const { text, left } = await moveFiles(files, { 'a/old.mdx': 'a/new.mdx' })
    expect(text('redirects.json')).toBe(files['redirects.json'])
    expect(text('a/docs.json')).toBe(docs.replace('"old"', '"new"'))
    expect(left).toBe('/old: the old URL no longer works; redirects.json belongs to several sites')
  })
})

it('a URL with a special meaning in redirects is reported', async () => {
  const files = { ...docusaurus('one'), 'one/docs/a (b).md': '# A\n', _redirects: '/older  /docs/a  301\n' }
  const { text, left } = await moveFiles(files, { 'one/docs/a (b).md': 'one/docs/new.md' })
  expect(text('_redirects')).toBe(files._redirects)
  expect(left).toContain('(the redirect cannot be added to this file)')
})

describe('a Starlight sidebar that two sites with slugs in front matter share', () => {
  const config = `import starlight from '@astrojs/starlight'
import { sidebar } from '../sidebar.mjs'
export default { integrations: [starlight({ title: 'x', sidebar })] }
`
  const files = {
    'sidebar.mjs': "export const sidebar = [{ slug: 'start' }]\n",
    'a/astro.config.mjs': config,
    'a/src/content/docs/one.md': '---\ntitle: One\nslug: start\n---\n',
    'b/astro.config.mjs': config,
    'b/src/content/docs/two.md': '---\ntitle: Two\nslug: start\n---\n',
  }

  it('keeps its entry when one of the pages is deleted', async () => {
    const plan = await planDelete(buildMemoryWorkspace(files), 'a/src/content/docs/one.md', () => null, true)
    expect(plan.writes.size).toBe(0)
    expect(plan.left).toEqual([expect.stringContaining('a/astro.config.mjs shares this entry with another site')])
  })
})
