import { isPair, isScalar, parseDocument, visit } from 'yaml'
import type { LinkForm } from './link-form.ts'
import { MAX_YAML_DEPTH, measureYamlDepth } from './measure-yaml-depth.ts'
import { MAX_FRONTMATTER, splitFrontmatter } from './split-frontmatter.ts'

/** A link at a known position, outside Markdown and tags. */
export interface PlacedLink {
  readonly kind: 'link' | 'image'
  readonly form: LinkForm
  readonly href: string
  /** Offsets of the destination in the text. */
  readonly start: number
  readonly end: number
}

const ANY = /(?:^|[ \t{,-])["']?(?:link|href|src|file|dark|light|image|pagination_(?:next|prev))["']?[ \t]*:/m
const KEYS: readonly (readonly [RegExp, PlacedLink['kind'], LinkForm])[] = [
  [/\.(?:link|href)$/, 'link', 'front'],
  [/\.src$|^hero\.image(?:\.(?:file|dark|light))?$/, 'image', 'front'],
  [/^pagination_(?:next|prev)$/, 'link', 'document'],
]
const MAX_LINKS = 1_000

/** Finds the links in the front matter of a page with LF line endings. */
export function findFrontLinks(text: string): PlacedLink[] {
  if (!text.startsWith('---')) return []
  const { yaml } = splitFrontmatter(text.slice(0, MAX_FRONTMATTER))
  if (yaml === null || !ANY.test(yaml) || measureYamlDepth(yaml) > MAX_YAML_DEPTH) return []
  const document = parseDocument(yaml, { prettyErrors: false, logLevel: 'silent' })
  if (document.errors.length > 0) return []
  const offset = text.indexOf('\n') + 1
  const links: PlacedLink[] = []
  visit(document, {
    Scalar(key, { value, range }, ancestors) {
      if (key !== 'value' || typeof value !== 'string' || range == null || links.length >= MAX_LINKS) return
      const name = ancestors.flatMap((node) => (isPair(node) && isScalar(node.key) ? [String(node.key.value)] : []))
      const [, kind, form] = KEYS.find(([pattern]) => pattern.test(name.join('.'))) ?? []
      // A value with escapes or over several lines has no exact position.
      const at = yaml.slice(range[0], range[1]).indexOf(value)
      if (kind === undefined || form === undefined || value === '' || at === -1 || at > 1) return
      const start = offset + range[0] + at
      links.push({ kind, form, href: value, start, end: start + value.length })
    },
  })
  return links
}
