import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import { applyMove } from './apply-move.ts'
import { planDelete } from './plan-delete.ts'
import { planMove } from './plan-move.ts'

async function moveFile(files: Record<string, string>, from: string, to: string) {
  const workspace = buildMemoryWorkspace(files)
  const plan = await planMove(workspace, new Map([[from, to]]), () => null)
  await applyMove(workspace, new Map([[from, to]]), plan.writes)
  return { plan, text: (path: string) => workspace.text(path) }
}

async function deleteFile(files: Record<string, string>, path: string) {
  const workspace = buildMemoryWorkspace(files)
  const plan = await planDelete(workspace, path, () => null, true)
  for (const [file, bytes] of plan.writes) await workspace.write(file, bytes)
  await workspace.remove(path)
  return { plan, text: (file: string) => workspace.text(file) }
}

describe('two books with the same SUMMARY.md', () => {
  const summary = '# Summary\n\n- [Threads](ch16-01-threads.md)\n- [Messages](ch16-02-messages.md)\n'
  const files = {
    'book.toml': '[book]\ntitle = "x"\n',
    'nostarch/book.toml': '[book]\nsrc = "../src"\n',
    'src/SUMMARY.md': summary,
    'src/ch16-01-threads.md': '# Threads\n',
    'src/ch16-02-messages.md': '# Messages\n',
  }

  it('a move renames the entry once', async () => {
    const { text, plan } = await moveFile(files, 'src/ch16-01-threads.md', 'src/ch16-01-using-threads.md')
    expect(text('src/SUMMARY.md')).toBe(summary.replace('ch16-01-threads', 'ch16-01-using-threads'))
    expect(plan.navigation.entries.get('src/SUMMARY.md')).toBe(1)
  })

  it("a deletion removes only the page's entry", async () => {
    const { text, plan } = await deleteFile(files, 'src/ch16-01-threads.md')
    expect(text('src/SUMMARY.md')).toBe('# Summary\n\n- [Messages](ch16-02-messages.md)\n')
    expect(plan.entries.get('src/SUMMARY.md')).toBe(1)
  })
})

describe('navigation that a translation inherits (MkDocs)', () => {
  const english = `site_name: x
nav:
  - index.md
  - Body: tutorial/body.md
  - Query: tutorial/query.md
plugins:
  - redirects:
      redirect_maps:
        deploy.md: tutorial/query.md
`
  const files = {
    'docs/en/mkdocs.yml': english,
    'docs/en/docs/index.md': '# Home\n',
    'docs/en/docs/tutorial/body.md': '# Body\n',
    'docs/en/docs/tutorial/query.md': '# Query\n',
    'docs/hi/mkdocs.yml': 'INHERIT: ../en/mkdocs.yml\n',
    'docs/hi/docs/index.md': '# Home\n',
    'docs/hi/docs/tutorial/body.md': '# Body\n',
  }

  it('is not changed when the translated page is moved', async () => {
    const { text, plan } = await moveFile(files, 'docs/hi/docs/tutorial/body.md', 'docs/hi/docs/tutorial/content.md')
    expect(text('docs/en/mkdocs.yml')).toBe(english)
    expect(plan.left).toEqual([
      'docs/en/mkdocs.yml:4: entry "tutorial/body.md" (docs/hi/mkdocs.yml shares this entry with another site, so it was not changed)',
      expect.stringContaining('the old URL no longer works'),
    ])
  })

  it('is not changed when the translated page is deleted', async () => {
    const { text, plan } = await deleteFile(files, 'docs/hi/docs/tutorial/body.md')
    expect(text('docs/en/mkdocs.yml')).toBe(english)
    expect(plan.left).toHaveLength(1)
    expect(plan.redirectable).toBeNull()
  })

  it('is changed once when the original page is moved', async () => {
    const { text, plan } = await moveFile(files, 'docs/en/docs/tutorial/body.md', 'docs/en/docs/tutorial/content.md')
    expect(plan.left).toEqual([
      'docs/en/mkdocs.yml:4: entry "tutorial/body.md" (it is now "tutorial/content.md", and docs/hi/mkdocs.yml no longer finds docs/hi/docs/tutorial/body.md)',
    ])
    expect(text('docs/en/mkdocs.yml')).toBe(
      english
        .replace('Body: tutorial/body.md', 'Body: tutorial/content.md')
        .replace(
          'deploy.md: tutorial/query.md\n',
          'deploy.md: tutorial/query.md\n        tutorial/body.md: tutorial/content.md\n',
        ),
    )
  })

  it('is changed without a report when both pages are moved', async () => {
    const moves = {
      'docs/en/docs/tutorial/body.md': 'docs/en/docs/c.md',
      'docs/hi/docs/tutorial/body.md': 'docs/hi/docs/c.md',
    }
    const plan = await planMove(buildMemoryWorkspace(files), new Map(Object.entries(moves)), () => null)
    expect(plan.left).toEqual([expect.stringContaining('the old URL no longer works')])
  })

  it('names the translation when the original page is deleted', async () => {
    const { text, plan } = await deleteFile(files, 'docs/en/docs/tutorial/body.md')
    expect(text('docs/en/mkdocs.yml')).not.toContain('body.md')
    expect(plan.left).toEqual([
      'docs/hi/docs/tutorial/body.md: its entry was inherited from docs/en/mkdocs.yml, where it was removed',
    ])
  })

  it('is not changed if no site owns it and the sites have different pages', async () => {
    const base = 'nav:\n  - tutorial/body.md\n'
    const shared = {
      'base.yml': base,
      'docs/en/mkdocs.yml': 'INHERIT: ../../base.yml\n',
      'docs/en/docs/tutorial/body.md': '# Body\n',
      'docs/hi/mkdocs.yml': 'INHERIT: ../../base.yml\n',
      'docs/hi/docs/tutorial/body.md': '# Body\n',
    }
    const { text, plan } = await moveFile(shared, 'docs/en/docs/tutorial/body.md', 'docs/en/docs/tutorial/new.md')
    expect(text('base.yml')).toBe(base)
    expect(plan.left[0]).toContain('base.yml:2: entry "tutorial/body.md"')
  })
})

it('does not add a second redirect from the same page', async () => {
  const config = `site_name: x
plugins:
  - redirects:
      redirect_maps:
        old.md: elsewhere.md
`
  const files = { 'mkdocs.yml': config, 'docs/old.md': '# Old\n', 'docs/elsewhere.md': '# E\n' }
  const { text } = await moveFile(files, 'docs/old.md', 'docs/new.md')
  expect(text('mkdocs.yml')).toBe(config.replace('old.md: elsewhere.md', 'old.md: new.md'))
})

describe('Starlight languages', () => {
  const config = (locales: string) => `import { defineConfig } from 'astro/config'
import starlight from '@astrojs/starlight'
export default defineConfig({
  integrations: [starlight({
    title: 'x',
    ${locales}
    sidebar: [{ slug: 'manual-setup' }, { slug: 'guides/endpoints' }],
  })],
})
`
  const root = "locales: { root: { label: 'English', lang: 'en' }, de: { label: 'Deutsch' } },"
  const prefixed = "defaultLocale: 'en', locales: { de: { label: 'Deutsch' }, en: { label: 'English' } },"
  const docs = 'src/content/docs'

  it.each([
    ['the docs folder', root, ''],
    ['a language folder', prefixed, 'en/'],
  ])('moving or deleting a translation keeps the entry of the original page in %s', async (_, locales, main) => {
    const files = {
      'astro.config.mjs': config(locales),
      [`${docs}/${main}manual-setup.mdx`]: '---\ntitle: Setup\n---\n',
      [`${docs}/${main}guides/endpoints.mdx`]: '---\ntitle: Endpoints\n---\n',
      [`${docs}/de/manual-setup.mdx`]: '---\ntitle: Einrichten\n---\n',
    }
    const moved = await moveFile(files, `${docs}/de/manual-setup.mdx`, `${docs}/de/einrichten.mdx`)
    expect(moved.text('astro.config.mjs')).toBe(files['astro.config.mjs'])
    const deleted = await deleteFile(files, `${docs}/de/manual-setup.mdx`)
    expect(deleted.text('astro.config.mjs')).toBe(files['astro.config.mjs'])
    const main_ = await moveFile(files, `${docs}/${main}manual-setup.mdx`, `${docs}/${main}setup.mdx`)
    expect(main_.text('astro.config.mjs')).toContain("{ slug: 'setup' }")
  })

  it('links from a translation to an untranslated page keep exactly one language prefix', async () => {
    const files = {
      'astro.config.mjs': config(prefixed),
      [`${docs}/en/guides/endpoints.mdx`]: '---\ntitle: Endpoints\n---\n',
      [`${docs}/en/manual-setup.mdx`]: '---\ntitle: Setup\n---\n\n[e](/en/guides/endpoints/)\n',
      [`${docs}/de/manual-setup.mdx`]:
        '---\ntitle: S\n---\n\n[e](/de/guides/endpoints/) [f](/de/guides/endpoints/#a)\n',
    }
    const { text } = await moveFile(files, `${docs}/en/guides/endpoints.mdx`, `${docs}/en/guides/api-endpoints.mdx`)
    expect(text(`${docs}/de/manual-setup.mdx`)).toContain(
      '[e](/de/guides/api-endpoints/) [f](/de/guides/api-endpoints/#a)',
    )
    expect(text(`${docs}/en/manual-setup.mdx`)).toContain('[e](/en/guides/api-endpoints/)')
  })
})

describe("a repository with the moved page's name in hundreds of pages", () => {
  // 500 pages of 10,000 characters contain the word but do not link to the page.
  const prose = `${'Words about navigation in prose. '.repeat(310)}\n`
  const files: Record<string, string> = {
    'docs.json': '{"navigation":{"pages":["organize/navigation","z/last"]}}',
    'organize/navigation.mdx': '# Navigation\n',
    'organize/near.mdx': '[n](navigation) [m](./navigation#a)\n\n[r]: navigation\n',
    'z/last.mdx': '[n](/organize/navigation) <a href="/organize/navigation/">x</a>\n',
  }
  for (let i = 0; i < 500; i++) files[`a/p${i}.mdx`] = prose

  it('has every link to the page updated', async () => {
    const { text, plan } = await moveFile(files, 'organize/navigation.mdx', 'organize/menus.mdx')
    expect(text('z/last.mdx')).toBe('[n](/organize/menus) <a href="/organize/menus/">x</a>\n')
    expect(text('organize/near.mdx')).toBe('[n](menus) [m](./menus#a)\n\n[r]: menus\n')
    expect(plan.left.join('\n')).not.toContain('not checked')
  })
})
