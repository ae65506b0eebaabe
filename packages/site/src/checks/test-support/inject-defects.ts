import type { MemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { findContent, findSite } from '../../frameworks/find-site.ts'
import type { Site } from '../../frameworks/framework.ts'
import { toDialect } from '../../links/to-dialect.ts'
import { readSites } from '../../sites/read-sites.ts'
import type { CheckName } from '../all-checks.ts'

export interface Defect {
  readonly kind: string
  /** Location of the defect, printed if no check reports it. */
  readonly place: string
  /** At least one of these checks must fail. */
  readonly expected: readonly CheckName[]
  apply(workspace: MemoryWorkspace): Promise<void>
}

type Files = Readonly<Record<string, string>>

const encode = (text: string) => new TextEncoder().encode(text)
const LINK = /(?<!!)\[[^\]]*\]\(([^)#\s:]+)(?:#[^)\s]*)?\)/g
const ANCHOR = /(?<!!)\[[^\]]*\]\(([^)#\s:]*)#([^)\s]+)\)/g
const IMAGE = /!\[[^\]]*\]\(([^)#\s:]+)\)/g

/**
 * Returns the defects that can be injected into these files, such as broken links, missing pages
 * and invalid syntax. Each location appears once per kind.
 */
export async function listDefects(files: Files): Promise<Defect[]> {
  const paths = Object.keys(files)
  const sites = await readSites({ paths, read: async (path) => (path in files ? encode(files[path] ?? '') : null) })
  const defects: Defect[] = []
  const add = (kind: string, place: string, expected: readonly CheckName[], apply: Defect['apply']) =>
    defects.push({ kind, place, expected, apply })
  for (const path of paths) {
    const site = findSite(sites, path)
    const dialect = toDialect(path, site)
    const text = files[path] ?? ''
    if (dialect === null || site.navigation.files.includes(path) || findContent(site, path) === null) continue
    const edit = (from: number, to: number, words: string) => async (workspace: MemoryWorkspace) =>
      workspace.write(path, encode(text.slice(0, from) + words + text.slice(to)))
    const isProse = (at: number) =>
      (text.slice(0, at).match(/^[ \t]*```/gm)?.length ?? 0) % 2 === 0 && !/\{\/\*[^}]*$/.test(text.slice(0, at))
    for (const { at, value } of find(text, LINK, 1)) {
      if (!isProse(at) || (value.startsWith('/') && site.framework.checksAbsoluteLinks !== true)) continue
      const broken = value.replace(/(\.mdx?|\/)?$/, '-nowhere$1')
      add('broken link', `${path}: ${value}`, ['links'], edit(at, at + value.length, broken))
    }
    for (const { at, value } of find(text, ANCHOR, 2)) {
      if (isProse(at))
        add('broken anchor', `${path}: #${value}`, ['anchors'], edit(at, at + value.length, `${value}-nowhere`))
    }
    for (const { at, value } of find(text, IMAGE, 1)) {
      if (isProse(at))
        add(
          'missing image',
          `${path}: ${value}`,
          ['images'],
          edit(at, at + value.length, value.replace(/(\.\w+)$/, '-nowhere$1')),
        )
    }
    if (dialect !== 'plain') {
      add('bad MDX', `${path}: tag`, ['syntax'], edit(text.length, text.length, '\n<Note>\n\nNever closed.\n'))
      const brace = dialect === 'vue' ? 'Use {{ curly braces }} here.' : 'Use {curly braces here.'
      add('bad MDX', `${path}: brace`, ['syntax'], edit(text.length, text.length, `\n${brace}\n`))
    }
    if (text.startsWith('---\n')) {
      add('bad front matter', path, ['frontmatter'], edit(4, 4, 'summary: one: two\n'))
      add(
        'bad front matter',
        `${path}: fence`,
        ['frontmatter'],
        edit(text.indexOf('\n---') + 1, text.indexOf('\n---') + 5, ''),
      )
    }
    const isNamed = site.navigation.entries.some((entry) => entry.candidates.includes(path))
    if (!isNamed) continue
    add('missing page', path, ['navigation', 'links', 'redirects'], (workspace) => workspace.remove(path))
    // A page that sets its own URL keeps it when it moves.
    if (site.addresses === 'known' && site.redirects.list.length > 0 && !/^slug: \//m.test(text)) {
      const moved = path.replace(/(\.\w+)$/, '-moved$1')
      add('moved without redirect', path, ['redirects'], (workspace) => workspace.move(path, moved))
    }
    if (site.navigation.mode === 'listed') {
      const orphan = path.replace(/[^/]*(\.\w+)$/, 'orphan-page$1')
      add('orphan page', orphan, ['navigation'], (workspace) =>
        workspace.write(orphan, encode(text.replace(/^slug: .*\n|^id: .*\n/gm, ''))),
      )
    }
  }
  for (const site of sites) defects.push(...listSiteDefects(site, files))
  return defects
}

function listSiteDefects(site: Site, files: Files): Defect[] {
  const entries = site.navigation.entries.map(({ file, start, end, page, exact }): Defect | null => {
    const text = files[file] ?? ''
    if (!exact && site.framework.entryNames !== 'id') return null
    const named = text.slice(start, end).replace(/(\.mdx?)?$/, 'Nowhere$1')
    const apply: Defect['apply'] = (workspace) =>
      workspace.write(file, encode(text.slice(0, start) + named + text.slice(end)))
    return { kind: 'dead navigation entry', place: `${file}: ${page}`, expected: ['navigation'], apply }
  })
  const redirects = site.redirects.list.map(({ file, destination, pattern }): Defect | null => {
    const text = files[file] ?? ''
    const at = text.indexOf(destination)
    if (pattern || site.addresses === 'unknown' || !destination.startsWith('/') || at === -1) return null
    const apply: Defect['apply'] = (workspace) =>
      workspace.write(file, encode(text.replaceAll(destination, `${destination}-nowhere`)))
    return { kind: 'dead redirect', place: `${file}: ${destination}`, expected: ['redirects'], apply }
  })
  return [...entries, ...redirects].filter((defect) => defect !== null)
}

function find(text: string, pattern: RegExp, group: number): { at: number; value: string }[] {
  return [...text.matchAll(pattern)].map((match) => {
    const value = match[group] ?? ''
    return { at: match.index + match[0].lastIndexOf(value), value }
  })
}
