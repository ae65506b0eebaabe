import type { ConfigFile } from '../../config/config-files.ts'
import { type Literal, toProperties } from '../../config/literal.ts'
import { addToMap } from '../../edit/add-to-redirects.ts'
import { searchRedirects } from '../../edit/search-redirects.ts'
import { dropIndex, toInner } from '../../pages/paths.ts'
import type { EntryPlace, Framework } from '../framework.ts'
import { readStarlight } from './read-starlight.ts'
import { toSlugPath } from './slug-path.ts'

export const starlight: Framework = {
  name: 'starlight',
  title: 'Astro Starlight',
  detections: [{ config: /(^|\/)astro\.config\.[cm]?[jt]s$/ }],
  read: readStarlight,
  dialects: { mdx: 'mdx-directives', md: 'plain-directives', words: '.mdx is MDX, .md is Markdown' },
  components: { builtIn: ['Fragment'], extended: /auto-?import/i, isRequired: true },
  rule: 'Starlight: a sidebar entry is the URL path of the page, without leading and trailing slashes.',
  writable: [],
  notations: { front: 'link' },
  blocks: ['colons'],
  toRoutes: ({ content, inner, route, facts }) =>
    content.folder.endsWith('src/pages') ? [dropIndex(route, /^index$/)] : [facts?.slug ?? toSlugPath(inner)],
  entryNames: 'address',
  toEntry,
  translationsShareNavigation: true,
  checksAbsoluteLinks: true,
  requiresFrontmatter: true,
  requiresTitle: true,
  acceptsBlankLines: true,
  partials: /(?:^|\/)_/,
  trailingSlash: true,
  bareLinks: 'url',
  keepsPageLinks: true,
  redirects: {
    findList,
    add(file, { source, destination }) {
      const list = findList(file)
      return addToMap(file, list, source, withSlash(list, destination))
    },
  },
}

function toEntry({ like, page, content, facts }: EntryPlace): string | null {
  if (content === null) return null
  const written = like.page
  const slug = facts?.slug ?? toSlugPath(toInner(page, content.folder))
  const prefix = content.language === null && content.url !== '/' ? content.url.slice(1) : ''
  const hasPrefix = prefix !== '' && written.replace(/^\//, '').startsWith(`${prefix}/`)
  const full = hasPrefix ? `${prefix}/${slug}` : slug
  return `${written.startsWith('/') ? '/' : ''}${full}${written.endsWith('/') && full !== '' ? '/' : ''}`
}

function findList(file: ConfigFile): Literal | null {
  return searchRedirects(
    file,
    (literal) => literal.kind === 'object' && literal.properties[0]?.key.startsWith('/') === true,
  )
}

/** Adds a trailing slash to a new destination if the map's last destination has one. */
function withSlash(map: Literal | null, address: string): string {
  const last = toProperties(map).at(-1)?.value
  const hasSlash = last?.kind === 'string' && last.value.length > 1 && last.value.endsWith('/')
  return hasSlash && address !== '/' ? `${address}/` : address
}
