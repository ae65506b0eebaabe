import { isPair, isScalar, parseDocument, visit } from 'yaml'
import { MAX_YAML_DEPTH, measureYamlDepth } from './measure-yaml-depth.ts'
import type { Notation } from './notation.ts'
import { MAX_FRONTMATTER, splitFrontmatter } from './split-frontmatter.ts'

/** A reference in a notation, and its position. */
export interface PlacedReference {
  readonly kind: 'link' | 'image' | 'include'
  readonly notation: Notation
  readonly href: string
  /** Offsets of the destination in the text. */
  readonly start: number
  readonly end: number
  /** Offset of the notation. */
  readonly at: number
  /** 1-based. */
  readonly line: number
}

interface Rule {
  readonly notation: Notation
  readonly kind: PlacedReference['kind']
  /** The group `href` is the destination. */
  readonly pattern: RegExp
  /** Set if the notation also applies in code. Otherwise, documentation shows examples there. */
  readonly inCode?: true
}

const link = (notation: Notation, pattern: RegExp): Rule => ({ notation, kind: 'link', pattern })
const include = (notation: Notation, pattern: RegExp): Rule => ({ notation, kind: 'include', pattern })
const inCode = (rule: Rule): Rule => ({ ...rule, inCode: true })

const RULES: readonly Rule[] = [
  link(
    'tag',
    /\{%[ \t]{0,9}(?:file|content-ref|embed|swagger|openapi)\b[^{}\n]{0,1000}?[ \t](?:src|url)[ \t]{0,9}=[ \t]{0,9}(["'])(?<href>[^"'\n]{1,1000})\1[^{}\n]{0,1000}%\}/dg,
  ),
  ...['src', 'link'].map((name) =>
    inCode(
      link(
        'figure',
        new RegExp(
          String.raw`\{\{[<%][ \t\n]{0,20}figure\b[^{}]{0,1000}?[ \t\n]${name}[ \t]{0,9}=[ \t]{0,9}(["\`])(?<href>[^"\`\n]{1,1000})\1[^{}]{0,1000}[>%]\}\}`,
          'dg',
        ),
      ),
    ),
  ),
  link('ref', /\{\{[<%][ \t]{0,20}(?:rel)?ref[ \t]{1,20}["`](?<href>[^"`\n]{1,500})["`][^{}\n]{0,200}[>%]\}\}/dg),
  link('doc', /\{doc\}`(?:[^`<\n]{0,500}<)?(?<href>[^`<>\n]{1,500})>?`/dg),
  link('label', /\{ref\}`(?:[^`<\n]{0,500}<)?(?<href>[^`<>\n]{1,500})>?`/dg),
  link('asset', /\{download\}`(?:[^`<\n]{0,500}<)?(?<href>[^`<>\n]{1,1000})>?`/dg),
  {
    notation: 'asset',
    kind: 'image',
    pattern: /^[ \t]{0,40}(?:`{3,20}|:{3,20}|~{3,20})\{(?:figure|image)\}[ \t]{1,9}(?<href>\S[^\n]{0,1000}?)[ \t]*$/dgm,
  },
  include(
    'comment',
    /<!--[ \t]{0,9}@include:[ \t]{0,9}(?<href>[^\s{}#<>]{1,500})(?:[#{][^\n>]{0,200})?[ \t]{0,9}-->/dg,
  ),
  include('code', /^[ \t]{0,3}<<<[ \t]{1,9}(?<href>[^\s{}[\]#]{1,500})/dgm),
  inCode(
    include(
      'scissors',
      /^[ \t]{0,40}-{1,9}8<-{1,9}[ \t]{1,9}["'](?<href>[^"'\n:*]{1,500})(?::[^"'\n/]{0,100})?["'][ \t]*$/dgm,
    ),
  ),
  inCode(include('braces', /(?<!\\)\{\{#(?:include|rustdoc_include|playground)[ \t]{1,9}(?<href>[^\s{}:]{1,500})/dg)),
  include('block', /\{%[ \t]{0,9}include[ \t]{1,9}["'](?<href>[^"'\n]{1,500})["']/dg),
  include(
    'directive',
    /^[ \t]{0,40}(?:`{3,20}|:{3,20}|~{3,20})\{(?:literalinclude|include)\}[ \t]{1,9}(?<href>[^\s*]{1,500})[ \t]*$/dgm,
  ),
  inCode(
    include(
      'readfile',
      /\{\{[<%][ \t]{0,9}readfile[ \t]{1,9}(?:file=)?["`](?<href>[^"`\n]{1,500})["`](?![^{}\n]{0,500}draft)[^{}\n]{0,500}[>%]\}\}/dg,
    ),
  ),
  include('snippet', /<Snippet[ \t\n]{1,9}file=["'](?<href>[^"'\n]{1,500})["']/dg),
]
/** Matches a part of every notation. */
const ANY =
  /\{%|\{\{[<%#]|\{(?:doc|ref|download|figure|image|(?:literal)?include)\}|<!--[ \t]{0,9}@include|^[ \t]{0,3}<<<|-8<-|<Snippet/m
const MAX_REFERENCES = 20_000

type FoundReference = Omit<PlacedReference, 'line'> & Pick<Rule, 'inCode'>

/**
 * Finds the references of a page that the parser reads as text, code or comments, and those in its
 * front matter. The site decides which notations apply.
 * @param isCode returns true if a line (1-based) is inside a code block
 */
export function findNotations(text: string, isCode: (line: number) => boolean): PlacedReference[] {
  const found: FoundReference[] = findFrontLinks(text)
  for (const { notation, kind, pattern, ...rule } of ANY.test(text) ? RULES : []) {
    for (const match of text.matchAll(pattern)) {
      if (found.length >= MAX_REFERENCES) break
      const [start, end] = match.indices?.groups?.href ?? [0, 0]
      found.push({ ...rule, notation, kind, href: text.slice(start, end), start, end, at: match.index })
    }
  }
  let [line, next] = [1, text.indexOf('\n')]
  return found
    .sort((a, b) => a.start - b.start)
    .flatMap((reference) => {
      for (; next !== -1 && next < reference.start; next = text.indexOf('\n', next + 1)) line += 1
      const isExample = !reference.inCode && (isCode(line) || isInline(text, reference.at))
      return isExample ? [] : [{ ...reference, line }]
    })
}

/** Removes the includes that `findNotations` returns. */
export function dropIncludes(text: string): string {
  const includes = RULES.filter(({ kind }) => kind === 'include')
  return ANY.test(text) ? includes.reduce((rest, { pattern }) => rest.replace(pattern, ''), text) : text
}

/** Returns true if an offset is in inline code or escaped. */
function isInline(text: string, offset: number): boolean {
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  return before.endsWith('\\') || (before.match(/`/g)?.length ?? 0) % 2 === 1
}

/** Matches front matter that may contain a link. */
const ANY_FRONT = /(?:^|[ \t{,-])["']?(?:link|href|src|file|dark|light|image|pagination_(?:next|prev))["']?[ \t]*:/m
const KEYS: readonly (readonly [RegExp, PlacedReference['kind'], Notation])[] = [
  [/\.(?:link|href)$/, 'link', 'front'],
  [/\.src$|^hero\.image(?:\.(?:file|dark|light))?$/, 'image', 'front'],
  [/^pagination_(?:next|prev)$/, 'link', 'document'],
]
const MAX_FRONT_LINKS = 1_000

/** Finds the links in the front matter of a page with LF line endings. */
function findFrontLinks(text: string): FoundReference[] {
  if (!text.startsWith('---')) return []
  const { yaml } = splitFrontmatter(text.slice(0, MAX_FRONTMATTER))
  if (yaml === null || !ANY_FRONT.test(yaml) || measureYamlDepth(yaml) > MAX_YAML_DEPTH) return []
  const document = parseDocument(yaml, { prettyErrors: false, logLevel: 'silent' })
  if (document.errors.length > 0) return []
  const offset = text.indexOf('\n') + 1
  const links: FoundReference[] = []
  visit(document, {
    Scalar(key, { value, range }, ancestors) {
      if (key !== 'value' || typeof value !== 'string' || range == null || links.length >= MAX_FRONT_LINKS) return
      const name = ancestors.flatMap((node) => (isPair(node) && isScalar(node.key) ? [String(node.key.value)] : []))
      const [, kind, notation] = KEYS.find(([pattern]) => pattern.test(name.join('.'))) ?? []
      // A value with escapes or over several lines has no exact position.
      const at = yaml.slice(range[0], range[1]).indexOf(value)
      if (kind === undefined || notation === undefined || value === '' || at === -1 || at > 1) return
      const start = offset + range[0] + at
      links.push({ kind, notation, href: value, start, end: start + value.length, at: start, inCode: true })
    },
  })
  return links
}
