import { posix } from 'node:path'
import { countText, type TextEdit, toText } from './edit-files.ts'
import { hasPageExtension, toSlug } from './page-path.ts'
import type { ViewedFile } from './view-files.ts'

const linkPatterns = [
  /(\]\(\s*<?)([^)\s>]+)([)\s>])/g,
  /(\b(?:href|to)=\{?["'])([^"']+)(["'])/g,
  /^(\[[^\]\n]+\]:[ \t]*)(\S+)()/gm,
]

/** The slug of the page a link leads to, repository-relative; null when it leads elsewhere or within the page. */
export function resolveLink(target: string, fromPath: string, docsRoot: string): string | null {
  const path = target.replace(/[#?].*$/, '')
  if (path === '' || /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(path)) return null
  const base = path.startsWith('/') ? docsRoot : posix.dirname(fromPath)
  const joined = posix.join(base, path).replace(/^\/|^\.$|\/$/g, '')
  return joined.startsWith('..') ? null : toSlug(joined)
}

/** The same kind of link (absolute or relative, with extension or without, same anchor) to another page. */
export function retargetLink(target: string, fromPath: string, docsRoot: string, toPage: string): string {
  const [, path = '', suffix = ''] = /^([^#?]*)(.*)$/.exec(target) ?? []
  const page = hasPageExtension(path) ? toPage : toSlug(toPage)
  if (path.startsWith('/')) return `/${posix.relative(docsRoot || '.', page)}${suffix}`
  return keepDot(path, posix.relative(posix.dirname(fromPath), page)) + suffix
}

/** The same target for a relative link in a page that moves; any other link as it is. */
export function rebaseLink(target: string, fromPath: string, toPath: string): string {
  const [, path = '', suffix = ''] = /^([^#?]*)(.*)$/.exec(target) ?? []
  if (path === '' || path.startsWith('/') || /^[a-z][a-z0-9+.-]*:/i.test(path)) return target
  const wanted = posix.join(posix.dirname(fromPath), path)
  return keepDot(path, posix.relative(posix.dirname(toPath), wanted)) + suffix
}

/** A link written as `./x` stays so. */
function keepDot(before: string, relative: string): string {
  if (relative === '') return '.'
  return before.startsWith('./') && !relative.startsWith('.') ? `./${relative}` : relative
}

/** Edits for every link of a file that `decide` gives a new target. */
export function relinkFile(file: ViewedFile, decide: (target: string) => string | null): TextEdit[] {
  const text = toText(file)
  const edits = new Map<string, TextEdit>()
  for (const pattern of linkPatterns) {
    for (const [oldText, before = '', target = '', after = ''] of text.matchAll(pattern)) {
      const next = decide(target)
      if (next === null || next === target) continue
      edits.set(oldText, { path: file.path, oldText, newText: before + next + after, count: countText(text, oldText) })
    }
  }
  return [...edits.values()]
}

/** Edits that turn Markdown links into their text where `isGone` says so. Other kinds of links stay. */
export function unlinkFile(file: ViewedFile, isGone: (target: string) => boolean): TextEdit[] {
  const text = toText(file)
  const edits = new Map<string, TextEdit>()
  for (const match of text.matchAll(/(!?)\[([^\]\n]+)\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"\n]*")?\s*\)/g)) {
    const [oldText, image, label = '', target = ''] = match
    if (image || !isGone(target)) continue
    edits.set(oldText, { path: file.path, oldText, newText: label, count: countText(text, oldText) })
  }
  return [...edits.values()]
}
