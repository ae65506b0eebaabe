import type { ConfigFile } from '../../config/config-files.ts'
import { findProperty, type Literal, toItems } from '../../config/literal.ts'
import { addToMap } from '../../edit/add-to-redirects.ts'
import { dropIndex, isBelow, toFolder, toInner, toName } from '../../pages/paths.ts'
import type { Framework } from '../framework.ts'
import type { HeadingIds } from '../heading-ids.ts'
import { fromAnyFolder } from '../reference-rules.ts'
import { toSuffixRoutes } from '../to-suffix-routes.ts'
import { readMkdocs } from './read-mkdocs.ts'
import { FOLDER_NAV } from './read-nav.ts'

/** Settings that neither name code nor files outside the documentation. */
const PLAIN_SETTING =
  /^(?:site_(?:name|url|description|author)|copyright|repo_(?:name|url)|edit_uri\w*|nav|not_in_nav|exclude_docs|draft_docs|use_directory_urls|validation|strict|extra(?!\.analytics)|theme\.(?:palette|features|language|locale|logo|favicon|icon|font)|plugins\.redirects\.redirect_maps)(?:\.|$)/

/** Finds the redirects plugin's `redirect_maps`. The plugins are either a map or a list. */
function findList(file: ConfigFile): Literal | null {
  const plugins = findProperty(file.literal, 'plugins')
  for (const item of [plugins, ...toItems(plugins)]) {
    const map = findProperty(item, 'redirects', 'redirect_maps')
    if (map !== null) return map
  }
  return null
}

const mkdocsIds: HeadingIds = {
  // The rules of `slugify` in Python-Markdown's `toc` extension.
  toSlug: (text) =>
    text
      .normalize('NFKD')
      .replace(/[^\w\s-]/g, '')
      .trim()
      .toLowerCase()
      .replace(/[-\s]+/g, '-'),
  separator: '_',
  firstNumber: 1,
  explicit: { toMark: (id) => `{ #${id} }`, setting: 'attr_list' },
}

export const mkdocs: Framework = {
  name: 'mkdocs',
  title: 'MkDocs',
  detections: [{ config: /(^|\/)mkdocs\.ya?ml$/ }],
  read: readMkdocs,
  dialects: { mdx: 'mdx', md: 'plain', words: 'Markdown' },
  rule: 'MkDocs: a nav entry is a path relative to the docs folder, with .md. Links between pages are relative file paths.',
  writable: ['**/mkdocs.{yml,yaml}'],
  isCodeSetting: (key) => !PLAIN_SETTING.test(key),
  blocks: ['slashes', 'indent'],
  notations: { scissors: fromAnyFolder },
  toRoutes: ({ content, route }) =>
    toSuffixRoutes(content, route).map((path) => dropIndex(path, /^(?:index|readme)$/i)),
  toEntry({ like, page, content }) {
    const folder = FOLDER_NAV.test(toName(like.file)) ? toFolder(like.file) : content?.folder
    if (folder === undefined || !isBelow(page, folder)) return null
    const name = toInner(page, folder).replace(`.${content?.suffixes?.[0]}.md`, '.md')
    return `${/^\.\//.exec(like.page)?.[0] ?? ''}${name}`
  },
  headingIds: mkdocsIds,
  translationsShareNavigation: true,
  checksAbsoluteLinks: false,
  addsPages: true,
  redirectNames: 'path',
  bareLinks: 'url',
  redirects: {
    findList,
    add: (file, { source, destination }) => addToMap(file, findList(file), source, destination),
  },
}
