import type { ConfigFile } from '../../config/config-files.ts'
import { findProperty } from '../../config/literal.ts'
import { addToList } from '../../edit/add-to-redirects.ts'
import { searchRedirects } from '../../edit/search-redirects.ts'
import { dropIndex, dropNumber, toFolder } from '../../pages/paths.ts'
import type { Framework, PagePlace } from '../framework.ts'
import { GITHUB_IDS } from '../github-ids.ts'
import type { ContentFolder } from '../site.ts'
import { toDocId } from './doc-id.ts'
import { readDocusaurus } from './read-docusaurus.ts'
import { readDocusaurusDialects } from './read-docusaurus-dialects.ts'

export const docusaurus: Framework = {
  name: 'docusaurus',
  title: 'Docusaurus',
  detections: [{ config: /(^|\/)docusaurus\.config\.[cm]?[jt]s$/ }],
  read: readDocusaurus,
  dialects: { mdx: 'mdx-comments', md: 'mdx-comments', words: 'MDX, including .md files' },
  readDialects: readDocusaurusDialects,
  components: {
    builtIn: ['Head', 'Details'],
    files: /^(?=.*\.[jt]sx?$)(?:.*\/)?src\/theme\/MDXComponents(?:\/|\.[jt]sx?$)/s,
    packages: /^(?:@theme(?:-original|-init)?\/|@docusaurus\/|react|@mdx-js\/)/,
    // Themes of other authors, except those for search.
    extended:
      /\bthemes\s*:(?:(?!\bthemes\s{0,20}:)[^;]){0,2000}?['"](?!@docusaurus\/|[^'"\n]{0,100}search)[^'"\n]{0,100}theme/,
    isRequired: true,
  },
  rule: 'Docusaurus: a sidebar entry is the id of a document, which is its path in the docs folder without the extension and number prefixes.',
  writable: ['**/{sidebars,sidebar}.json'],
  notations: { document: 'id' },
  blocks: ['colons'],
  toRoutes,
  toId,
  entryNames: 'id',
  toEntry({ page, content, facts }) {
    if (content === null || content.language !== null) return null
    const id = content.kind === 'docs' ? (facts?.id ?? null) : null
    return id === null ? toDocId(page, content) : toId(page, content, id)
  },
  translationsShareNavigation: true,
  checksAbsoluteLinks: true,
  requiresFrontmatter: true,
  acceptsRootPaths: true,
  linksToOwnPages: true,
  partials: /(?:^|\/)_/,
  generatedUrls: /\/(?:category|tags)\//,
  headingIds: { ...GITHUB_IDS, explicit: { toMark: (id) => `{#${id}}` } },
  redirects: { findList, add: (file, names) => addToList(file, findList(file), names, ['from', 'to']) },
}

function toRoutes({ content, route, facts }: PagePlace): string[] {
  if (content.folder.endsWith('src/pages')) return [dropIndex(route, /^index$/i)]
  const parts = route.split('/').map((part) => (content.keepsNumbers ? part : dropNumber(part)))
  const name = facts?.id ?? parts.at(-1) ?? ''
  const folder = parts.slice(0, -1)
  const slug = facts?.slug ?? null
  if (slug !== null) return [slug.startsWith('/') ? slug : [...folder, slug].join('/')]
  const isIndex = /^(?:index|readme)$/i.test(name) || name.toLowerCase() === folder.at(-1)?.toLowerCase()
  return [(isIndex ? folder : [...folder, name]).join('/')]
}

/** Applies the id from the front matter, which replaces only the last part of the default id. */
function toId(page: string, content: ContentFolder, id: string): string {
  const folder = toFolder(toDocId(page, content))
  return folder === '' ? id : `${folder}/${id}`
}

function findList(file: ConfigFile) {
  return searchRedirects(file, (literal) => literal.kind === 'array' && findProperty(literal.items[0], 'from') !== null)
}
