import { toFolder } from '../checks/read-navigation.ts'
import { readAllText } from './read-all-text.ts'
import { toLineNumber } from './text-file.ts'
import type { Workspace } from './workspace.ts'

/** Every repetition is bounded or cannot cross a line: with `\s*` at the start of a line, a page of blank lines takes minutes. */
const LINK =
  /\]\(\s{0,20}<?([^)\s>]{1,2000})|^[ \t]{0,20}\[[^\]\n]{1,1000}\]:[ \t]{0,20}<?(\S{1,2000}?)>?[ \t]{0,20}$|\b(?:href|to|src)\s{0,20}=\s{0,20}["'{`]{1,3}([^"'`}]{1,2000})/gm
const MAX = 20

/** `path:line` of links in pages that lead to a file, at most 20; `more` tells how many others there are. */
export async function findInboundLinks(
  workspace: Workspace,
  target: string,
): Promise<{ rows: string[]; more: number }> {
  const wanted = toSlug(target)
  const rows: string[] = []
  let more = 0
  const entries = (await workspace.list()).filter((entry) => /\.(mdx?|markdown)$/i.test(entry.path))
  for await (const { path, text } of readAllText(workspace, entries)) {
    if (path === target) continue
    for (const match of text.matchAll(LINK)) {
      const link = match[1] ?? match[2] ?? match[3] ?? ''
      if (!leadsTo(link, path, wanted)) continue
      if (rows.length < MAX) rows.push(`${path}:${toLineNumber(text, match.index + match[0].indexOf(link))}: ${link}`)
      else more += 1
    }
  }
  return { rows, more }
}

function leadsTo(link: string, from: string, wanted: string): boolean {
  if (/^[a-z][a-z0-9+.-]*:|^\/\/|^#/i.test(link)) return false
  const plain = decode(link.replace(/[?#].*$/, ''))
  if (plain.startsWith('/')) return wanted === toSlug(plain.slice(1)) || wanted.endsWith(`/${toSlug(plain.slice(1))}`)
  return toSlug(resolve(toFolder(from), plain)) === wanted
}

function resolve(folder: string, link: string): string {
  const parts = folder === '' ? [] : folder.split('/')
  for (const part of link.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

function toSlug(path: string): string {
  return path
    .replace(/\.(mdx?|markdown|html?)$/i, '')
    .replace(/(^|\/)(index|readme)$/i, '')
    .replace(/\/$/, '')
}

function decode(link: string): string {
  try {
    return decodeURIComponent(link)
  } catch {
    return link
  }
}
