import type { ConfigFile } from '../config/config-files.ts'
import { findProperty, type Literal } from '../config/literal.ts'
import type { RedirectNames } from '../frameworks/framework.ts'
import type { Splice } from '../workspace/text-file.ts'
import { insertElement } from './edit-list.ts'
import { findLine } from './locate.ts'
import { quoteText } from './quote-text.ts'

/**
 * Adds a redirect to the end of a list, in the format of the last one. `from` and `to` are the
 * property names.
 */
export function addToList(
  file: ConfigFile,
  list: Literal | null,
  { source, destination }: RedirectNames,
  [from, to]: readonly [string, string],
): Splice[] | null {
  if (list?.kind !== 'array' || !list.whole) return null
  const { text, path } = file
  const last = list.items.at(-1)
  if (last === undefined) {
    const key = (name: string) => (/\.json$/i.test(path) ? JSON.stringify(name) : name)
    const quote = /\.json$/i.test(path) ? '"' : "'"
    const unit = `{ ${key(from)}: ${quoteText(path, quote, source)}, ${key(to)}: ${quoteText(path, quote, destination)} }`
    return insertElement(text, list, 0, unit)
  }
  const source_ = findProperty(last, from)
  const destination_ = findProperty(last, to)
  if (last.kind !== 'object' || source_?.kind !== 'string' || destination_?.kind !== 'string') return null
  const values = [
    { at: source_, value: source },
    { at: destination_, value: destination },
  ].sort((a, b) => a.at.start - b.at.start)
  let unit = ''
  let offset = last.start
  for (const { at, value } of values) {
    const quote = /["'`]/.test(text[at.start] ?? '') ? (text[at.start] ?? '"') : ''
    unit += text.slice(offset, at.start) + quoteText(path, quote, value)
    offset = at.end
  }
  unit += text.slice(offset, last.end)
  // A comment inside the last redirect applies only to that redirect.
  if (/\/[/*]|(?:^|\s)#/.test(unit.replace(/["'][^"'\n]*["']/g, ''))) return null
  const { start } = findLine(text, last.start)
  const indent = /^[ \t]*/.exec(text.slice(start, last.start))?.[0] ?? ''
  return insertElement(text, list, list.items.length - 1, unit.trimEnd().replaceAll(`\n${indent}`, '\n'))
}

/** Adds a redirect to the end of a map. */
export function addToMap(file: ConfigFile, map: Literal | null, source: string, destination: string): Splice[] | null {
  if (map?.kind !== 'object' || !map.whole) return null
  const last = map.properties.at(-1)
  if (last?.value.kind !== 'string') return null
  const quoteAt = (offset: number) => (/["'`]/.test(file.text[offset] ?? '') ? (file.text[offset] ?? '') : '')
  const script = !/\.ya?ml$/i.test(file.path)
  const key = quoteText(file.path, quoteAt(last.keyStart) || (script ? "'" : ''), source)
  const value = quoteText(file.path, quoteAt(last.value.start), destination)
  return insertElement(file.text, map, map.properties.length - 1, `${key}: ${value}`)
}
