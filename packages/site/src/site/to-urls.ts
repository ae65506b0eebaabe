import { dropNumber } from '../frameworks/read-sidebars.ts'
import { findContent } from './find-site.ts'
import { dropExtension, PAGE, toFolder, toInner, toName } from './paths.ts'
import type { PageFacts, Site } from './site.ts'
import { toSlugPath } from './slug-path.ts'

/**
 * Addresses of a page, the usual one first: without the base of the site, a slash at the end or an extension (`/guides/start`); '/' for the
 * start page. Empty when they cannot be told.
 */
export function toUrls(site: Site, page: string, facts: PageFacts | null): string[] {
  const content = findContent(site, page)
  if (content === null || content.kind === 'opaque' || site.config === null) return []
  const inner = toInner(page, content.folder)
  const under = (path: string) => toAddress(`${content.url}/${path}`)
  const slug = facts?.slug ?? null
  const route = PAGE.test(inner) ? dropExtension(inner) : inner.replace(/\.[^./]+$/, '')
  switch (site.framework) {
    case 'docusaurus': {
      if (content.folder.endsWith('src/pages')) return [under(dropIndex(route, /^index$/i))]
      const parts = route.split('/').map(dropNumber)
      const name = facts?.id ?? parts.at(-1) ?? ''
      const folder = parts.slice(0, -1)
      if (slug !== null) return [slug.startsWith('/') ? under(slug) : under([...folder, slug].join('/'))]
      const own = /^(?:index|readme)$/i.test(name) || name.toLowerCase() === folder.at(-1)?.toLowerCase()
      return [under((own ? folder : [...folder, name]).join('/'))]
    }
    case 'starlight':
      if (content.folder.endsWith('src/pages')) return [under(dropIndex(route, /^index$/))]
      return [under(slug ?? toSlugPath(inner))]
    case 'nextra': {
      const visible = route.replace(/(^|\/)\([^/)]*\)(?=\/|$)/g, '')
      return [under(content.folder.endsWith('app') ? dropIndex(visible, /^page$/) : dropIndex(visible, /^index$/))]
    }
    case 'mkdocs':
      return [under(dropIndex(route, /^(?:index|readme)$/i))]
    case 'mdbook':
    case 'gitbook':
      return [...new Set([under(dropIndex(route, /^readme$/i)), under(route)])]
    case 'fern':
      return slug === null ? [] : [under(slug)]
    default:
      return [...new Set([under(dropIndex(route, /^index$/i)), under(route)])]
  }
}

function dropIndex(route: string, index: RegExp): string {
  return index.test(toName(route)) ? toFolder(route) : route
}

/** One form for every way to write an address: `/a/b/`, `a//b`, `/a/b.html` and `/a/b/index` with its page's name kept. */
export function toAddress(url: string): string {
  const path = url
    .replace(/\/{2,}/g, '/')
    .replace(/\.(?:html?|mdx?|markdown)$/i, '')
    .replace(/^\/+|\/+$/g, '')
  return `/${path}`
}
