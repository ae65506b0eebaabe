import { parseDocument } from 'yaml'
import { MAX_YAML_DEPTH, measureYamlDepth } from '../pages/measure-yaml-depth.ts'
import { splitFrontmatter } from '../pages/split-frontmatter.ts'
import { listYamlTags } from './list-yaml-tags.ts'
import type { PageCode } from './page-code.ts'

/** Parsers of front matter evaluate a block whose opening line names a programming language. */
const OPENING = /^\uFEFF?---(?!-)([^\n]*)/
const IS_DATA = /^(?:ya?ml|toml|json5?)?$/i
const SCRIPT_ADDRESS = /^\s*(?:javascript|vbscript|data:text\/html)/i
/** Relations of a page to other addresses, which load nothing that can change the page. */
const PASSIVE_RELATIONS =
  /^(?:alternate|author|canonical|help|icon|shortcut icon|mask-icon|apple-touch-icon|license|me|next|prev|search)$/i
const MAX_ALIASES = 100

/**
 * Lists the code in front matter: tags, front matter in other languages, and elements in the page's
 * head that run, load or redirect.
 */
export function listFrontCode(text: string): PageCode[] {
  const language = OPENING.exec(text)?.[1]?.trim() ?? ''
  if (!IS_DATA.test(language)) {
    const end = text.indexOf('\n---', 1)
    return [toCode(1, text.slice(0, end < 0 ? text.length : end))]
  }
  const { yaml } = splitFrontmatter(text)
  return yaml === null ? [] : [...listYamlTags(yaml, 2), ...listHead(yaml)]
}

/** Returns the value of a key of front matter; undefined if it is absent or cannot be read. */
export function readFrontValue(text: string, ...keys: readonly string[]): unknown {
  const { yaml } = splitFrontmatter(text)
  return keys.reduce<unknown>((value, key) => Object(value)[key], yaml === null ? undefined : parse(yaml))
}

function parse(yaml: string): unknown {
  if (measureYamlDepth(yaml) > MAX_YAML_DEPTH) return undefined
  try {
    const document = parseDocument(yaml, { logLevel: 'silent', uniqueKeys: false, merge: true })
    return document.errors.length > 0 ? undefined : document.toJS({ maxAliasCount: MAX_ALIASES })
  } catch {
    return undefined
  }
}

function listHead(yaml: string): PageCode[] {
  const front = parse(yaml)
  // Parsers differ in which faulty text they accept.
  if (front === undefined) return /script|\\[xu]/i.test(yaml) ? [toCode(2, yaml)] : []
  const head: unknown = Object(front).head
  const line =
    2 +
    Math.max(
      0,
      yaml.split('\n').findIndex((row) => /^["']?head\b/.test(row)),
    )
  const elements = Array.isArray(head) ? head : [head]
  return elements.filter(isActive).map((element) => toCode(line, JSON.stringify(element)))
}

/**
 * Returns true if an element can run code, load other files, or redirect readers. Frameworks write
 * it as a list (tag, attributes, content) or as a mapping.
 */
function isActive(element: unknown): boolean {
  if (typeof element === 'string') return element.includes('<')
  if (typeof element !== 'object' || element === null) return false
  const [tag, attributes, content]: unknown[] = Array.isArray(element)
    ? element
    : [Object(element).tag, Object(element).attrs, Object(element).content]
  const given = Object.entries(Object(attributes))
  const read = (name: string) => String(given.find(([key]) => key.toLowerCase() === name)?.[1] ?? '')
  if (given.some(([key, value]) => /^on/i.test(key) || SCRIPT_ADDRESS.test(String(value)))) return true
  switch (String(tag).toLowerCase()) {
    case 'title':
      return String(content ?? '').includes('</')
    case 'meta':
      return read('http-equiv') !== ''
    case 'link':
      return !PASSIVE_RELATIONS.test(read('rel').trim())
    default:
      return true
  }
}

const toCode = (line: number, source: string): PageCode => ({ kind: 'front-matter-code', line, source })
