import type { ConfigFiles, Located } from '../../config/config-files.ts'
import { findProperty, findText, toItems } from '../../config/literal.ts'
import { joinPath, toFolder, toName } from '../../pages/paths.ts'
import type { ContentFolder } from '../site.ts'
import { findSetting } from './find-setting.ts'
import type { MkdocsPlugin } from './read-plugins.ts'

interface MkdocsContent {
  /** The folders that navigation entries are relative to, preferred one first. */
  readonly folders: readonly string[]
  readonly content: readonly ContentFolder[]
  readonly languages: readonly string[]
  /** `.gitignore` patterns of translations that are files next to the original (`page.fr.md`). */
  readonly translations: readonly string[]
}

const LANGUAGE = /^[a-z]{2,3}(?:[-_][A-Za-z]{2,8})?$/
const MAX_LANGUAGES = 100

/** Finds the folders of pages: those of the i18n plugin, one project per language, or one folder. */
export function readContent(
  files: ConfigFiles,
  chain: readonly Located[],
  plugins: readonly MkdocsPlugin[],
  root: string,
): MkdocsContent {
  const docsDir = findSetting(chain, 'docs_dir')?.literal
  const inner = docsDir?.kind === 'string' ? docsDir.value : 'docs'
  const docs = joinPath(root, inner) ?? root
  const main: ContentFolder = { folder: docs, url: '/', kind: 'docs', language: null }
  const posts = plugins.flatMap((plugin) => toPosts(docs, plugin) ?? [])
  const i18n = plugins.find(({ name }) => name === 'i18n')
  if (i18n !== undefined) {
    const { locales, structure } = readI18n(i18n)
    const [first = '', ...others] = locales
    if (structure === 'suffix') {
      return {
        folders: [docs],
        content: [{ ...main, suffixes: locales }, ...posts],
        languages: locales,
        translations: others.map((locale) => `*.${locale}.md`),
      }
    }
    const folder = joinPath(docs, first) ?? docs
    const translated = others.map((locale) => toTranslation(docs, locale, ''))
    return {
      folders: [folder, docs],
      content: [{ ...main, folder }, main, ...translated, ...posts],
      languages: locales,
      translations: [],
    }
  }
  const languages = findSiblings(files, chain, root, inner)
  return {
    folders: [docs],
    content: [main, ...languages.map((code) => toTranslation(toFolder(root), code, inner)), ...posts],
    languages: languages.length === 0 ? [] : [toName(root), ...languages],
    translations: [],
  }
}

function toTranslation(parent: string, language: string, inner: string): ContentFolder {
  return { folder: joinPath(parent, `${language}/${inner}`) ?? parent, url: `/${language}`, kind: 'docs', language }
}

/**
 * Finds translations that are projects of their own next to the main one: `docs/de` and `docs/fr`
 * next to `docs/en`. The main project's language selector (`extra.alternate`) lists them.
 */
function findSiblings(files: ConfigFiles, chain: readonly Located[], root: string, inner: string): string[] {
  const links = toItems(findSetting(chain, 'extra', 'alternate')?.literal).flatMap(
    (item) => findText(item, 'link') ?? [],
  )
  const codes = links.map((link) => link.replace(/^\/+|(?<!\/)\/+$/g, '')).filter((code) => LANGUAGE.test(code))
  if (!LANGUAGE.test(toName(root)) || !links.includes('/')) return []
  return [...new Set(codes)]
    .slice(0, MAX_LANGUAGES)
    .filter((code) => code !== toName(root) && files.hasFolder(joinPath(toFolder(root), `${code}/${inner}`) ?? ''))
}

/** Reads the languages of mkdocs-static-i18n, the main one first. */
function readI18n({ options }: MkdocsPlugin): { locales: string[]; structure: 'suffix' | 'folder' } {
  const languages = toItems(findProperty(options, 'languages')).slice(0, MAX_LANGUAGES)
  const isMain = (item: (typeof languages)[number]) => {
    const value = findProperty(item, 'default')
    return value?.kind === 'scalar' && value.value === true
  }
  const ordered = [...languages.filter(isMain), ...languages.filter((item) => !isMain(item))]
  const locales = ordered.flatMap((item) => findText(item, 'locale') ?? []).filter((code) => LANGUAGE.test(code))
  return { locales, structure: findText(options, 'docs_structure') === 'folder' ? 'folder' : 'suffix' }
}

/** Returns the folder of the blog plugin's posts, whose URLs contain their dates. */
function toPosts(docs: string, { name, options }: MkdocsPlugin): ContentFolder | null {
  if (!/^(?:material\/)?blog$/.test(name)) return null
  const blog = findText(options, 'blog_dir') ?? 'blog'
  const posts = (findText(options, 'post_dir') ?? '{blog}/posts').replaceAll('{blog}', blog)
  const folder = joinPath(docs, posts)
  return folder === null ? null : { folder, url: `/${joinPath('', blog) ?? ''}`, kind: 'opaque', language: null }
}
