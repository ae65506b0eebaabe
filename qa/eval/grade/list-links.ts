import { type Tree, toPlain } from '../task/steps.ts'
import { toPage } from './read-navigation.ts'

interface Link {
  /** Path of the page with the link. */
  readonly from: string
  /** The target as written. */
  readonly target: string
}

const CODE = /^[ \t]*(```+|~~~+)[\s\S]*?^[ \t]*\1[ \t]*$|`[^`\n]*`/gm
const LINK =
  /\]\(\s*<?([^)\s>]+)|^[ \t]*\[[^\]\n]+\]:[ \t]*<?(\S+?)>?[ \t]*$|\b(?:href|to|src)\s*=\s*["']([^"'\n]+)["']/gm

/** Returns the links from all pages to paths within the repository, except links in code. */
export function listLinks(tree: Tree): Link[] {
  return [...tree].flatMap(([from, text]) => {
    if (!/\.(mdx?|markdown)$/i.test(from)) return []
    const found = toPlain(text).replace(CODE, '').matchAll(LINK)
    return [...found].flatMap(([, a, b, c]) => {
      const target = a ?? b ?? c ?? ''
      return /^([a-z][a-z0-9+.-]*:|\/\/|#)/i.test(target) ? [] : [{ from, target }]
    })
  })
}

/**
 * Returns true if a link leads to this file. Absolute links are resolved from the site root, which
 * may be any folder of the repository.
 */
export function leadsTo(link: Link, path: string): boolean {
  const wanted = toSlug(path)
  const target = link.target.replace(/[?#].*$/, '')
  if (target === '') return false
  if (target.startsWith('/')) {
    const slug = toSlug(target.slice(1))
    return slug !== '' && (slug === wanted || wanted.endsWith(`/${slug}`))
  }
  const folder = link.from.includes('/') ? link.from.slice(0, link.from.lastIndexOf('/')).split('/') : []
  for (const part of target.split('/')) {
    if (part === '..') folder.pop()
    else if (part !== '.' && part !== '') folder.push(part)
  }
  return toSlug(folder.join('/')) === wanted
}

const toSlug = (path: string): string =>
  toPage(path)
    .replace(/(^|\/)(index|README)$/, '')
    .replace(/\/$/, '')
