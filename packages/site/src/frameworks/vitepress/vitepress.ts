import { dropExtension, dropIndex, isBelow, toFolder, toInner, toName } from '../../pages/paths.ts'
import type { EntryPlace, Framework } from '../framework.ts'
import { readVitepress } from './read-vitepress.ts'
import { vitepressIds } from './vitepress-ids.ts'

export const vitepress: Framework = {
  name: 'vitepress',
  title: 'VitePress',
  detections: [{ config: /(^|\/)\.vitepress\/config(\.[cm]?[jt]s|\/index\.[cm]?[jt]s)$/ }],
  read: readVitepress,
  dialects: { mdx: 'mdx', md: 'plain', words: 'Markdown' },
  rule: null,
  writable: [],
  toRoutes: ({ route }) => [dropIndex(route, /^index$/i), route],
  toEntry,
  headingIds: vitepressIds,
  checksAbsoluteLinks: true,
  addsPages: true,
}

function toEntry({ site, like, page }: EntryPlace): string | null {
  const written = like.page
  const source = site.content[0]?.folder ?? ''
  if (!isBelow(page, source)) return null
  const stem = dropExtension(toInner(page, source))
  const isIndex = toName(stem) === 'index'
  const path = isIndex ? `${toFolder(stem)}${toFolder(stem) === '' ? '' : '/'}` : stem
  // A sidebar section's `base` precedes the entry's text.
  const full = dropExtension(toInner(like.candidates[0] ?? '', source)).replace(/(?:^|\/)index$/, '')
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
