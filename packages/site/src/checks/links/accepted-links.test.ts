import { buildMemoryWorkspace, type Files } from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import { buildChecker } from '../build-checker.ts'

const { checkDocs } = buildChecker()

async function find(files: Files, page: string, text: string): Promise<string[]> {
  const workspace = buildMemoryWorkspace({ ...files, [page]: '# A\n' })
  await workspace.write(page, new TextEncoder().encode(text))
  const results = await checkDocs({ workspace, scope: 'changed' })
  return results.flatMap(({ introduced, findings }) =>
    findings.slice(0, introduced).map(({ code, line }) => `${line} ${code}`),
  )
}

const mkdocs: Files = { 'mkdocs.yml': 'site_name: A\n', 'docs/index.md': '# A\n' }
const sphinx: Files = { 'docs/conf.py': "extensions = ['myst_parser']\n", 'docs/index.md': '# A\n' }
const vitepress: Files = { 'docs/.vitepress/config.js': 'export default {}', 'docs/index.md': '# A\n' }

describe('files that Git ignores', () => {
  const ignores = 'made/\n*.gen.png\n/docs/ref.md\n'
  it.each<[what: string, files: Files, page: string, text: string, found: string[]]>([
    ['pages', mkdocs, 'docs/a.md', '[x](made/b.md) [y](ref.md) [z](gone.md)\n', ['1 link_broken']],
    ['images', mkdocs, 'docs/a.md', '![x](i.gen.png) ![y](i.png)\n', ['1 image_missing']],
    ['URLs', vitepress, 'docs/a.md', '[x](/made/b) [y](/ref) [z](/gone)\n', ['1 link_broken']],
    ['includes', sphinx, 'docs/a.md', '```{include} made/b.md\n```\n\n```{include} b.md\n```\n', ['4 include_missing']],
    [
      'imports',
      { 'docusaurus.config.js': "module.exports = { presets: [['classic', {}]] }" },
      'docs/a.mdx',
      "import X from './made/x.js'\nimport Y from './y.js'\n\n<X /><Y />\n",
      ['2 import_missing'],
    ],
  ])('may be created by the build: %s', async (_, files, page, text, found) => {
    expect(await find({ ...files, '.gitignore': ignores }, page, text)).toEqual(found)
    expect((await find(files, page, text)).length).toBeGreaterThan(found.length)
  })

  it('are found in nested .gitignore files, but not in those of tests', async () => {
    const text = '[x](made/b.md)\n'
    expect(await find({ ...mkdocs, 'docs/.gitignore': '/made\n' }, 'docs/a.md', text)).toEqual([])
    expect(await find({ ...mkdocs, 'docs/tests/.gitignore': '*\n' }, 'docs/a.md', text)).toEqual(['1 link_broken'])
  })

  it('may be named by entries', async () => {
    const files = { 'mkdocs.yml': 'nav:\n  - made/a.md\n  - b.md\n', 'docs/index.md': '# A\n' }
    const results = await checkDocs({
      workspace: buildMemoryWorkspace({ ...files, '.gitignore': 'made\n' }),
      scope: 'all',
    })
    const entries = results.flatMap(({ findings }) => findings).filter(({ code }) => code === 'navigation_missing_page')
    expect(entries.map(({ line }) => line)).toEqual([3])
  })
})

describe('a page outside the sites of a repository', () => {
  const text = '[x](../gone.md) ![y](gone.png)\n'
  const readable = Object.fromEntries(
    Array.from({ length: 25 }, (_, n) => [`notes/n${n}.md`, '[x](n1.md) ![y](i.png)\n']),
  )

  it('may be copied to another folder', async () => {
    expect(await find(mkdocs, 'src/a.md', text)).toEqual([])
    expect(await find(mkdocs, 'src/README.md', text)).toEqual(['1 link_broken', '1 image_missing'])
    expect(await find({}, 'src/a.md', text)).toEqual(['1 link_broken', '1 image_missing'])
  })

  it('is judged if the links of such pages lead to files', async () => {
    const files = { ...mkdocs, ...readable, 'notes/i.png': 'png' }
    expect(await find(files, 'src/a.md', text)).toEqual(['1 link_broken', '1 image_missing'])
    expect(await find({ ...files, 'src/b.md': '[x](gone.md)\n' }, 'src/a.md', text)).toEqual([])
  })
})

describe('a link above the root of a book', () => {
  const book: Files = {
    'doc/book.toml': '[book]\n',
    'doc/src/SUMMARY.md': '- [A](x/a.md)\n- [B](b.md)\n',
    'doc/src/b.md': '# B\n',
    ...Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`doc/src/n${n}.md`, '[x](b.md)\n'])),
  }

  it('leads to another book, unless it leads to a page at another depth', async () => {
    expect(await find(book, 'doc/src/x/a.md', '[x](../../other/page.md)\n')).toEqual([])
    expect(await find(book, 'doc/src/x/a.md', '[x](../../b.md)\n')).toEqual(['1 link_broken'])
    expect(await find(book, 'doc/src/x/a.md', '[x](../other/page.md)\n')).toEqual(['1 link_broken'])
  })

  it('is broken in a framework that does not convert it', async () => {
    expect(await find(mkdocs, 'docs/x/a.md', '[x](../../../other/page.md)\n')).toEqual(['1 link_broken'])
    expect(await find(mkdocs, 'docs/x/a.md', '[x](../../other/page.md)\n')).toEqual(['1 link_broken'])
  })
})

describe('text that a framework does not show', () => {
  const hugo: Files = { 'hugo.toml': 'title = "x"\n', 'content/b.md': '# B\n' }
  it.each<[what: string, files: Files, page: string, text: string, found: string[]]>([
    ['a comment of MyST', sphinx, 'docs/a.md', '% [x](gone.md)\n\n[y](gone.md)\n', ['3 link_broken']],
    ['no comment elsewhere', mkdocs, 'docs/a.md', '% [x](gone.md)\n', ['1 link_broken']],
    [
      'the content of a shortcode for code',
      hugo,
      'content/a.md',
      '{{< code file=x.html >}}\n<img src="/gone.png">\n{{< /code >}}\n\n![x](/gone.png)\n',
      ['5 image_missing'],
    ],
    [
      'not the text after a shortcode without content',
      hugo,
      'content/a.md',
      '{{< code-toggle x=y />}}\n\n![x](/gone.png)\n\n{{< code-toggle >}}\nx\n{{< /code-toggle >}}\n',
      ['3 image_missing'],
    ],
    [
      'not the content of other shortcodes',
      hugo,
      'content/a.md',
      '{{< tab >}}\n![x](/gone.png)\n{{< /tab >}}\n',
      ['2 image_missing'],
    ],
  ])('%s', async (_, files, page, text, found) => {
    expect(await find(files, page, text)).toEqual(found)
  })
})

describe('names of pages', () => {
  const hugo: Files = {
    'hugo.toml': 'title = "x"\n',
    'content/functions/AbsURL.md': '# A\n',
    'content/other/b.md': '# B\n',
  }
  const text = '[x](/functions/absURL/) [y](functions/absurl) [z](/functions/gone/)\n'

  it('are resolved by a template for links', async () => {
    const hook = { 'themes/x/layouts/_default/_markup/render-link.html': '<a></a>' }
    expect(await find({ ...hugo, ...hook }, 'content/other/a.md', text)).toEqual(['1 link_broken'])
    expect(await find(hugo, 'content/other/a.md', text)).toHaveLength(3)
  })
})

describe('labels of generated pages', () => {
  const pages = Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`docs/n${n}.md`, '[x](made_x.md)\n']))

  it('may be named by links', async () => {
    const text = '[x](made_y.md) [y](sub/made_z.md) [z](other_y.md)\n'
    const files = { ...sphinx, ...pages, '.gitignore': 'docs/ref/**/*.md\n' }
    expect(await find(files, 'docs/a.md', text)).toEqual(['1 link_broken', '1 link_broken'])
    expect(await find({ ...sphinx, '.gitignore': 'docs/ref/**/*.html\n' }, 'docs/a.md', text)).toHaveLength(3)
  })
})

describe('a site of Mintlify', () => {
  const site: Files = {
    'docs.json': '{"navigation":{"pages":["a","b"]}}',
    'b.mdx': '# B\n',
    ...Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`n${n}.mdx`, '[x](/b)\n'])),
  }

  it('may be served in a folder to which its pages link', async () => {
    const served = { ...site, 'c.mdx': '[x](/docs/b)\n' }
    expect(await find(served, 'a.mdx', '[x](/docs/b)\n')).toEqual([])
    expect(await find(served, 'a.mdx', '[x](/docs/gone)\n')).toEqual(['1 link_broken'])
    expect(await find(site, 'a.mdx', '[x](/docs/b)\n')).toEqual(['1 link_broken'])
  })
})
