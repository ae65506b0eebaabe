import { dropExtension, dropIndex, isBelow, toFolder, toInner, toName } from '../../pages/paths.ts'
import type { EntryPlace, Framework } from '../framework.ts'
import { fromSource } from '../include-paths.ts'
import type { ContentFolder } from '../site.ts'
import { readVitepress } from './read-vitepress.ts'
import { readVitepressDialects } from './read-vitepress-dialects.ts'
import { rewritePath } from './rewrite-path.ts'
import { vitepressIds } from './vitepress-ids.ts'

export const vitepress: Framework = {
  name: 'vitepress',
  title: 'VitePress',
  detections: [{ config: /(^|\/)\.vitepress\/config(\.[cm]?[jt]s|\/index\.[cm]?[jt]s)$/ }],
  read: readVitepress,
  dialects: { mdx: 'mdx', md: 'vue', words: 'Markdown' },
  readDialects: readVitepressDialects,
  rule: 'VitePress: Vue compiles each page. Put {{ }} and tags that are not HTML in fenced code blocks, not in text or inline code.',
  writable: [],
  includes: { comment: fromSource, code: fromSource },
  toRoutes({ content, inner, route }) {
    const path = toRoute(content, inner) ?? route
    return [dropIndex(path, /^index$/i), path]
  },
  toEntry,
  headingIds: vitepressIds,
  checksAbsoluteLinks: true,
  requiresFrontmatter: true,
  trailingSlash: false,
  addsPages: true,
  keepsIndexApart: true,
}

/** Returns the rewritten path of a page, without the extension, or null if it is not rewritten. */
function toRoute({ url, rewrites = [] }: ContentFolder, inner: string): string | null {
  const root = url === '/' ? '' : `${url.slice(1)}/`
  const path = rewritePath(rewrites, `${root}${inner}`)
  return rewrites.length > 0 && path.startsWith(root) ? dropExtension(path.slice(root.length)) : null
}

function toEntry({ site, like, page }: EntryPlace): string | null {
  const written = like.page
  const source = site.content[0]?.folder ?? ''
  if (!isBelow(page, source)) return null
  const rewrites = site.content[0]?.rewrites ?? []
  const toStem = (path: string) => dropExtension(rewritePath(rewrites, toInner(path, source)))
  const stem = toStem(page)
  const isIndex = toName(stem) === 'index'
  const path = isIndex ? `${toFolder(stem)}${toFolder(stem) === '' ? '' : '/'}` : stem
  // A sidebar section's `base` precedes the entry's text.
  const full = toStem(like.candidates[0] ?? '').replace(/(?:^|\/)index$/, '')
  const own = written
    .replace(/^\/+/, '')
    .replace(/\.(?:md|html)$/, '')
    .replace(/(?:^|\/)index$|\/$/, '')
  const base = full.endsWith(own) ? full.slice(0, -own.length || undefined) : ''
  const isBased = !written.startsWith('/') && base !== '' && own !== ''
  if (isBased && !path.startsWith(base)) return null
  const extension = isIndex ? '' : (/\.(?:md|html)$/.exec(written)?.[0] ?? '')
  return `${written.startsWith('/') ? '/' : ''}${isBased ? path.slice(base.length) : path}${extension}`
}
