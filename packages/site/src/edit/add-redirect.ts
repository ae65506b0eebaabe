import type { Splice } from '@corrigenda/git/workspace'
import { findProperty, type Literal, toProperties } from '../script/literal.ts'
import type { ConfigFile } from '../site/config-files.ts'
import { toName } from '../site/paths.ts'
import type { Site } from '../site/site.ts'
import { insertElement } from './edit-list.ts'
import { findLine } from './locate.ts'
import { quoteText } from './quote-text.ts'
import { findRedirectList, toRedirectName } from './redirect-places.ts'

export interface RedirectWanted {
  /** Address of the page before and now, as `toUrls` gives them. */
  readonly source: string
  readonly destination: string
  /** The page's file before and now. */
  readonly page: string
  readonly newPage: string
}

/** Add a redirect to one of the files where the site keeps them. Null when the file has no place that can be edited. */
export function addRedirect(site: Site, file: ConfigFile, wanted: RedirectWanted): Splice[] | null {
  const name = toName(file.path)
  if (name === '_redirects') return addLine(file, `${wanted.source}  ${wanted.destination}  301`)
  const list = findRedirectList(site, file)
  if (name === 'vercel.json') return addToList(file, list, wanted, ['source', 'destination'])
  switch (site.framework) {
    case 'mintlify':
      return addToMintlify(file, wanted)
    case 'mkdocs': {
      const source = toRedirectName(site, wanted.page, wanted.source)
      return addToMap(file, list, source, toRedirectName(site, wanted.newPage, wanted.destination))
    }
    case 'docusaurus':
      return addToList(file, list, wanted, ['from', 'to'])
    case 'starlight':
      return addToMap(file, list, wanted.source, withSlash(list, wanted.destination))
    default:
      return null
  }
}

function addToMintlify(file: ConfigFile, wanted: RedirectWanted): Splice[] | null {
  const { literal } = file
  const list = literal?.kind === 'array' ? literal : findProperty(literal, 'redirects')
  if (list !== null) return addToList(file, list, wanted, ['source', 'destination'])
  if (literal?.kind !== 'object' || literal.properties.length === 0) return null
  const unit = toIndentUnit(file.text, literal)
  const pair = `"source": ${JSON.stringify(wanted.source)}, "destination": ${JSON.stringify(wanted.destination)}`
  const value =
    unit === null
      ? `[{ ${pair} }]`
      : `[\n${unit}{\n${unit}${unit}${pair.replace(', "destination"', `,\n${unit}${unit}"destination"`)}\n${unit}}\n]`
  return insertElement(file.text, literal, literal.properties.length - 1, `"redirects": ${value}`)
}

/** One step of indentation, from the first property; null when all stands in one line. */
function toIndentUnit(text: string, literal: Literal): string | null {
  const first = toProperties(literal)[0]
  if (first === undefined) return null
  const { start } = findLine(text, first.keyStart)
  const head = text.slice(start, first.keyStart)
  return start > literal.start && head.trim() === '' && head !== '' ? head : null
}

/** Behind the last one, written as that one is. */
function addToList(
  file: ConfigFile,
  list: Literal | null,
  { source, destination }: RedirectWanted,
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
  // A comment in it is about that one.
  if (/\/[/*]|(?:^|\s)#/.test(unit.replace(/["'][^"'\n]*["']/g, ''))) return null
  const { start } = findLine(text, last.start)
  const indent = /^[ \t]*/.exec(text.slice(start, last.start))?.[0] ?? ''
  return insertElement(text, list, list.items.length - 1, unit.trimEnd().replaceAll(`\n${indent}`, '\n'))
}

/** Behind the last pair of a map of addresses or paths. */
function addToMap(
  file: ConfigFile,
  map: Literal | null,
  source: string | null,
  destination: string | null,
): Splice[] | null {
  if (map?.kind !== 'object' || !map.whole || source === null || destination === null) return null
  const last = map.properties.at(-1)
  if (last?.value.kind !== 'string') return null
  const quoteAt = (offset: number) => (/["'`]/.test(file.text[offset] ?? '') ? (file.text[offset] ?? '') : '')
  const script = !/\.ya?ml$/i.test(file.path)
  const key = quoteText(file.path, quoteAt(last.keyStart) || (script ? "'" : ''), source)
  const value = quoteText(file.path, quoteAt(last.value.start), destination)
  return insertElement(file.text, map, map.properties.length - 1, `${key}: ${value}`)
}

function addLine(file: ConfigFile, line: string): Splice[] {
  const { text } = file
  const end = text.length
  return [{ start: end, end, replacement: text === '' || text.endsWith('\n') ? `${line}\n` : `\n${line}` }]
}

/** Where destinations end with a slash, so does the new one. */
function withSlash(map: Literal | null, address: string): string {
  const last = toProperties(map).at(-1)?.value
  return last?.kind === 'string' && last.value.length > 1 && last.value.endsWith('/') && address !== '/'
    ? `${address}/`
    : address
}
