import { buildMemoryWorkspace, type MemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import { buildChecker } from '../build-checker.ts'

const PATH = 'docs/.vitepress/config.ts'
const config = `export default {
  title: 'guide/a',
  themeConfig: {
    footer: { columns: [{ text: '/guide/b', link: '/guide/a' }, { href: '/guide/b#x' }] },
    logo: { href: '/files/x.pdf' },
    ignored: ['guide/a.md', '/guide/a'],
    sidebar: [{ text: 'A', link: '/guide/a' }],
  },
}
`
const files = {
  [PATH]: config,
  'docs/index.md': '# I\n',
  'docs/guide/a.md': '# A\n',
  'docs/guide/b.md': '# B\n',
  'docs/public/files/x.pdf': 'x',
}

async function check(edit: (workspace: MemoryWorkspace) => Promise<void>, more: Record<string, string> = {}) {
  const workspace = buildMemoryWorkspace({ ...files, ...more })
  await edit(workspace)
  const results = await buildChecker().checkDocs({ workspace, scope: 'changed' })
  return results
    .flatMap(({ findings }) => findings)
    .flatMap(({ code, file, line }) => (code === 'navigation_broken_link' ? [`${file}:${line}`] : []))
}
const write = (old: string, now: string) => (workspace: MemoryWorkspace) =>
  workspace.write(PATH, new TextEncoder().encode(config.replace(old, now)))

describe('a link in the configuration outside of the navigation', () => {
  it.each<[what: string, edit: (workspace: MemoryWorkspace) => Promise<void>]>([
    ['whose page is deleted', (w) => w.remove('docs/guide/a.md')],
    ['whose page is moved', (w) => w.move('docs/guide/b.md', 'docs/guide/c.md')],
    ['that is misspelled', write("link: '/guide/a'", "link: '/guide/aa'")],
    ['with an anchor that is misspelled', write('/guide/b#x', '/guide/bb#x')],
  ])('%s is broken', async (_, edit) => {
    expect(await check(edit)).toEqual([`${PATH}:4`])
  })

  it.each<[what: string, edit: (workspace: MemoryWorkspace) => Promise<void>]>([
    ['that leads to another page now', write("link: '/guide/a'", "link: '/guide/b'")],
    ['that leads to another host now', write("link: '/guide/a'", "link: 'https://x.example/a'")],
    ['that leads to a file now', write("link: '/guide/a'", "link: '/files/x.pdf'")],
    ['that is removed', write("{ href: '/guide/b#x' }", '')],
    ['that is code now', write("link: '/guide/a'", "link: '/guide/' + a")],
    ['that is new', write("{ href: '/guide/b#x' }", "{ href: '/guide/b#x' }, { href: '/made/by/a/plugin' }")],
    ['next to a changed text', write("text: '/guide/b'", "text: '/guide/z'")],
  ])('%s is not', async (_, edit) => {
    expect(await check(edit)).toEqual([])
  })

  it('is not broken if a redirect replaces the page', async () => {
    const hugo = {
      'hugo.yaml': 'baseURL: /\nmenus:\n  main:\n    - url: /a/\n',
      'content/a.md': '---\ntitle: A\n---\n',
      'content/b.md': '---\ntitle: B\n---\n',
    }
    const encode = (text: string) => new TextEncoder().encode(text)
    expect(await check((w) => w.remove('content/a.md'), hugo)).toEqual(['hugo.yaml:4'])
    const moved = await check(async (w) => {
      await w.remove('content/a.md')
      await w.write('content/b.md', encode('---\ntitle: B\naliases: [/a/]\n---\n'))
    }, hugo)
    expect(moved).toEqual([])
  })
})
