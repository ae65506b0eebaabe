import { parseDocument } from 'yaml'
import { toPlain } from '../task/steps.ts'

/** A page as named in a navigation file, with the names of its groups, outermost first. */
export interface Entry {
  readonly page: string
  readonly groups: readonly string[]
}

/**
 * Reads the entries of a navigation file in order. Supports docs.json, mkdocs.yml, SUMMARY.md,
 * _meta.json, JavaScript sidebars (their string literals) and Fern's docs.yml. Used only by the
 * graders, so that they do not share the product's bugs. Returns null if the file is unreadable.
 */
export function readNavigation(file: string, raw: string): readonly Entry[] | null {
  const text = toPlain(raw)
  if (/(^|\/)SUMMARY\.md$/.test(file)) return readSummary(text)
  if (/\.[cm]?[jt]s$/.test(file)) return readLiterals(text)
  const value = file.endsWith('.json') ? parseJson(text) : parseYaml(text)
  if (value === undefined) return null
  const root = isRecord(value) ? value : {}
  if (/_meta\.json$/.test(file)) return Object.keys(root).map((page) => ({ page, groups: [] }))
  const found: Entry[] = []
  walk(root.navigation ?? root.nav ?? root, [], found)
  return found
}

function walk(value: unknown, groups: readonly string[], found: Entry[]): void {
  if (typeof value === 'string') {
    found.push({ page: toPage(value), groups })
  } else if (Array.isArray(value)) {
    for (const item of value) walk(item, groups, found)
  } else if (isRecord(value)) {
    const name = ['language', 'version', 'tab', 'dropdown', 'anchor', 'group', 'section']
      .map((key) => value[key])
      .find(isText)
    const inner = name === undefined ? groups : [...groups, name]
    const lists = [
      'languages',
      'versions',
      'tabs',
      'dropdowns',
      'anchors',
      'groups',
      'pages',
      'contents',
      'layout',
      'root',
    ]
    const known = lists.filter((key) => key in value)
    if (known.length > 0) for (const key of known) walk(value[key], inner, found)
    else if (isText(value.path)) found.push({ page: toPage(value.path), groups })
    // MkDocs: { Name: page } or { Name: [pages] }.
    else for (const [key, one] of Object.entries(value)) walk(one, isText(one) ? groups : [...groups, key], found)
  }
}

function readSummary(text: string): Entry[] {
  const found: Entry[] = []
  let group = ''
  for (const line of text.split('\n')) {
    const heading = /^#+ (.+)$/.exec(line)?.[1]
    if (heading !== undefined) group = heading
    for (const [, page = ''] of line.matchAll(/\]\(<?([^)>\s]+)/g)) found.push({ page: toPage(page), groups: [group] })
  }
  return found
}

/** Returns quoted strings as entries. The group is the last `label` or `text` before them. */
function readLiterals(text: string): Entry[] {
  const found: Entry[] = []
  let group = ''
  for (const [, key, , one = ''] of text.matchAll(/(?:\b(\w+)\s*:\s*)?(['"`])((?:[^'"`\\\n]|\\.)*)\2/g)) {
    if (key === 'label' || key === 'text') group = one
    else if (key === undefined || key === 'id' || key === 'link' || key === 'slug') {
      found.push({ page: toPage(one), groups: [group] })
    }
  }
  return found
}

/** Removes a leading slash or dot and the file extension. */
export const toPage = (name: string): string =>
  name
    .replace(/^(\.?\/)+/, '')
    .replace(/[?#].*$/, '')
    .replace(/\.(mdx?|markdown)$/, '')

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function parseYaml(text: string): unknown {
  const document = parseDocument(text, { logLevel: 'silent' })
  return document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: 100 })
}

const isText = (value: unknown): value is string => typeof value === 'string'

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns true if the file redirects `from` to `to`. Reads docs.json, vercel.json, `_redirects` and
 * the redirects plugin in mkdocs.yml.
 */
export function hasRedirect(file: string, raw: string, wanted: { from: string; to: string }): boolean {
  return readRedirects(file, toPlain(raw)).some(
    ([from, to]) => toPage(from) === toPage(wanted.from) && toPage(to) === toPage(wanted.to),
  )
}

function readRedirects(file: string, text: string): [string, string][] {
  if (file.endsWith('_redirects')) {
    return text.split('\n').map((line): [string, string] => {
      const [from = '', to = ''] = line.trim().split(/\s+/)
      return [from, to]
    })
  }
  const value = Object(file.endsWith('.json') ? parseJson(text) : parseYaml(text))
  if (file.endsWith('.json')) {
    const rows: unknown[] = Array.isArray(value.redirects) ? value.redirects : []
    return rows.map((row) => [String(Object(row).source), String(Object(row).destination)])
  }
  const plugins: unknown[] = Array.isArray(value.plugins) ? value.plugins : []
  const maps = plugins.map((plugin) => Object(Object(Object(plugin).redirects).redirect_maps))
  return maps.flatMap((map) => Object.entries(map).map(([from, to]): [string, string] => [from, String(to)]))
}

/**
 * Returns the top-level keys of a page's front matter with their values as text, or null if the
 * front matter is missing or invalid.
 */
export function readFrontMatter(text: string): ReadonlyMap<string, string> | null {
  const yaml = /^---\n([\s\S]*?)\n?---(\n|$)/.exec(toPlain(text))?.[1]
  const value = yaml === undefined ? undefined : parseYaml(yaml)
  if (!isRecord(value)) return null
  return new Map(
    Object.entries(value).map(([key, one]) => [key, typeof one === 'string' ? one : (JSON.stringify(one) ?? '')]),
  )
}
