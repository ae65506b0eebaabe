import type { ConfigFiles } from '../../config/config-files.ts'
import { dropExtension, dropIndex, isBelow, toFolder, toInner, toName } from '../../pages/paths.ts'
import type { Dialects, EntryPlace, Framework } from '../framework.ts'
import type { HeadingIds } from '../heading-ids.ts'
import { fromSource } from '../reference-rules.ts'
import type { ContentFolder } from '../site.ts'
import { readVitepress } from './read-vitepress.ts'
import { rewritePath } from './rewrite-path.ts'

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

/** Matches settings that change which text is HTML or an expression. */
const OTHER_SYNTAX = /\bdelimiters\b|\bhtml:\s{0,9}false/

/** Reads the dialects of a VitePress site, whose pages become Vue templates. */
async function readVitepressDialects(files: ConfigFiles, config: string): Promise<Dialects> {
  const file = await files.open(config)
  const { modules } = file === null ? { modules: [] } : await files.evaluate(file)
  if (modules.some(({ text }) => OTHER_SYNTAX.test(text))) return { mdx: 'mdx', md: 'plain', code: 'vue' }
  return { mdx: 'mdx', md: 'vue' }
}

export const vitepressIds: HeadingIds = {
  // The rules of `slugify` in `@mdit-vue/shared`.
  toSlug: (text) =>
    text
      .normalize('NFKD')
      .replace(/[\u0300-\u036F]/g, '')
      .replace(/\p{Cc}/gu, (char) => (char.charCodeAt(0) < 0x20 ? '' : char))
      .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, '-')
      .replace(/^-|-$/g, '')
      .replace(/^\d/, '_$&')
      .toLowerCase(),
  separator: '-',
  firstNumber: 1,
  explicit: { toMark: (id) => `{#${id}}` },
}

export const vitepress: Framework = {
  name: 'vitepress',
  title: 'VitePress',
  detections: [{ config: /(^|\/)\.vitepress\/config(\.[cm]?[jt]s|\/index\.[cm]?[jt]s)$/ }],
  read: readVitepress,
  dialects: { mdx: 'mdx', md: 'vue', words: 'Markdown' },
  readDialects: readVitepressDialects,
  rule: 'VitePress: Vue compiles each page. Put {{ }} and tags that are not HTML in fenced code blocks, not in text or inline code.',
  writable: [],
  notations: { front: 'link', comment: fromSource, code: fromSource },
  blocks: ['colons'],
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
  linksToOwnPages: true,
  rejectsLocalhost: true,
}
