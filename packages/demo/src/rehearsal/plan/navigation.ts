import { posix } from 'node:path'
import { toText } from './edit-files.ts'
import { toSlug } from './page-path.ts'
import { type JsonNode, parseJsonTree, walkJson } from './parse-json-tree.ts'
import { callTool, type Plan } from './plan.ts'
import { viewFile } from './view-files.ts'

/** A `docs.json` and its text. Page entries are relative to its folder. */
export interface Navigation {
  path: string
  root: string
  text: string
}

/** A replacement of `text[start, end)`. */
export interface Splice {
  start: number
  end: number
  replacement: string
}

const pageKeys = ['pages', 'page', 'root', 'href', 'destination']

/**
 * Finds the navigation file: `docs.json` in the root or, failing that, a search result. Returns
 * null if no such file exists or it is not valid JSON.
 */
export function* findNavigation(): Plan<Navigation | null> {
  let file = yield* viewFile('docs.json')
  if (!file) {
    const search = { query: '"navigation"', mode: 'literal', glob: '**/*.json', output: 'files' }
    const found = yield* callTool('Step: searching for the navigation file.', 'search', search)
    const path = /^\S*\b(?:docs|mint)\.json\b/m.exec(found.isError ? '' : found.text)?.[0]
    file = path ? yield* viewFile(path) : null
  }
  if (!file) return null
  const text = toText(file)
  try {
    parseJsonTree(text)
  } catch {
    return null
  }
  return { path: file.path, root: posix.dirname(file.path) === '.' ? '' : posix.dirname(file.path), text }
}

/** Returns the name that this navigation uses for a page. */
export function toEntry(navigation: Navigation, page: string): string {
  return posix.relative(navigation.root || '.', toSlug(page))
}

/** Finds the strings that refer to the page, in fields that can refer to pages. */
export function findEntries(navigation: Navigation, page: string): JsonNode[] {
  const entry = toEntry(navigation, page)
  return [...walkJson(parseJsonTree(navigation.text))].filter(
    (node) => node.kind === 'string' && pageKeys.includes(node.key) && readEntry(node) === entry,
  )
}

function readEntry(node: JsonNode): string {
  return toSlug((node.value ?? '').replace(/^\//, '').replace(/#.*$/, ''))
}

/** Replaces the page of an entry. Preserves a leading slash and an anchor. */
export function renameEntry(navigation: Navigation, node: JsonNode, page: string): Splice {
  const [, slash, anchor] = /^(\/?)[^#]*(#.*)?$/.exec(node.value ?? '') ?? []
  const replacement = JSON.stringify(`${slash ?? ''}${toEntry(navigation, page)}${anchor ?? ''}`)
  return { start: node.start, end: node.end, replacement }
}

/** Removes the page's entry from a `pages` array. Returns null if no array contains it. */
export function removeEntry(navigation: Navigation, page: string): Splice | null {
  const nodes = findEntries(navigation, page)
  for (const array of findArrays(navigation, 'pages')) {
    const index = array.children.findIndex((child) => nodes.some((node) => node.start === child.start))
    const child = array.children[index]
    if (!child) continue
    const before = array.children[index - 1]
    const after = array.children[index + 1]
    if (before) return { start: before.end, end: child.end, replacement: '' }
    if (after) return { start: child.start, end: after.start, replacement: '' }
    return { start: array.start, end: array.end, replacement: '[]' }
  }
  return null
}

/**
 * Adds the page at the end of the group with this name, and creates the group if it does not exist.
 * Without a name, uses the group with pages in the same folder or, failing that, the first group.
 * Returns null if the file has no suitable list.
 */
export function addEntry(navigation: Navigation, page: string, group: string | null): Splice | null {
  const entry = JSON.stringify(toEntry(navigation, page))
  const arrays = findArrays(navigation, 'pages')
  const named = group === null ? undefined : arrays.find((array) => hasGroupName(navigation, array, group))
  if (named) return appendItem(navigation.text, named, entry)
  if (group !== null) {
    const groups = findArrays(navigation, 'groups')[0]
    return groups
      ? appendItem(navigation.text, groups, `{ "group": ${JSON.stringify(group)}, "pages": [${entry}] }`)
      : null
  }
  const folder = posix.dirname(toEntry(navigation, page))
  const sibling = arrays.find((array) => array.children.some((child) => posix.dirname(readEntry(child)) === folder))
  const array = sibling ?? arrays[0]
  return array ? appendItem(navigation.text, array, entry) : null
}

/** Adds a redirect if the file has a list of redirects. Otherwise, returns null. */
export function addRedirect(navigation: Navigation, from: string, to: string): Splice | null {
  const redirects = findArrays(navigation, 'redirects')[0]
  if (!redirects) return null
  const [source, destination] = [from, to].map((page) => JSON.stringify(`/${toEntry(navigation, page)}`))
  return appendItem(navigation.text, redirects, `{ "source": ${source}, "destination": ${destination} }`)
}

function findArrays(navigation: Navigation, key: string): JsonNode[] {
  return [...walkJson(parseJsonTree(navigation.text))].filter((node) => node.kind === 'array' && node.key === key)
}

function hasGroupName(navigation: Navigation, pages: JsonNode, group: string): boolean {
  for (const node of walkJson(parseJsonTree(navigation.text))) {
    if (node.kind !== 'object' || !node.children.some((child) => child.start === pages.start)) continue
    const name = node.children.find((child) => child.key === 'group')?.value
    return name?.toLowerCase() === group.toLowerCase()
  }
  return false
}

/** Appends an item after the last one, with the same layout. */
function appendItem(text: string, array: JsonNode, item: string): Splice {
  const last = array.children.at(-1)
  if (!last) return { start: array.start, end: array.end, replacement: `[${item}]` }
  const lineStart = text.lastIndexOf('\n', last.start) + 1
  const indent = text.slice(lineStart, last.start)
  const separator = lineStart > array.start && indent.trim() === '' ? `,\n${indent}` : ', '
  return { start: last.end, end: last.end, replacement: `${separator}${item}` }
}
