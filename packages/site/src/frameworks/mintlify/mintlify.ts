import type { ConfigFile } from '../../config/config-files.ts'
import { findProperty, type Literal, toProperties } from '../../config/literal.ts'
import { addToList } from '../../edit/add-to-redirects.ts'
import { insertElement } from '../../edit/edit-list.ts'
import { findLine } from '../../edit/locate.ts'
import { dropExtension, dropIndex, isBelow, PAGE, toInner } from '../../pages/paths.ts'
import type { Splice } from '../../workspace/text-file.ts'
import type { ConfiguredLanguage, Framework, RedirectNames } from '../framework.ts'
import type { HeadingIds } from '../heading-ids.ts'
import { fromSnippets } from '../reference-rules.ts'
import { MINTLIFY_COMPONENTS } from './mintlify-components.ts'
import { readMintlify } from './read-mintlify.ts'

/** Returns `redirects` from `docs.json`, or the whole content of a file referenced by `$ref`. */
function findMintlifyRedirects({ literal }: ConfigFile): Literal | null {
  return literal?.kind === 'array' ? literal : findProperty(literal, 'redirects')
}

function addMintlifyRedirect(file: ConfigFile, names: RedirectNames): Splice[] | null {
  const { literal, text } = file
  const list = findMintlifyRedirects(file)
  if (list !== null) return addToList(file, list, names, ['source', 'destination'])
  if (literal?.kind !== 'object' || literal.properties.length === 0) return null
  const unit = toIndentUnit(text, literal)
  const source = `"source": ${JSON.stringify(names.source)}`
  const destination = `"destination": ${JSON.stringify(names.destination)}`
  const value =
    unit === null
      ? `[{ ${source}, ${destination} }]`
      : `[\n${unit}{\n${unit}${unit}${source},\n${unit}${unit}${destination}\n${unit}}\n]`
  return insertElement(text, literal, literal.properties.length - 1, `"redirects": ${value}`)
}

/**
 * Returns one level of indentation, taken from the first property, or null if everything is on one
 * line.
 */
function toIndentUnit(text: string, literal: Literal): string | null {
  const first = toProperties(literal)[0]
  if (first === undefined) return null
  const { start } = findLine(text, first.keyStart)
  const head = text.slice(start, first.keyStart)
  return start > literal.start && head.trim() === '' && head !== '' ? head : null
}

const mintlifyIds: HeadingIds = {
  toSlug,
  separator: '-',
  firstNumber: 2,
  explicit: { toMark: (id) => `{#${id}}` },
}

/** The rules of `slugify` and `cleanHeadingId` in `@mintlify/common`. */
function toSlug(text: string): string {
  const encoded = encodeURIComponent(text.toWellFormed().toLowerCase().trim().replace(/\s+/g, '-'))
  const slug = encoded.replace(/[^A-Za-z\d%_]+/g, '-').replace(/^-|-$/g, '')
  return decodeURIComponent(slug)
    .replace(/[?,;:!'"()[\]{}]/g, '')
    .replace(
      /\p{Emoji_Modifier}|\p{Emoji_Modifier_Base}|\p{Emoji_Presentation}|\p{Extended_Pictographic}|[\u200D\uFE0E\uFE0F]/gu,
      '',
    )
}

const MAX_LANGUAGES = 100

/**
 * Reads `navigation.languages` from a `docs.json` or `mint.json`. Returns an empty list if the file
 * is invalid or does not define languages.
 */
function readLanguages(bytes: Uint8Array): ConfiguredLanguage[] {
  try {
    const languages: unknown = Object(Object(JSON.parse(new TextDecoder().decode(bytes))).navigation).languages
    if (!Array.isArray(languages)) return []
    return languages.slice(0, MAX_LANGUAGES).flatMap((one: unknown) => {
      const { language, default: isDefault } = Object(one)
      return typeof language === 'string' ? [{ code: language, isDefault: isDefault === true }] : []
    })
  } catch {
    return []
  }
}

export const mintlify: Framework = {
  name: 'mintlify',
  title: 'Mintlify',
  detections: [{ config: /(^|\/)(docs|mint)\.json$/, older: /mint\.json$/ }],
  read: readMintlify,
  dialects: { mdx: 'mdx', md: 'mdx', words: 'MDX, including .md files' },
  components: { builtIn: MINTLIFY_COMPONENTS, isRequired: false },
  rule: 'Mintlify: a navigation entry is the path of the page without its extension.',
  writable: ['**/{docs,mint}.json'],
  isCodeSetting: (key) => /^(?:integrations|analytics|scripts|css|js|head)(?:\.|$)/.test(key),
  hasMath: true,
  readLanguages,
  notations: { snippet: fromSnippets },
  toRoutes: ({ route }) => [dropIndex(route, /^index$/i), route],
  toEntry({ site, like, page }) {
    if (!isBelow(page, site.root)) return null
    const inner = toInner(page, site.root)
    return `${/^\.?\//.exec(like.page)?.[0] ?? ''}${PAGE.test(like.page) ? inner : dropExtension(inner)}`
  },
  headingIds: mintlifyIds,
  checksAbsoluteLinks: true,
  isServedAnywhere: true,
  requiresFrontmatter: true,
  trailingSlash: false,
  acceptsRootPaths: true,
  servesFolders: true,
  partials: /^(?:[^/]+\/)?snippets\//,
  redirects: { findList: findMintlifyRedirects, add: addMintlifyRedirect },
}
