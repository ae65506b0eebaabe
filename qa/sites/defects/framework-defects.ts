import type { DocSite } from '../model/doc-site.ts'
import { listEntries } from '../model/list-entries.ts'
import type { DefectKind, DefectPlace, FileEdit } from './defect.ts'
import { editPage } from './edit-page.ts'
import { insertBlock } from './insert-block.ts'

function listVue(site: DocSite, random: () => number, words: string): DefectPlace[] {
  return site.content.map((page) => ({ where: page.path, build: () => insertBlock(page, random, words) }))
}

function listUntitled(site: DocSite): DefectPlace[] {
  return site.content.flatMap((page): DefectPlace[] => {
    const [row] = /^title:.*\r?\n/m.exec(page.text.slice(0, page.frontEnd)) ?? []
    if (row === undefined) return []
    const start = page.text.indexOf(row)
    return [{ where: page.path, build: () => editPage(page, start, start + row.length, '') }]
  })
}

/** Gives a page the address of another one. */
function listTaken(site: DocSite): DefectPlace[] {
  const { framework, content } = site.layout
  const pages = site.content.filter(({ path }) => !/(?:^|\/)(?:index|README)\.\w+$/i.test(path))
  return pages.flatMap((page, at): DefectPlace[] => {
    const folder = content.find((own) => own === '' || page.path.startsWith(`${own}/`)) ?? ''
    const other = pages[(at + 1) % pages.length]
    const build = (): FileEdit[] | null => {
      if (framework === 'mkdocs') {
        const twin = page.path.replace(/\.md$/, '/index.md')
        return site.files.has(twin) ? null : [{ path: twin, text: page.text }]
      }
      if (framework === 'mintlify') {
        const twin = page.path.replace(/\.mdx$/, '.md')
        return twin === page.path || site.files.has(twin) ? null : [{ path: twin, text: page.text }]
      }
      if (
        other === undefined ||
        other === page ||
        page.frontEnd === 0 ||
        /^slug:/m.test(page.text.slice(0, page.frontEnd))
      )
        return null
      if (
        !other.path.startsWith(folder) ||
        /^(?:slug|id):|\d+-/m.test(other.text.slice(0, other.frontEnd) + other.path)
      )
        return null
      const route = other.path.slice(folder === '' ? 0 : folder.length + 1).replace(/\.\w+$/, '')
      const slug = framework === 'docusaurus' ? `/${route}` : route.toLowerCase()
      return editPage(
        page,
        0,
        page.frontEnd,
        page.text.slice(0, page.frontEnd).replace('---', () => `---\nslug: ${slug}`),
      )
    }
    return [{ where: page.path, build }]
  })
}

function listChangedIds(site: DocSite): DefectPlace[] {
  const named = new Set(listEntries(site).map(({ page }) => page))
  return site.content.flatMap((page): DefectPlace[] => {
    if (!named.has(page.path) || page.frontEnd === 0) return []
    const block = page.text.slice(0, page.frontEnd)
    const changed = /^id:/m.test(block)
      ? block.replace(/^id:.*$/m, 'id: another-id')
      : block.replace('---', () => '---\nid: another-id')
    return [{ where: page.path, build: () => editPage(page, 0, page.frontEnd, changed) }]
  })
}

export const FRAMEWORK_DEFECTS: readonly DefectKind[] = [
  {
    id: 'vue-unclosed',
    group: 'more',
    frameworks: ['vitepress'],
    list: (site, random) => listVue(site, random, '<div class="note">\n\nThis element is never closed.'),
  },
  {
    id: 'vue-expression',
    group: 'more',
    frameworks: ['vitepress'],
    list: (site, random) => listVue(site, random, 'The name is {{ user name }}.'),
  },
  {
    id: 'vue-attribute',
    group: 'more',
    frameworks: ['vitepress'],
    list: (site, random) => listVue(site, random, '<img src="https://a.test/a.png" src="https://a.test/b.png">'),
  },
  {
    id: 'vue-inline-code',
    group: 'more',
    frameworks: ['vitepress'],
    list: (site, random) => listVue(site, random, 'Write `{{ user name }}` in the template.'),
  },
  { id: 'title-missing', group: 'more', frameworks: ['starlight'], list: listUntitled },
  {
    id: 'address-taken',
    group: 'more',
    frameworks: ['docusaurus', 'starlight', 'mkdocs', 'mintlify'],
    list: listTaken,
  },
  { id: 'id-changed', group: 'more', frameworks: ['docusaurus'], list: listChangedIds },
]
