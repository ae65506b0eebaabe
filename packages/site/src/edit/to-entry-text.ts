import { toDocId } from '../frameworks/read-sidebars.ts'
import { toOwnId } from '../site/build-site-index.ts'
import { findContent } from '../site/find-site.ts'
import { dropExtension, isBelow, PAGE, toFolder, toInner, toName, toRelative } from '../site/paths.ts'
import type { NavigationEntry, PageFacts, Site } from '../site/site.ts'
import { toSlugPath } from '../site/slug-path.ts'

/**
 * How a navigation entry names a page, in the form that `like` has (slash, dots, extension). Null when an entry in that place cannot name it: a page
 * outside of the site, another folder than that of a Nextra file.
 */
export function toEntryText(site: Site, like: NavigationEntry, page: string, facts: PageFacts | null): string | null {
  const written = like.page
  const content = findContent(site, page)
  switch (site.framework) {
    case 'mintlify': {
      if (!isBelow(page, site.root)) return null
      const inner = toInner(page, site.root)
      return `${/^\.?\//.exec(written)?.[0] ?? ''}${PAGE.test(written) ? inner : dropExtension(inner)}`
    }
    case 'docusaurus':
      if (content === null || content.language !== null) return null
      return (facts === null ? null : toOwnId(site, page, facts)) ?? toDocId(page, content.folder)
    case 'mkdocs':
      return content === null ? null : `${/^\.\//.exec(written)?.[0] ?? ''}${toInner(page, content.folder)}`
    case 'vitepress': {
      const source = site.content[0]?.folder ?? ''
      if (!isBelow(page, source)) return null
      const stem = dropExtension(toInner(page, source))
      const start = toName(stem) === 'index'
      const path = start ? `${toFolder(stem)}${toFolder(stem) === '' ? '' : '/'}` : stem
      // The base that an entry may have in front of it.
      const full = dropExtension(toInner(like.candidates[0] ?? '', source))
      const own = written
        .replace(/^\/+/, '')
        .replace(/\.(?:md|html)$/, '')
        .replace(/(?:^|\/)index$|\/$/, '')
      const base = full.replace(/(?:^|\/)index$/, '').endsWith(own)
        ? full.replace(/(?:^|\/)index$/, '').slice(0, -own.length || undefined)
        : ''
      const based = !written.startsWith('/') && base !== '' && own !== ''
      if (based && !path.startsWith(base)) return null
      const extension = start ? '' : (/\.(?:md|html)$/.exec(written)?.[0] ?? '')
      return `${written.startsWith('/') ? '/' : ''}${based ? path.slice(base.length) : path}${extension}`
    }
    case 'starlight': {
      if (content === null) return null
      const inner = toSlugPath(toInner(page, content.folder))
      const slug = facts?.slug ?? inner
      const prefix = content.language === null && content.url !== '/' ? content.url.slice(1) : ''
      const full = prefix !== '' && written.replace(/^\//, '').startsWith(`${prefix}/`) ? `${prefix}/${slug}` : slug
      return `${written.startsWith('/') ? '/' : ''}${full}${written.endsWith('/') && full !== '' ? '/' : ''}`
    }
    case 'nextra': {
      const folder = toFolder(like.file)
      const app = /\/page\.[a-z]+$/.test(like.candidates[0] ?? '')
      const place = app ? toFolder(toFolder(page)) : toFolder(page)
      return place === folder ? (app ? toName(toFolder(page)) : dropExtension(toName(page))) : null
    }
    case 'gitbook':
    case 'mdbook':
    case 'fern': {
      const path = toRelative(toFolder(like.file), page)
      const dotted = written.startsWith('./') && !path.startsWith('.') ? `./${path}` : path
      return site.framework === 'fern' ? dotted : encodePath(dotted)
    }
    default:
      return null
  }
}

function encodePath(path: string): string {
  return path.replace(/[\s()<>]/g, (char) => (char === '(' ? '%28' : char === ')' ? '%29' : encodeURIComponent(char)))
}
