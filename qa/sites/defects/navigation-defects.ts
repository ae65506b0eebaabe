import { parse } from 'yaml'
import type { DocSite } from '../model/doc-site.ts'
import { listEntries, type SiteEntry } from '../model/list-entries.ts'
import type { DefectKind, DefectPlace } from './defect.ts'

type Change = (text: string, entry: SiteEntry, site: DocSite) => string | null

const renameTo =
  (rename: (value: string) => string): Change =>
  (text, { file, start, end }, site) => {
    const value = text.slice(start, end)
    const changed = rename(value)
    return changed === value || site.resolveEntry(file, changed) !== null
      ? null
      : text.slice(0, start) + changed + text.slice(end)
  }

/** Drops a letter in the middle of the last segment. */
function dropLetter(value: string): string {
  const [, name = ''] = /([^/]+?)(?:\.mdx?)?\/?$/.exec(value) ?? []
  const at = value.lastIndexOf(name) + Math.floor(name.length / 2)
  return value.slice(0, at) + value.slice(at + 1)
}

const dropQuote: Change = (text, { end }) =>
  /["'`]/.test(text[end] ?? '') ? text.slice(0, end) + text.slice(end + 1) : null

const dropBracket: Change = (text, { end }) => {
  const at = text.slice(end).search(/[\]}](?=,?[ \t]*\r?\n)/)
  return at === -1 ? null : text.slice(0, end + at) + text.slice(end + at + 1)
}

const addComma: Change = (text, { file, end }) => {
  if (!file.endsWith('.json')) return null
  const at = text.slice(end).search(/(?<=["\]}])\s*\n\s*[\]}]/)
  return at === -1 ? null : `${text.slice(0, end + at)},${text.slice(end + at)}`
}

const breakIndentation: Change = (text, { file, start }) => {
  if (!/\.ya?ml$/.test(file)) return null
  const line = text.lastIndexOf('\n', start) + 1
  const changed = `${text.slice(0, line)} ${text.slice(line)}`
  try {
    parse(changed, { logLevel: 'silent' })
    return null
  } catch (error) {
    return /tag/i.test(String(error)) ? null : changed
  }
}

const misspellPages: Change = (text, { file, start }) => {
  if (!/(?:docs|mint)\.json$/.test(file)) return null
  const at = text.lastIndexOf('"pages"', start)
  return at === -1 ? null : `${text.slice(0, at)}"page"${text.slice(at + 7)}`
}

function listChanged(site: DocSite, change: Change): DefectPlace[] {
  return listEntries(site).map((entry) => ({
    where: `${entry.file}: ${entry.text.slice(entry.start, entry.end)}`,
    build: () => {
      const text = change(entry.text, entry, site)
      return text === null ? null : [{ path: entry.file, text }]
    },
  }))
}

const CHANGES: readonly (readonly [string, DefectKind['group'], Change])[] = [
  ['nav-typo', 'core', renameTo(dropLetter)],
  ['nav-missing', 'core', renameTo((value) => value.replace(/(\.mdx?|\/)?$/, '-nowhere$1'))],
  ['nav-quote', 'core', dropQuote],
  ['nav-bracket', 'core', dropBracket],
  ['nav-comma', 'core', addComma],
  ['nav-indentation', 'core', breakIndentation],
  ['nav-misspelt-key', 'core', misspellPages],
]

export const NAVIGATION_DEFECTS: readonly DefectKind[] = CHANGES.map(([id, group, change]) => ({
  id,
  group,
  list: (site) => listChanged(site, change),
}))
