import { dropIndex, isBelow, toFolder } from '../../pages/paths.ts'
import type { Framework, PagePlace } from '../framework.ts'
import { GITHUB_IDS } from '../github-ids.ts'
import { fromContent, fromLayouts } from '../reference-rules.ts'
import { toSuffixRoutes } from '../to-suffix-routes.ts'
import { readHugo } from './read-hugo.ts'

const SHORTCODE = /\{\{[<%][^{}]{0,500}[>%]\}\}/g

export const hugo: Framework = {
  name: 'hugo',
  title: 'Hugo',
  detections: [
    { config: /(^|\/)(?:hugo|config\/_default\/(?:hugo|config))\.(?:toml|ya?ml|json)$/ },
    { config: /(^|\/)config\.(?:toml|ya?ml|json)$/, older: /(^|\/)config\.\w+$/, yields: true },
  ],
  read: readHugo,
  dialects: { mdx: 'mdx', md: 'plain', words: 'Markdown with shortcodes' },
  rule: 'Hugo: the index page of a section is _index.md. Keep shortcodes such as {{< ref "page" >}} unchanged.',
  writable: [],
  isTemplate: (path, { content }) =>
    /(?:^|\/)(?:layouts|archetypes)\//.test(path) && !content.some(({ folder }) => isBelow(path, folder)),
  notations: { figure: 'link', ref: 'name', readfile: fromContent, shortcode: fromLayouts },
  hides: ['shortcode'],
  blocks: ['shortcodes'],
  toRoutes,
  toEntry: () => null,
  showsUnlisted: true,
  checksAbsoluteLinks: true,
  addsPages: true,
  requiresFrontmatter: true,
  acceptsRepeatedKeys: true,
  acceptsBlankLines: true,
  servesFolders: true,
  generatedUrls: /^\/(?:[a-z]{2}(?:-[a-z]{2})?\/)?(?:tags|categories)\/|\/(?:_print|page\/\d+)\//i,
  trailingSlash: true,
  // A shortcode in a heading shows an icon or a number, which does not become part of the id.
  headingIds: { ...GITHUB_IDS, toSlug: (text) => GITHUB_IDS.toSlug(text.replace(SHORTCODE, '').trim()) },
}

/** Hugo lowercases paths. Front matter can replace a page's URL or its last segment. */
function toRoutes({ content, inner, route, facts }: PagePlace): string[] {
  const routes = toSuffixRoutes(content, route).map((path) => dropIndex(path, /^_?index$/i))
  const written = facts?.url ?? null
  const own =
    written !== null
      ? [written]
      : facts?.slug != null && !/(?:^|\/)_index\.[^/]*$/.test(inner)
        ? routes.map((path) => `${toFolder(path)}/${facts.slug}`)
        : routes
  const folder = toFolder(routes[0] ?? '')
  const aliases = (facts?.aliases ?? []).map((path) => (path.startsWith('/') ? path : `${folder}/${path}`))
  return [...new Set([...own.map((path) => path.toLowerCase()), ...own, ...aliases])]
}
