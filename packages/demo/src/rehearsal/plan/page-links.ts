import { posix } from 'node:path'
import { countText, type TextEdit, toText } from './edit-files.ts'
import { hasPageExtension, toSlug } from './page-path.ts'
import type { ViewedFile } from './view-files.ts'

const linkPatterns = [
  /(\]\(\s*<?)([^)\s>]+)([)\s>])/g,
  /(\b(?:href|to)=\{?["'])([^"']+)(["'])/g,
  /^(\[[^\]\n]+\]:[ \t]*)(\S+)()/gm,
]

/**
 * Returns the repository-relative slug of the linked page, or null if the link points outside the
 * repository or within the same page.
 */
export function resolveLink(target: string, fromPath: string, docsRoot: string): string | null {
  const path = target.replace(/[#?].*$/, '')
  if (path === '' || /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(path)) return null
  const base = path.startsWith('/') ? docsRoot : posix.dirname(fromPath)
  const joined = posix.join(base, path).replace(/^\/|^\.$|\/$/g, '')
  return joined.startsWith('..') ? null : toSlug(joined)
}

/**
 * Returns the same kind of link (absolute or relative, with or without extension, same anchor) to a
 * different page.
 */
export function retargetLink(target: string, fromPath: string, docsRoot: string, toPage: string): string {
  const [, path = '', suffix = ''] = /^([^#?]*)(.*)$/.exec(target) ?? []
  const page = hasPageExtension(path) ? toPage : toSlug(toPage)
  if (path.startsWith('/')) return `/${posix.relative(docsRoot || '.', page)}${suffix}`
  return keepDot(path, posix.relative(posix.dirname(fromPath), page)) + suffix
}

/**
 * Rewrites a relative link in a moved page so that its target stays the same. Returns any other
 * link unchanged.
 */
export function rebaseLink(target: string, fromPath: string, toPath: string): string {
  const [, path = '', suffix = ''] = /^([^#?]*)(.*)$/.exec(target) ?? []
  if (path === '' || path.startsWith('/') || /^[a-z][a-z0-9+.-]*:/i.test(path)) return target
  const wanted = posix.join(posix.dirname(fromPath), path)
  return keepDot(path, posix.relative(posix.dirname(toPath), wanted)) + suffix
}

/** Preserves the prefix of a link written as `./x`. */
function keepDot(before: string, relative: string): string {
  if (relative === '') return '.'
  return before.startsWith('./') && !relative.startsWith('.') ? `./${relative}` : relative
}

/** Returns edits for the links in a file that `decide` assigns a new target. */
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

/**
 * Returns edits that replace Markdown links with their text if `isGone` returns true. Other kinds
 * of links are not changed.
 */
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
